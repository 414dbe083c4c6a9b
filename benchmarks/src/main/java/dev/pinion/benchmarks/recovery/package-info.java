/** Time until an engine with many waiting instances is back, and the cost of the instances. */
@org.jspecify.annotations.NullMarked
package dev.pinion.benchmarks.recovery;
