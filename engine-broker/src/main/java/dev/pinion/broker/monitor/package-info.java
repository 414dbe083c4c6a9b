/**
 * The first half of the broker's MAPE-K loop: what replicas observe of services and classes,
 * counted beside their calls ({@link dev.pinion.broker.monitor.Observations}), and what the broker
 * makes of it: quality of services, paths, arrivals, levels, trends, liveness.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.broker.monitor;
