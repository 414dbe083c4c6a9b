/** Processes under measurement, their CPUs, load and readings. */
@org.jspecify.annotations.NullMarked
package dev.pinion.benchmarks.testbed;
