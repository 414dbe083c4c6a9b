/** Requests that nobody should send, and an engine's responses to them. */
@org.jspecify.annotations.NullMarked
package dev.pinion.benchmarks.hostile;
