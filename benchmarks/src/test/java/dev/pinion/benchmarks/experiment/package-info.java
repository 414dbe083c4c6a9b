/** Tests of {@code benchmarks.experiment}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.benchmarks.experiment;
