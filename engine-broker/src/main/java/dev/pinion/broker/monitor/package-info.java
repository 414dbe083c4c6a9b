/**
 * The first half of the broker's MAPE-K loop: observations of replicas about services and classes,
 * counted along with their calls ({@link dev.pinion.broker.monitor.ObservationCollector}), and
 * their analysis in the broker: quality of services, paths, arrivals, levels, trends, liveness.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.broker.monitor;
