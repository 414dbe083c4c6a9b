/** Tests of {@code benchmarks.cli}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.benchmarks.cli;
