/** How long it takes from connecting to the first answer. */
@org.jspecify.annotations.NullMarked
package dev.pinion.benchmarks.connect;
