/** Tests of {@code benchmarks.chart}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.benchmarks.chart;
