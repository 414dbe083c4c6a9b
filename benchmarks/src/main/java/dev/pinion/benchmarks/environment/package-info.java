/** Machine and software of a measurement. */
@org.jspecify.annotations.NullMarked
package dev.pinion.benchmarks.environment;
