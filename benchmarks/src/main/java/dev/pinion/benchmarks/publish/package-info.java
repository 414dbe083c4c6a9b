/** Rate at which results reach subscribers. */
@org.jspecify.annotations.NullMarked
package dev.pinion.benchmarks.publish;
