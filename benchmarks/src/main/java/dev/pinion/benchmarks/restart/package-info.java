/** Survival of an engine when its processes die. */
@org.jspecify.annotations.NullMarked
package dev.pinion.benchmarks.restart;
