/** Time from connecting to the first response. */
@org.jspecify.annotations.NullMarked
package dev.pinion.benchmarks.connect;
