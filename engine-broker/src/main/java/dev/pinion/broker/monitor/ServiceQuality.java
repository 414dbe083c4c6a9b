package dev.pinion.broker.monitor;

/**
 * Quality of a concrete service.
 *
 * @param service its id
 * @param serviceClass the class it was called for; empty for all of them together
 * @param recent decayed sums of its calls
 * @param total calls ever observed by this broker process
 * @param p50 median time of the last one to two minutes, in seconds
 * @param p95 95th percentile of the same
 * @param p99 99th percentile of the same
 * @param lastSeconds monotonic time of the last observation
 */
public record ServiceQuality(
    String service,
    String serviceClass,
    CallStatistics recent,
    long total,
    double p50,
    double p95,
    double p99,
    double lastSeconds) {}
