package dev.pinion.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Input and variables of an expression.
 *
 * @param dot the value of {@code .}
 * @param variables values by name, without the dollar sign
 */
record Scope(JsonNode dot, Map<String, JsonNode> variables) {
  /** This scope with another variable. */
  Scope with(String name, JsonNode value) {
    return new Scope(dot, plus(variables, name, value));
  }

  /** Variables with another one, which hides an earlier one of the same name. */
  static Map<String, JsonNode> plus(Map<String, JsonNode> some, String name, JsonNode value) {
    Map<String, JsonNode> more = new LinkedHashMap<>(some);
    more.put(name, value);
    return more;
  }
}
