package dev.pinion.broker.monitor;

/**
 * Quality of a concrete service.
 *
 * @param service its id
 * @param serviceClass the class it was called for; empty for all of them together
 * @param recent decayed sums of its calls
 * @param total calls ever observed by this broker process
 * @param percentiles percentiles of the times of the last one to two minutes
 * @param lastSeconds monotonic time of the last observation
 */
public record ServiceQuality(
    String service,
    String serviceClass,
    CallStatistics recent,
    long total,
    LatencyPercentiles percentiles,
    double lastSeconds) {
  /** Percentiles of times, in seconds. */
  public record LatencyPercentiles(double p50, double p95, double p99) {}
}
