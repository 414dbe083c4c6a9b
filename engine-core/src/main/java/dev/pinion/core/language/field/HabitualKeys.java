package dev.pinion.core.language.field;

import dev.pinion.core.model.SpellingSuggestion;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Keys that people write by habit of other languages, with those of the DSL. */
final class HabitualKeys {
  private static final Map<String, List<String>> MEANT =
      Map.ofEntries(
          Map.entry("url", List.of("endpoint", "uri")),
          Map.entry("uri", List.of("endpoint")),
          Map.entry("href", List.of("endpoint", "uri")),
          Map.entry("params", List.of("query", "parameters")),
          Map.entry("parameters", List.of("query", "with")),
          Map.entry("args", List.of("with", "parameters")),
          Map.entry("arguments", List.of("with", "parameters")),
          Map.entry("query", List.of("parameters")),
          Map.entry("headers", List.of("parameters")),
          Map.entry("body", List.of("parameters")),
          Map.entry("operation", List.of("operationId")),
          Map.entry("payload", List.of("body", "parameters")),
          Map.entry("data", List.of("body")),
          Map.entry("verb", List.of("method")),
          Map.entry("steps", List.of("do")),
          Map.entry("tasks", List.of("do")),
          Map.entry("next", List.of("then")),
          Map.entry("goto", List.of("then")),
          Map.entry("condition", List.of("if", "when")),
          Map.entry("foreach", List.of("for")),
          Map.entry("items", List.of("in")),
          Map.entry("parallel", List.of("fork")),
          Map.entry("sleep", List.of("wait")),
          Map.entry("throw", List.of("raise")));

  /** Keys of error handling, which other languages have beside a call. */
  private static final List<String> RETRIES = List.of("retries", "retry", "onError", "onErrors");

  private HabitualKeys() {}

  /** The key that an unknown one probably means, or null. */
  static @Nullable String suggestion(String key, Collection<String> keys) {
    String habit =
        MEANT.getOrDefault(key, List.of()).stream().filter(keys::contains).findFirst().orElse(null);
    return habit == null ? SpellingSuggestion.of(key, keys) : habit;
  }

  /** What to write instead of a key that has no counterpart among others; empty for most. */
  static String advice(String key, Collection<String> keys) {
    boolean ofTask = keys.contains("then") && !keys.contains("catch");
    return ofTask && RETRIES.contains(key)
        ? "; put the task into a \"try\", and \"retry\" into its \"catch\""
        : "";
  }
}
