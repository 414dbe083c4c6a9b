package dev.pinion.handlers.remote;

import org.jspecify.annotations.Nullable;

/** How many attempts a requester has under way, and of how many bytes. Guarded by itself. */
final class InFlight {
  private final RemoteLimits limits;
  private int count;
  private long bytes;

  InFlight(RemoteLimits limits) {
    this.limits = limits;
  }

  /** Takes one more in, or answers which bound there is; one alone may have any number of bytes. */
  synchronized @Nullable String enter(long more) {
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

  /** One is over. */
  synchronized void leave(long less) {
    count--;
    bytes -= less;
  }

  synchronized int count() {
    return count;
  }
}
