package dev.pinion.core.jq.builtin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import dev.pinion.core.codec.PayloadSyntaxException;
import dev.pinion.core.jq.value.EvaluationContext;
import dev.pinion.core.jq.value.JqException;
import dev.pinion.core.jq.value.JqValues;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/** {@code fromjson}. */
final class JsonParsing {
  private static final Set<String> NAN = Set.of("nan", "NaN", "-nan", "-NaN");

  private JsonParsing() {}

  static JsonNode parse(JsonNode in, EvaluationContext evaluationContext) {
    String text = JqValues.text(in, "cannot be parsed as JSON");
    if (text.length() <= 4 && NAN.contains(text)) {
      return DoubleNode.valueOf(Double.NaN);
    }
    // A character makes at most about one node of 40 bytes: "[1,1,1" or "{}".
    evaluationContext.charge(40 + text.length() * 2L);
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    try {
      return evaluationContext.codec().read(bytes, 0, bytes.length).json();
    } catch (PayloadSyntaxException e) {
      evaluationContext.chargeFailure();
      throw new JqException(e.getMessage() + " (while parsing '" + JqValues.describe(in) + "')");
    }
  }
}
