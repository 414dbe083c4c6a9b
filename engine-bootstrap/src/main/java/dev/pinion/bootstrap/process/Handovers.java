package dev.pinion.bootstrap.process;

import java.util.function.LongSupplier;

/**
 * What the parent knows of the connections that it hands over to replicas. Any thread.
 *
 * @param times how long the latest took
 * @param handedOver how many replicas have taken
 * @param dropped how many were closed because they were none
 * @param acceptFailures how often accepting failed
 */
public record Handovers(
    HandoverTimes times,
    LongSupplier handedOver,
    LongSupplier dropped,
    LongSupplier acceptFailures) {}
