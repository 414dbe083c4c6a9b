/** Tests of {@code benchmarks.bare}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.benchmarks.bare;
