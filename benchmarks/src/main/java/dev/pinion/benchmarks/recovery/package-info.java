/** How soon an engine with many waiting instances is back, and what they cost. */
@org.jspecify.annotations.NullMarked
package dev.pinion.benchmarks.recovery;
