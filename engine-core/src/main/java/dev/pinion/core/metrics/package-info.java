/**
 * Counters and histograms of one writing thread, and their export: a leaf that every stage may use,
 * and the one place that knows the library of Prometheus.
 */
@NullMarked
package dev.pinion.core.metrics;

import org.jspecify.annotations.NullMarked;
