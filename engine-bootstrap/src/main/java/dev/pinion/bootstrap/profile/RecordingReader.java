package dev.pinion.bootstrap.profile;

import dev.pinion.bootstrap.protocol.ProfiledProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;

/** Reads the flight recording of one process into rows. For one recording, used by one thread. */
final class RecordingReader {
  /** Most samples read of one recording; further ones are counted and reported. */
  static final int MAX_SAMPLES = 1_000_000;

  /** Placeholder for the outer frames of a stack that was deeper than the recorded part. */
  static final String TRUNCATED = "(deeper)";

  private static final long DEFAULT_LOOK_MILLIS = 5;

  /** Parks that wait for a lock. Others wait for work or time, which is no problem. */
  private static final Pattern LOCK =
      Pattern.compile("java\\.util\\.concurrent\\.(locks\\.(Reentrant|Stamped).*|Semaphore\\$.*)");

  private final ProfiledProcess process;
  private final Profile.Builder builder;
  private final int maxSamples;
  private final List<Sample> samples = new ArrayList<>();
  private final CpuTimeScaling cpu = new CpuTimeScaling();
  private final AllocationScaling allocations = new AllocationScaling();
  private final WorkSpans spans = new WorkSpans();
  private final List<String> notes = new ArrayList<>();
  private long lookNanos = TimeUnit.MILLISECONDS.toNanos(DEFAULT_LOOK_MILLIS);
  private long lost;
  private long beyond;
  private long failed;
  private boolean begun;
  private String sampler = "none";

  private record Sample(
      ProfileKind kind,
      long tid,
      String thread,
      long nanos,
      int node,
      String subject,
      long amount) {}

  private RecordingReader(ProfiledProcess process, Profile.Builder builder, int maxSamples) {
    this.process = process;
    this.builder = builder;
    this.maxSamples = maxSamples;
  }

  /**
   * Facts about a recording besides its rows.
   *
   * @param sampler event from which the CPU time is derived
   * @param notes missing data, each a sentence
   */
  record RecordingNotes(String sampler, List<String> notes) {}

  /**
   * Reads a recording.
   *
   * @param process the recorded process
   * @param builder builder of its rows
   * @throws IOException when it cannot be read
   */
  static RecordingNotes read(Path file, ProfiledProcess process, Profile.Builder builder)
      throws IOException {
    return read(file, process, builder, MAX_SAMPLES);
  }

  /** Reads a recording, up to a number of samples. */
  static RecordingNotes read(
      Path file, ProfiledProcess process, Profile.Builder builder, int maxSamples)
      throws IOException {
    RecordingReader reader = new RecordingReader(process, builder, maxSamples);
    try (RecordingFile recording = new RecordingFile(file)) {
      while (recording.hasMoreEvents()) {
        reader.on(recording.readEvent());
      }
    }
    return reader.finish();
  }

  private void on(RecordedEvent event) {
    switch (event.getEventType().getName()) {
      case "jdk.CPUTimeSample" -> onCpuSample(event, "jdk.CPUTimeSample", period(event));
      case "jdk.ExecutionSample" -> onCpuSample(event, "jdk.ExecutionSample", lookNanos);
      case "jdk.CPUTimeSamplesLost" -> lost += event.getLong("lostSamples");
      case "jdk.ObjectAllocationSample" ->
          onSample(
              event,
              ProfileKind.ALLOCATION,
              className(event, "objectClass"),
              event.getLong("weight"));
      case "jdk.ThreadAllocationStatistics" ->
          allocations.counted(
              event.getThread("thread").getOSThreadId(),
              nanos(event.getStartTime()),
              event.getLong("allocated"));
      case "jdk.JavaMonitorEnter" ->
          onSample(event, ProfileKind.WAITING, className(event, "monitorClass"), nanos(event));
      case "jdk.ThreadPark" -> onPark(event);
      case "jdk.FileForce" ->
          onSample(
              event,
              ProfileKind.DISK,
              Objects.requireNonNullElse(event.getString("path"), "(unknown)"),
              nanos(event));
      case "dev.pinion.TaskWork" -> onWork(event);
      case "dev.pinion.ThreadCpu" ->
          cpu.accounted(event.getLong("tid"), event.getString("name"), event.getLong("nanos"));
      case "dev.pinion.ProfileBegun" -> {
        begun = true;
        allocations.begun(nanos(event.getStartTime()));
        lookNanos = TimeUnit.MILLISECONDS.toNanos(event.getLong("lookMillis"));
      }
      default -> {
        // the recorder adds events about itself
      }
    }
  }

  private static long period(RecordedEvent event) {
    return event.getDuration("samplingPeriod").toNanos();
  }

  private static long nanos(RecordedEvent event) {
    return event.getDuration().toNanos();
  }

  private void onCpuSample(RecordedEvent event, String name, long amount) {
    sampler = name;
    if (event.hasField("failed") && event.getBoolean("failed")) {
      failed++;
    }
    onSample(event, ProfileKind.CPU, ProfileRow.NONE, amount);
  }

