/** Tests of {@code benchmarks.experiments.sosoa}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.benchmarks.experiments.sosoa;
