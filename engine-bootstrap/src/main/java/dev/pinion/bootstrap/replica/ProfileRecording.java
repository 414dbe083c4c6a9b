package dev.pinion.bootstrap.replica;

import dev.pinion.bootstrap.process.ThreadTimes;
import dev.pinion.bootstrap.process.ThreadTimes.ThreadTime;
import dev.pinion.bootstrap.topology.DirectoryTree;
import dev.pinion.bootstrap.topology.FileTree;
import dev.pinion.core.spi.Looks;
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
 * for locks and for the disk, what the stages worked on, and the CPU time of each thread. One at a
 * time; used by one thread.
 */
final class ProfileRecording implements AutoCloseable {
  /** CPU time of a thread from one sample of its stack to the next. */
  static final Duration SAMPLE_PERIOD = Duration.ofMillis(10);

  /** Time between two looks at what stages work on. */
  static final Duration LOOK_PERIOD = Duration.ofMillis(10);

  /** Samples of allocations a second, at most. */
  static final int ALLOCATION_SAMPLES_PER_SECOND = 150;

  /** Waits for a lock that are shorter are not recorded. */
  static final Duration WAIT_THRESHOLD = Duration.ofMillis(1);

  /** Frames kept of a stack, from its top; the JVM takes it when it first records. */
  static final int MAX_FRAMES = 256;

  /** Bytes that a recording may have on disk; beyond, its oldest part is lost, and this told. */
  static final long MAX_BYTES = 128L << 20;

  private final FileTree files = DirectoryTree.live();
  private final Recording recording = new Recording();
  private Map<Long, Long> nanosBefore = Map.of();

  /** Prepares one. */
  ProfileRecording() {
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
    recording.enable(TaskWork.class);
    recording.enable(ThreadCpu.class);
    recording.enable(ProfileBegun.class);
  }

  /**
   * Has the flight recorder of this JVM keep what is not yet dumped in a folder, and as many frames
   * of a stack as it can be told to. Before the first recording.
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

  /** Begins; stages are heard of from now on. */
  void begin() {
    recording.start();
    new ProfileBegun(LOOK_PERIOD.toMillis()).commit();
    nanosBefore =
        ThreadTimes.of(files, "self").stream()
            .collect(Collectors.toMap(ThreadTime::tid, ThreadTime::cpuNanos));
    Looks.hear(
        (worker, definition, task, serviceClass, looks) ->
            new TaskWork(worker.name(), definition, task, serviceClass, looks).commit());
  }

  /**
   * Ends, and writes what was recorded.
   *
   * @throws IOException when it cannot be written
   */
  void end(Path file) throws IOException {
    Looks.hearNoMore();
    for (ThreadTime each : ThreadTimes.of(files, "self")) {
      long nanos = each.cpuNanos() - nanosBefore.getOrDefault(each.tid(), 0L);
      if (nanos > 0) {
        new ThreadCpu(each.tid(), each.name(), nanos).commit();
      }
    }
    recording.stop();
    recording.dump(file);
  }

  /** Ends at once, if it has not ended, and forgets what was recorded. */
  @Override
  public void close() {
    Looks.hearNoMore();
    recording.close();
  }
}
