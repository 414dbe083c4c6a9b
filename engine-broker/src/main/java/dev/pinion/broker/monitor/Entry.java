package dev.pinion.broker.monitor;

/**
 * How a concrete service did for a class over a while.
 *
 * @param tally of the calls that ended then, at least one
 */
public record Entry(String service, String serviceClass, Tally tally) {}
