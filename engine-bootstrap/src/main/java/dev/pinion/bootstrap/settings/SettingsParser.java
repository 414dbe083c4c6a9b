package dev.pinion.bootstrap.settings;

import dev.pinion.core.binding.CallerRule;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.SpellingSuggestion;
import dev.pinion.handlers.remote.RemoteSettings;
import java.nio.file.InvalidPathException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** Parses texts into settings; adds a sentence for each invalid one. */
final class SettingsParser {
  private final Map<SettingKey<?>, SettingText> values;
  private final List<SettingText> limits;
  private final List<String> problems;

  SettingsParser(
      Map<SettingKey<?>, SettingText> values, List<SettingText> limits, List<String> problems) {
    this.values = values;
    this.limits = limits;
    this.problems = problems;
  }

  /**
   * The settings.
   *
   * @param keys keys, each of which has a text
   * @throws SettingsException with every problem found
   */
  EffectiveSettings settings(Collection<SettingKey<?>> keys) throws SettingsException {
    EffectiveSettings.Builder builder = new EffectiveSettings.Builder();
    keys.forEach(key -> parse(key, builder));
    checkCallers(builder);
    checkHandlers();
    checkNats();
    checkLifecycle(builder);
    builder.limits(limits(builder));
    if (!problems.isEmpty()) {
      throw new SettingsException(problems);
    }
    return builder.build();
  }

  private void parse(SettingKey<?> key, EffectiveSettings.Builder builder) {
    SettingText value = value(key);
    try {
      builder.put(key, value.text());
    } catch (InvalidPathException e) {
      problems.add(value.origin() + ": expected a path, found \"" + value.text() + "\"");
    } catch (IllegalArgumentException e) {
      problems.add(value.origin() + ": " + e.getMessage());
    }
  }

  private void checkCallers(EffectiveSettings.Builder builder) {
    if (!text(BrokerKey.CALLER_HEADER).isEmpty()
        && builder.has(BrokerKey.CALLER_HEADER)
        && text(BrokerKey.CALLERS).equals(CallerRule.LABEL.label())) {
      problems.add(
          "expected "
              + BrokerKey.CALLERS.option()
              + " contract or contract-only beside "
              + BrokerKey.CALLER_HEADER.option()
              + ", found label, which identifies no caller");
    }
  }

  private void checkHandlers() {
    if (!text(SettingKey.HANDLERS).isEmpty()) {
      return;
    }
    if (!text(SettingKey.HANDLERS_PATH).isEmpty()) {
      problems.add(
          "expected chains (--handlers) that use the handlers of "
              + SettingKey.HANDLERS_PATH.option()
              + ", found none");
    } else if (!text(SettingKey.HANDLERS_NATS).isEmpty()) {
      problems.add(
          "expected chains (--handlers) whose handlers run in hosts behind "
              + SettingKey.HANDLERS_NATS.option()
              + ", found none");
    }
  }

  private void checkNats() {
    for (SettingKey<?> key :
        List.of(SettingKey.HANDLERS_NATS_CREDENTIALS, SettingKey.HANDLERS_NATS_TRUST)) {
      if (!text(key).isEmpty() && text(SettingKey.HANDLERS_NATS).isEmpty()) {
        problems.add(
            "expected NATS servers ("
                + SettingKey.HANDLERS_NATS.option()
                + ") beside "
                + key.option()
                + ", found none");
      }
    }
  }

  private void checkLifecycle(EffectiveSettings.Builder builder) {
    if (!builder.has(SettingKey.LIFECYCLE_EVENTS) || !builder.has(SettingKey.EVENT_SINKS)) {
      return;
    }
    List<LifecycleSinkSpec> wanted = builder.get(SettingKey.LIFECYCLE_EVENTS);
    if (!wanted.isEmpty() && text(SettingKey.HISTORY).equals(SettingValues.NO_HISTORY)) {
      problems.add(
          "expected a history ("
              + SettingKey.HISTORY.option()
              + ") beside "
              + SettingKey.LIFECYCLE_EVENTS.option()
              + ", found none: lifecycle events are made of it");
    }
    List<String> sinks =
        builder.get(SettingKey.EVENT_SINKS).stream().map(EventSinkSpec::name).toList();
    for (LifecycleSinkSpec each : wanted) {
      if (!sinks.contains(each.sink())) {
        problems.add(
            "expected a sink of "
                + SettingKey.EVENT_SINKS.option()
                + " in "
                + SettingKey.LIFECYCLE_EVENTS.option()
                + ", found \""
                + each.sink()
                + "\""
                + (sinks.isEmpty() ? "" : "; " + SpellingSuggestion.hint(each.sink(), sinks)));
      }
    }
  }

  private Map<String, Integer> limits(EffectiveSettings.Builder builder) {
    Map<String, Integer> changed = new TreeMap<>();
    if (builder.has(SettingKey.PUBLISHERS)) {
      builder
          .get(SettingKey.PUBLISHERS)
          .ifPresent(publishers -> changed.put("publish.publishers", publishers));
    }
    for (SettingText value : limits) {
      for (String pair : value.text().split(",", -1)) {
        if (!pair.isBlank()) {
          addLimit(changed, pair.strip(), value.origin());
        }
      }
    }
    checkLimits(changed);
    return changed;
  }

  private void checkLimits(Map<String, Integer> changed) {
    try {
      EngineLimits.defaults().with(EffectiveSettings.limits(changed, false));
      RemoteSettings.DEFAULTS.with(EffectiveSettings.limits(changed, true));
    } catch (IllegalArgumentException e) {
      problems.add("limits: " + e.getMessage());
    }
  }

  private void addLimit(Map<String, Integer> changed, String pair, String origin) {
    int equals = pair.indexOf('=');
    try {
      if (equals > 0) {
        changed.put(
            pair.substring(0, equals).strip(), Integer.valueOf(pair.substring(equals + 1).strip()));
        return;
      }
    } catch (NumberFormatException ignored) {
      // continues with the message below
    }
    problems.add(
        origin + ": expected a limit such as kernel.maxCalls=1000, found \"" + pair + "\"");
  }

  private String text(SettingKey<?> key) {
    return value(key).text();
  }

  private SettingText value(SettingKey<?> key) {
    return Objects.requireNonNull(values.get(key), key.label());
  }
}
