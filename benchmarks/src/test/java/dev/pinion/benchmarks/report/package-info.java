/** Tests of {@code benchmarks.report}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.benchmarks.report;
