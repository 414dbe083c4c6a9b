package dev.pinion.broker.monitor;

import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * Observations of a replica since its last batch.
 *
 * @param services by concrete service and class
 * @param classes by class
 * @param dropped observations dropped for lack of room
 */
public record ObservationBatch(
    List<ServiceSample> services, List<ClassSample> classes, long dropped) {
  /** Copies the lists. */
  public ObservationBatch {
    services = List.copyOf(services);
    classes = List.copyOf(classes);
  }

  /** Whether there is nothing to report. */
  public boolean isEmpty() {
    return services.isEmpty() && classes.isEmpty() && dropped == 0;
  }

  /**
   * Calls of a concrete service for a class.
   *
   * @param tally sums of the calls
   * @param micros their times in µs, for percentiles; not modified by the receiver
   */
  public record ServiceSample(
      String service, String serviceClass, CallStatistics tally, Histogram micros) {}

  /**
   * Requests of a class.
   *
   * @param begun requests that called an abstract service for the first time
   * @param ended sums of those that ended
   * @param invocations number of invocations by tasks, by abstract service
   */
  public record ClassSample(
      String serviceClass, long begun, CallStatistics ended, Map<String, Long> invocations) {
    /** Copies the map. */
    public ClassSample {
      invocations = Map.copyOf(invocations);
    }
  }
}
