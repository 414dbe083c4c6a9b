package dev.pinion.handlers.remote;

import dev.pinion.handlers.remote.protocol.RemoteLimits;
import org.jspecify.annotations.Nullable;

/** Number and bytes of the attempts that a requester has under way. Guarded by itself. */
final class InFlightLimit {
  private final RemoteLimits limits;
  private int count;
  private long bytes;

  InFlightLimit(RemoteLimits limits) {
    this.limits = limits;
  }

  /** Adds an attempt, or returns the limit reached; a single one may have any number of bytes. */
  synchronized @Nullable String acquire(long more) {
    if (count >= limits.maxInFlight()) {
      return "expected at most "
          + limits.maxInFlight()
          + " messages at handler hosts (handlers.remote.maxInFlight), found more";
    }
    if (bytes + more > limits.maxInFlightBytes() && count > 0) {
      return "expected messages of at most "
          + limits.maxInFlightBytes()
          + " bytes together at handler hosts (handlers.remote.maxInFlightBytes), found "
          + (bytes + more);
    }
    count++;
    bytes += more;
    return null;
  }

  /** Removes an attempt that is over. */
  synchronized void release(long less) {
    count--;
    bytes -= less;
  }

  synchronized int count() {
    return count;
  }
}
