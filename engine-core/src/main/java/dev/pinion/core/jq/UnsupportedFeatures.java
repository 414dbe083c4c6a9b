package dev.pinion.core.jq;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Parts of jq that an expression of a process must not use, with the reasons. */
final class UnsupportedFeatures {
  private static final Map<String, String> FUNCTIONS =
      Map.ofEntries(
          Map.entry("env", "the environment of the engine is not visible"),
          Map.entry("input", "there is no stream of inputs; use \".\""),
          Map.entry("inputs", "there is no stream of inputs; use \".\""),
          Map.entry("input_filename", "there are no files"),
          Map.entry("input_line_number", "there are no files"),
          Map.entry("debug", "there is no console; put the value into the output"),
          Map.entry("stderr", "there is no console; put the value into the output"),
          Map.entry("halt", "an expression cannot end the engine; use \"error\""),
          Map.entry("halt_error", "an expression cannot end the engine; use \"error\""),
          Map.entry("get_jq_origin", "there are no files"),
          Map.entry("get_prog_origin", "there are no files"),
          Map.entry("get_search_list", "there are no modules"),
          Map.entry("modulemeta", "there are no modules"));

  private UnsupportedFeatures() {}

  static @Nullable String function(String name) {
    String reason = FUNCTIONS.get(name);
    if (reason == null && name.contains("::")) {
      reason = "there are no modules";
    }
    return reason == null ? null : "expected a known function, found \"" + name + "\": " + reason;
  }

  static @Nullable String variable(String name) {
    if (name.equals("ENV")) {
      return "expected a variable that is defined here, found \"$ENV\": "
          + "the environment of the engine is not visible";
    }
    return null;
  }
}
