/** Tests of {@code benchmarks.testbed}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.benchmarks.testbed;
