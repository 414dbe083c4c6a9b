package dev.pinion.handlers.remote;

import dev.pinion.core.model.SpellingSuggestion;
import dev.pinion.handlers.remote.protocol.RemoteLimits;
import dev.pinion.handlers.remote.protocol.RemoteTimeouts;
import dev.pinion.handlers.remote.transport.StoreLimits;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Bounds and times of requesters and hosts, by the names of their settings. Immutable.
 *
 * @param limits bounds
 * @param times intervals and time-outs
 * @param store bounds of stored messages
 */
public record RemoteSettings(RemoteLimits limits, RemoteTimeouts times, StoreLimits store) {
  /** Defaults. */
  public static final RemoteSettings DEFAULTS =
      new RemoteSettings(RemoteLimits.DEFAULTS, RemoteTimeouts.DEFAULTS, StoreLimits.DEFAULTS);

  /** Beginning of the names of all values. */
  public static final String PREFIX = "handlers.remote.";

  /** All values by name, such as {@code handlers.remote.hostWindow}; times are in milliseconds. */
  public SortedMap<String, Integer> values() {
    SortedMap<String, Integer> all = new TreeMap<>();
    all.put(PREFIX + "maxInFlight", limits.maxInFlight());
    all.put(PREFIX + "maxInFlightBytes", limits.maxInFlightBytes());
    all.put(PREFIX + "maxLostHosts", limits.maxLostHosts());
    all.put(PREFIX + "maxHosts", limits.maxHosts());
    all.put(PREFIX + "maxFrameBytes", limits.maxFrameBytes());
    all.put(PREFIX + "maxTextBytes", limits.maxTextBytes());
    all.put(PREFIX + "maxChanges", limits.maxChanges());
    all.put(PREFIX + "hostWindow", limits.hostWindow());
    all.put(PREFIX + "hostMemory", limits.hostMemory());
    all.put(PREFIX + "hostMemoryBytes", limits.hostMemoryBytes());
    all.put(PREFIX + "hostHandlers", limits.hostHandlers());
    all.put(PREFIX + "maxStuck", limits.maxStuck());
    all.put(PREFIX + "answerMillis", millis(times.answer()));
    all.put(PREFIX + "probeMillis", millis(times.probe()));
    all.put(PREFIX + "beatMillis", millis(times.heartbeat()));
    all.put(PREFIX + "silenceMillis", millis(times.silence()));
    all.put(PREFIX + "lateMillis", millis(times.late()));
    all.put(PREFIX + "storedMaxMebibytes", store.maxMebibytes());
    all.put(PREFIX + "storedReplicas", store.replicas());
    all.put(PREFIX + "storedSilenceMillis", millis(store.silence()));
    all.put(PREFIX + "storedMaxDeliveries", store.maxDeliveries());
    return all;
  }

  private static int millis(Duration time) {
    return (int) Math.min(Integer.MAX_VALUE, time.toMillis());
  }

  /**
   * These, with other values.
   *
   * @throws IllegalArgumentException when a name is unknown, or a value is out of its range or
   *     inconsistent with the others
   */
  public RemoteSettings with(Map<String, Integer> changes) {
    SortedMap<String, Integer> all = values();
    for (String name : changes.keySet()) {
      if (!all.containsKey(name)) {
        throw new IllegalArgumentException(
            "expected the name of a limit, found \""
                + name
                + "\"; "
                + SpellingSuggestion.hint(name, all.keySet()));
      }
    }
    all.putAll(changes);
    return new RemoteSettings(limits(all), times(all), store(all));
  }

  private static RemoteLimits limits(Map<String, Integer> all) {
    return new RemoteLimits(
        value(all, "maxInFlight"),
        value(all, "maxInFlightBytes"),
        value(all, "maxLostHosts"),
        value(all, "maxHosts"),
        value(all, "maxFrameBytes"),
        value(all, "maxTextBytes"),
        value(all, "maxChanges"),
        value(all, "hostWindow"),
        value(all, "hostMemory"),
        value(all, "hostMemoryBytes"),
        value(all, "hostHandlers"),
        value(all, "maxStuck"));
  }

  private static RemoteTimeouts times(Map<String, Integer> all) {
    return new RemoteTimeouts(
        Duration.ofMillis(value(all, "answerMillis")),
        Duration.ofMillis(value(all, "probeMillis")),
        Duration.ofMillis(value(all, "beatMillis")),
        Duration.ofMillis(value(all, "silenceMillis")),
        Duration.ofMillis(value(all, "lateMillis")));
  }

  private static StoreLimits store(Map<String, Integer> all) {
    return new StoreLimits(
        value(all, "storedMaxMebibytes"),
        value(all, "storedReplicas"),
        Duration.ofMillis(value(all, "storedSilenceMillis")),
        value(all, "storedMaxDeliveries"));
  }

  private static int value(Map<String, Integer> all, String name) {
    return Objects.requireNonNull(all.get(PREFIX + name));
  }
}
