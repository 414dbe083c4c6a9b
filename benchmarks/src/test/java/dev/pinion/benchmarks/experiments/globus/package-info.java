/** Tests of {@code benchmarks.experiments.globus}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.benchmarks.experiments.globus;
