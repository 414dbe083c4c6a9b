/** Tests of {@code benchmarks.experiments.dharch}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.benchmarks.experiments.dharch;
