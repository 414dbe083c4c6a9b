/** Tests of {@code benchmarks.experiments}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.benchmarks.experiments;
