package dev.pinion.bootstrap.profile.recording;

import dev.pinion.bootstrap.process.ThreadCpuTimes;
import dev.pinion.bootstrap.process.ThreadCpuTimes.ThreadTime;
import dev.pinion.bootstrap.topology.DirectoryTree;
import dev.pinion.bootstrap.topology.FileTree;
import dev.pinion.core.spi.ProfilingHook;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import javax.management.JMException;
import javax.management.ObjectName;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;

/**
 * One recording of this JVM by its flight recorder: samples of CPU time and of allocations, waits
 * for locks and for the disk, work of the stages, and the CPU time of each thread. One at a time;
 * used by one thread.
 */
final class FlightRecording implements AutoCloseable {
  /** CPU time of a thread between two samples of its stack. */
  static final Duration SAMPLE_PERIOD = Duration.ofMillis(10);

  /** Time between two polls of the stages' work. */
  static final Duration WORK_POLL_PERIOD = Duration.ofMillis(10);

  /** Most samples of allocations per second. */
  static final int ALLOCATION_SAMPLES_PER_SECOND = 150;

  /** Shortest recorded wait for a lock. */
  static final Duration WAIT_THRESHOLD = Duration.ofMillis(1);

  /** Frames kept of a stack, from its top; the JVM reads the value at its first recording. */
  static final int MAX_FRAMES = 256;

  /** Most bytes of a recording on disk; beyond, its oldest part is lost, which is reported. */
  static final long MAX_BYTES = 128L << 20;

  private final FileTree files = DirectoryTree.live();
  private final Recording recording = new Recording();
  private Map<Long, Long> nanosBefore = Map.of();

  /** Prepares a recording. */
  FlightRecording() {
    recording.setName("pinion-profile");
    recording.setToDisk(true);
    recording.setMaxSize(MAX_BYTES);
    if (FlightRecorder.getFlightRecorder().getEventTypes().stream()
        .anyMatch(type -> type.getName().equals("jdk.CPUTimeSample"))) {
      recording.enable("jdk.CPUTimeSample").with("throttle", SAMPLE_PERIOD.toMillis() + "ms");
      recording.enable("jdk.CPUTimeSamplesLost");
    } else {
      recording.enable("jdk.ExecutionSample").withPeriod(SAMPLE_PERIOD);
    }
    recording
        .enable("jdk.ObjectAllocationSample")
        .with("throttle", ALLOCATION_SAMPLES_PER_SECOND + "/s");
    recording.enable("jdk.ThreadAllocationStatistics").with("period", "everyChunk");
    recording.enable("jdk.JavaMonitorEnter").withThreshold(WAIT_THRESHOLD);
    recording.enable("jdk.ThreadPark").withThreshold(WAIT_THRESHOLD);
    recording.enable("jdk.FileForce").withoutThreshold();
    recording.enable(TaskWorkEvent.class);
    recording.enable(ThreadCpuEvent.class);
    recording.enable(RecordingStartEvent.class);
  }

  /**
   * Configures the flight recorder of this JVM: the folder of data that is not dumped yet, and the
   * largest configurable number of frames of a stack. Before the first recording.
   *
   * @throws IOException when it refuses
   */
  static void prepare(Path folder) throws IOException {
    configure("repositorypath=" + folder);
    if (!FlightRecorder.isInitialized()) {
      configure("stackdepth=" + MAX_FRAMES);
    }
  }

  private static void configure(String option) throws IOException {
    try {
      ManagementFactory.getPlatformMBeanServer()
          .invoke(
              new ObjectName("com.sun.management:type=DiagnosticCommand"),
              "jfrConfigure",
              new Object[] {new String[] {option}},
              new String[] {String[].class.getName()});
    } catch (JMException e) {
      throw new IOException("expected the flight recorder to take " + option + ", found " + e, e);
    }
  }

  /** Begins; work of stages is recorded from now on. */
  void begin() {
    recording.start();
    new RecordingStartEvent(WORK_POLL_PERIOD.toMillis()).commit();
    nanosBefore =
        ThreadCpuTimes.of(files, "self").stream()
            .collect(Collectors.toMap(ThreadTime::tid, ThreadTime::cpuNanos));
    ProfilingHook.attach(
        (component, definition, task, serviceClass, looks) ->
            new TaskWorkEvent(component.name(), definition, task, serviceClass, looks).commit());
  }

  /**
   * Ends, and writes the recording.
   *
   * @throws IOException when it cannot be written
   */
  void end(Path file) throws IOException {
    ProfilingHook.detach();
    for (ThreadTime each : ThreadCpuTimes.of(files, "self")) {
      long nanos = each.cpuNanos() - nanosBefore.getOrDefault(each.tid(), 0L);
      if (nanos > 0) {
        new ThreadCpuEvent(each.tid(), each.name(), nanos).commit();
      }
    }
    recording.stop();
    recording.dump(file);
  }

  /** Ends at once, if it has not ended, and discards the recording. */
  @Override
  public void close() {
    ProfilingHook.detach();
    recording.close();
  }
}
