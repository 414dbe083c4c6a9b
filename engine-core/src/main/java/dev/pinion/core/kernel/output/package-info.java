/**
 * Where effects of a kernel wait on their way out: for a permit, for durable records, or for room
 * in a lane.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.kernel.output;
