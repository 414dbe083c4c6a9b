/** Tests of counters and of their export. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.metrics;
