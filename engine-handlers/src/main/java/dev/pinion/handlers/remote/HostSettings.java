package dev.pinion.handlers.remote;

import dev.pinion.handlers.remote.protocol.RemoteLimits;
import dev.pinion.handlers.remote.protocol.RemoteTimeouts;
import dev.pinion.handlers.remote.transport.Subjects;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a handler host.
 *
 * @param prefix prefix of all subjects, the same as of requesters
 * @param workers number of handlers that run at once
 * @param effects JDBC address of the table of effects that hosts share, or null for none
 * @param limits bounds
 * @param times intervals and time-outs
 */
public record HostSettings(
    String prefix,
    int workers,
    @Nullable String effects,
    RemoteLimits limits,
    RemoteTimeouts times) {
  /** Default prefix of all subjects. */
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
