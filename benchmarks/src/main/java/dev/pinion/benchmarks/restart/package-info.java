/** How an engine survives the death of its processes. */
@org.jspecify.annotations.NullMarked
package dev.pinion.benchmarks.restart;
