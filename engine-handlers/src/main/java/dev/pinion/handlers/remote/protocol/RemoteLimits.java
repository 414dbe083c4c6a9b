package dev.pinion.handlers.remote.protocol;

/**
 * Bounds of requesters, hosts and their frames.
 *
 * @param maxInFlight attempts under way of one requester; further ones fail at once
 * @param maxInFlightBytes bytes of the messages of these: bodies, and characters of properties;
 *     with more a further one fails at once
 * @param maxLostHosts hosts that may be lost while they have the same attempt: with more, the
 *     message is taken for the cause
 * @param maxHosts hosts that a requester tracks
 * @param maxFrameBytes bytes of one frame; a NATS server has a separate bound (max_payload)
 * @param maxTextBytes bytes of a name, a value of a property or a reason
 * @param maxChanges changes of one answer
 * @param hostWindow attempts that one host has at once, running or waiting: its credit
 * @param hostMemory attempts that a host remembers, to recognize duplicates
 * @param hostMemoryBytes bytes of the messages that it has and of the answers that it remembers
 * @param hostHandlers handlers that a host keeps ready, one for each kind and settings
 * @param maxStuck threads of a host that may hang in handlers and be replaced
 */
public record RemoteLimits(
    int maxInFlight,
    int maxInFlightBytes,
    int maxLostHosts,
    int maxHosts,
    int maxFrameBytes,
    int maxTextBytes,
    int maxChanges,
    int hostWindow,
    int hostMemory,
    int hostMemoryBytes,
    int hostHandlers,
    int maxStuck) {
  /** Upper bound of {@code maxLostHosts}. */
  static final int MOST_LOST_HOSTS = 100;

  /** Defaults. */
  public static final RemoteLimits DEFAULTS =
      new RemoteLimits(
          4_096, 64 << 20, 3, 1_024, 1 << 20, 64 << 10, 1_024, 256, 65_536, 64 << 20, 256, 16);

  /** Checks each value and their consistency. */
  public RemoteLimits {
    within("maxInFlight", maxInFlight, 1, 1_000_000);
    within("maxInFlightBytes", maxInFlightBytes, 1 << 10, Integer.MAX_VALUE);
    within("maxLostHosts", maxLostHosts, 1, MOST_LOST_HOSTS);
    within("maxHosts", maxHosts, 1, 100_000);
    within("maxFrameBytes", maxFrameBytes, 1 << 10, 64 << 20);
    within("maxTextBytes", maxTextBytes, 256, maxFrameBytes);
    within("maxChanges", maxChanges, 1, 100_000);
    within("hostWindow", hostWindow, 1, 100_000);
    within("hostMemory", hostMemory, hostWindow, 10_000_000);
    within("hostMemoryBytes", hostMemoryBytes, 1 << 10, Integer.MAX_VALUE);
    within("hostHandlers", hostHandlers, 1, 10_000);
    within("maxStuck", maxStuck, 0, 10_000);
  }

  /** These, with another credit of a host. */
  public RemoteLimits withHostWindow(int window) {
    return new RemoteLimits(
        maxInFlight,
        maxInFlightBytes,
        maxLostHosts,
        maxHosts,
        maxFrameBytes,
        maxTextBytes,
        maxChanges,
        window,
        Math.max(hostMemory, window),
        hostMemoryBytes,
        hostHandlers,
        maxStuck);
  }

  private static void within(String name, int value, int least, int most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          "expected handlers.remote."
              + name
              + " from "
              + least
              + " to "
              + most
              + ", found "
              + value);
    }
  }
}
