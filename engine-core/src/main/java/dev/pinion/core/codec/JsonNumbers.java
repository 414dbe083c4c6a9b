package dev.pinion.core.codec;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NumericNode;

/**
 * Rule for numbers of JSON from any source: beyond the range of a double a number becomes the
 * largest double of its sign, as in jq; {@code NaN} and {@code Infinity} are no JSON.
 */
public final class JsonNumbers {
  /** Factory of nodes whose numbers are finite. */
  public static final JsonNodeFactory FINITE = new Finite();

  private JsonNumbers() {}

  /** Message of a parser's error, without details for the parser's programmers. */
  public static String describe(JsonProcessingException e) {
    return String.valueOf(e.getOriginalMessage())
        .replaceAll("(?s)\\s*\\(start marker at \\[.*", "")
        .replaceAll("Non-standard token '([^']*)'", "$1, which is no number of JSON")
        .replaceAll(":? enable `[^`]*` to allow", "")
        .replaceAll(", from `[^`]*`", "")
        .replaceAll("(?s)Trailing token .*", "more after the first value")
        .lines()
        .findFirst()
        .orElse("nothing readable");
  }

  private static final class Finite extends JsonNodeFactory {
    @Override
    public NumericNode numberNode(double value) {
      return super.numberNode(Math.clamp(value, -Double.MAX_VALUE, Double.MAX_VALUE));
    }
  }
}
