package dev.pinion.broker.monitor;

/**
 * Statistics of a concrete service for a class over a period.
 *
 * @param tally sums of the calls that ended then, at least one
 */
public record IntervalStatistics(String service, String serviceClass, CallStatistics tally) {}
