package dev.pinion.bootstrap.settings;

import dev.pinion.bootstrap.placement.PlacementSettings;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.handlers.remote.RemoteSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Settings of an engine or of one of its processes, checked, with a value for every key. The parent
 * sends them to its children as the lines of a properties file, over a pipe: they may contain
 * passwords, and appear in no message. Immutable; for any thread.
 */
public final class EffectiveSettings {
  private final Map<SettingKey<?>, String> texts;
  private final Map<SettingKey<?>, Object> values;

  /** Limits of both kinds. */
  private final Map<String, Integer> limits;

  private EffectiveSettings(Builder builder) {
    this.texts = new LinkedHashMap<>(builder.texts);
    this.values = Map.copyOf(builder.values);
    this.limits = Map.copyOf(builder.limits);
  }

  /**
   * Defaults of an engine and of a single replica.
   *
   * @param data the data directory
   */
  public static Builder defaults(Path data) {
    Builder builder = new Builder();
    for (SettingKey<?> key : keys()) {
      builder.put(key, Objects.requireNonNullElse(key.defaultValue(), data.toString()));
    }
    return builder;
  }

  /** Keys of a child's settings. */
  static List<SettingKey<?>> keys() {
    List<SettingKey<?>> keys = new ArrayList<>(SettingKey.all());
    keys.addAll(ReplicaKey.all());
    return keys;
  }

  /** The value of a setting. */
  public <T> T get(SettingKey<T> key) {
    return value(values, key);
  }

  @SuppressWarnings("unchecked") // put with the key that checked it
  private static <T> T value(Map<SettingKey<?>, Object> values, SettingKey<T> key) {
    return (T) Objects.requireNonNull(values.get(key), key.label());
  }

  /** Limits of the engine that differ from their defaults, by name. */
  public Map<String, Integer> limits() {
    return limits(limits, false);
  }

  /** Limits of attempts at handler hosts that differ from their defaults, by name. */
  public Map<String, Integer> remoteLimits() {
    return limits(limits, true);
  }

  static Map<String, Integer> limits(Map<String, Integer> all, boolean remote) {
    Map<String, Integer> some = new TreeMap<>(all);
    some.keySet().removeIf(name -> name.startsWith(RemoteSettings.PREFIX) != remote);
    return some;
  }

  /** Whether there is a history of instances. */
  public boolean keepsHistory() {
    return !get(SettingKey.HISTORY).equals(SettingValues.NO_HISTORY);
  }

  /** Longest warm-up of a replica before it recovers; zero for none. */
  public Duration warmUp() {
    return Duration.ofMillis(EngineLimits.defaults().with(limits()).start().warmUpMillis());
  }

  /** The request for a plan. */
  public PlacementSettings placement() {
    return new PlacementSettings(
        get(PlacementKey.REPLICAS),
        get(PlacementKey.LAYOUT).orElse(null),
        get(PlacementKey.HEAP).orElse(null),
        get(PlacementKey.WAITING).orElse(null),
        get(PlacementKey.PINNING),
        get(PlacementKey.SYSTEM_CPUS).orElse(null));
  }

  /** A builder with these settings. */
  public Builder change() {
    Builder builder = new Builder();
    builder.texts.putAll(texts);
    builder.values.putAll(values);
    return builder.limits(limits);
  }

  /** All settings as lines {@code key=value}, for {@link SettingLines#read}. */
  public String lines() {
    Map<String, String> lines = new LinkedHashMap<>();
    texts.forEach(
        (key, text) -> {
          if (key != SettingKey.SET) {
            lines.put(key.label(), text);
          }
        });
    new TreeMap<>(limits)
        .forEach((name, value) -> lines.put(SettingKey.SET.label() + "." + name, value + ""));
    return SettingsFile.lines(lines);
  }

  /** Collects settings; each is checked at once. */
  public static final class Builder {
    private final Map<SettingKey<?>, String> texts = new LinkedHashMap<>();
    private final Map<SettingKey<?>, Object> values = new HashMap<>();
    private Map<String, Integer> limits = Map.of();

    Builder() {}

    /**
     * Sets a setting.
     *
     * @param text its text, by {@link Object#toString}
     * @throws IllegalArgumentException with one sentence, when the text is invalid
     */
    public Builder put(SettingKey<?> key, Object text) {
      String written = text.toString();
      Object value = Objects.requireNonNull(key.parse(written));
      Object content = value instanceof Optional<?> optional ? optional.orElse(null) : value;
      values.put(key, value);
      texts.put(key, content instanceof Path path ? path.toString() : written);
      return this;
    }

    /** Sets all limits that differ from their defaults. */
    public Builder limits(Map<String, Integer> changed) {
      limits = Map.copyOf(changed);
      return this;
    }

    boolean has(SettingKey<?> key) {
      return values.containsKey(key);
    }

    <T> T get(SettingKey<T> key) {
      return value(values, key);
    }

    /** The settings. */
    public EffectiveSettings build() {
      return new EffectiveSettings(this);
    }
  }
}
