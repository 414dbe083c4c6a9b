package dev.pinion.benchmarks.testbed;

import dev.pinion.benchmarks.experiment.MeasurementException;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Processor time, user and system, that a process and its descendants have used so far, in
 * nanoseconds.
 *
 * @param byProcess processor time by process id
 */
public record ProcessCpuTime(Map<Long, Duration> byProcess) {
  /** Copies the times. */
  public ProcessCpuTime {
    byProcess = Collections.unmodifiableMap(new TreeMap<>(byProcess));
  }

  /** Reads a process and its descendants. */
  public static ProcessCpuTime of(ProcessHandle process) throws MeasurementException {
    Map<Long, Duration> times = new TreeMap<>();
    for (ProcessHandle one : Stream.concat(Stream.of(process), process.descendants()).toList()) {
      Optional<Duration> time = ProcessCpuClock.of(one.pid());
      if (time.isEmpty()) {
        throw new MeasurementException(
            "expected the processor time of process " + one.pid() + ", found none: it has ended");
      }
      times.put(one.pid(), time.get());
    }
    return new ProcessCpuTime(times);
  }

  /**
   * Processor time since an earlier reading.
   *
   * @throws MeasurementException when processes started or ended in between
   */
  public Duration since(ProcessCpuTime earlier) throws MeasurementException {
    if (!byProcess.keySet().equals(earlier.byProcess.keySet())) {
      throw new MeasurementException(
          "expected processes "
              + earlier.byProcess.keySet()
              + " to run through the measurement, found "
              + byProcess.keySet());
    }
    return total().minus(earlier.total());
  }

  /**
   * Processor time of one process since an earlier reading.
   *
   * @throws MeasurementException when it did not run at both times
   */
  public Duration since(ProcessCpuTime earlier, long pid) throws MeasurementException {
    Duration then = earlier.byProcess.get(pid);
    Duration now = byProcess.get(pid);
    if (then == null || now == null) {
      throw new MeasurementException(
          "expected process " + pid + " to run through the measurement, found that it did not");
    }
    return now.minus(then);
  }

  private Duration total() {
    return byProcess.values().stream().reduce(Duration.ZERO, Duration::plus);
  }
}
