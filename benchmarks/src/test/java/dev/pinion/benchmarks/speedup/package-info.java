/** Tests of {@code benchmarks.speedup}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.benchmarks.speedup;
