/** What requesters and hosts agree on: frames, limits, timeouts. */
@org.jspecify.annotations.NullMarked
package dev.pinion.handlers.remote.protocol;
