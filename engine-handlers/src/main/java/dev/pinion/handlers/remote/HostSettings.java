package dev.pinion.handlers.remote;

import org.jspecify.annotations.Nullable;

/**
 * What a handler host is.
 *
 * @param prefix what all subjects begin with; requesters have the same
 * @param workers how many handlers run at once
 * @param effects JDBC address of the table of effects that hosts share, or null for none
 * @param limits bounds
 * @param times when it does what
 */
public record HostSettings(
    String prefix, int workers, @Nullable String effects, RemoteLimits limits, RemoteTimes times) {
  /** What all subjects begin with unless something else is set. */
  public static final String PREFIX = "pinion.handlers";

  /** Checks the prefix and the number of workers. */
  public HostSettings {
    new Subjects(prefix);
    if (workers < 1 || workers > limits.hostWindow()) {
      throw new IllegalArgumentException(
          "expected from 1 to "
              + limits.hostWindow()
              + " workers (the window of the host), found "
              + workers);
    }
  }
}
