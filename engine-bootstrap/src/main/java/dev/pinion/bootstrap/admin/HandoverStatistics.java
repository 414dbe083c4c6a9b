package dev.pinion.bootstrap.admin;

import java.util.function.LongSupplier;

/**
 * Statistics of the connections that the parent hands over to replicas. For any thread.
 *
 * @param times times of the latest ones
 * @param handedOver number accepted by replicas
 * @param dropped number closed because they were no connections
 * @param acceptFailures number of failed accepts
 */
public record HandoverStatistics(
    HandoverLatencies times,
    LongSupplier handedOver,
    LongSupplier dropped,
    LongSupplier acceptFailures) {}
