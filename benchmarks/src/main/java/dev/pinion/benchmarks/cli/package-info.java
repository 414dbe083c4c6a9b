/**
 * The commands {@code bench}, {@code experiment} and {@code jmh}, and the servers that they start.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.benchmarks.cli;
