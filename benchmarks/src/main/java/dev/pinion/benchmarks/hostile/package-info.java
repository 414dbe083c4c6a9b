/** Requests that nobody should send, and what an engine answers to them. */
@org.jspecify.annotations.NullMarked
package dev.pinion.benchmarks.hostile;