  private void onPark(RecordedEvent event) {
    String subject = className(event, "parkedClass");
    if (LOCK.matcher(subject).matches()) {
      onSample(event, ProfileKind.WAITING, subject, nanos(event));
    }
  }

  private void onSample(RecordedEvent event, ProfileKind profileKind, String subject, long amount) {
    RecordedThread thread =
        profileKind == ProfileKind.CPU && event.hasField("sampledThread")
            ? event.getThread("sampledThread")
            : event.getThread();
    if (thread == null) {
      lost++;
      return;
    }
    if (samples.size() >= maxSamples) {
      beyond++;
      return;
    }
    String name = thread.getJavaName() == null ? thread.getOSName() : thread.getJavaName();
    long tid = thread.getOSThreadId();
    samples.add(
        new Sample(
            profileKind,
            tid,
            name == null ? "" : name,
            nanos(event.getStartTime()),
            builder.tree().node(stack(event.getStackTrace())),
            subject,
            amount));
    if (profileKind == ProfileKind.CPU) {
      cpu.sampled(tid, amount);
    } else if (profileKind == ProfileKind.ALLOCATION) {
      allocations.sampled(tid, nanos(event.getStartTime()), amount);
    }
  }

  private void onWork(RecordedEvent event) {
    long end = nanos(event.getEndTime());
    PipelineStage stage = PipelineStage.valueOf(event.getString("worker"));
    spans.add(
        event.getThread().getOSThreadId(),
        stage,
        end - event.getInt("looks") * lookNanos,
        end,
        new ProfileRow.TaskOrigin(
            event.getString("definition"),
            event.getString("task"),
            event.getString("serviceClass")));
  }

  private static long nanos(Instant time) {
    return TimeUnit.SECONDS.toNanos(time.getEpochSecond()) + time.getNano();
  }

  private static String className(RecordedEvent event, String field) {
    RecordedClass value = event.hasField(field) ? event.getClass(field) : null;
    return value == null ? "(unknown)" : ClassNames.readable(value.getName());
  }

  private static List<String> stack(@Nullable RecordedStackTrace trace) {
    if (trace == null) {
      return List.of();
    }
    Stream<String> frames =
        trace.getFrames().reversed().stream()
            .filter(RecordedFrame::isJavaFrame)
            .map(RecordedFrame::getMethod)
            .map(
                method -> ClassNames.readable(method.getType().getName()) + "." + method.getName());
    return trace.isTruncated()
        ? Stream.concat(Stream.of(TRUNCATED), frames).toList()
        : frames.toList();
  }

  private RecordingNotes finish() {
    samples.forEach(this::add);
    cpu.forEachUnsampled(this::addUnsampled);
    if (!begun) {
      notes.add("The beginning of " + process.name() + " is missing: it was too long.");
    }
    if (lost > 0) {
      notes.add("Samples of " + process.name() + " that were lost: " + lost + ".");
    }
    if (beyond > 0) {
      notes.add(
          "Samples of "
              + process.name()
              + " that were left out: "
              + beyond
              + "; at most "
              + maxSamples
              + " of a recording are read, profile for a shorter time.");
    }
    if (failed > 0) {
      notes.add("Samples of " + process.name() + " that have no stack: " + failed + ".");
    }
    if (!cpu.isKnown()) {
      notes.add(
          "The system does not report the CPU time of threads: garbage collector and compilers of"
              + " "
              + process.name()
              + " are left out.");
    }
    return new RecordingNotes(sampler, notes);
  }

  private void add(Sample sample) {
    List<String> frames = builder.tree().stack(sample.node());
    PipelineStage stage = ThreadGroups.stage(sample.thread(), frames);
    ProfileRow.TaskOrigin taskOrigin = spans.at(sample.tid(), stage, sample.nanos());
    ProfileRow.Site site =
        new ProfileRow.Site(
            sample.kind(),
            process,
            ThreadGroups.group(sample.thread()),
            stage,
            taskOrigin == null ? ProfileRow.NO_WORK : taskOrigin,
            sample.subject(),
            sample.node());
    builder.add(site, weight(sample), 1);
  }

  private double weight(Sample sample) {
    return switch (sample.kind()) {
      case CPU -> cpu.weight(sample.tid(), sample.amount());
      case ALLOCATION -> allocations.weight(sample.tid(), sample.nanos(), sample.amount());
      case WAITING, DISK -> sample.amount();
    };
  }

  private void addUnsampled(String thread, long nanos) {
    PipelineStage stage = ThreadGroups.stage(thread);
    ProfileRow.Site site =
        new ProfileRow.Site(
            ProfileKind.CPU,
            process,
            ThreadGroups.group(thread),
            stage,
            ProfileRow.NO_WORK,
            ProfileRow.NONE,
            builder.tree().node(List.of("(" + stage.label() + ", not sampled)")));
    builder.add(site, (double) nanos, 0);
  }
}
