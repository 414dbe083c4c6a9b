package dev.pinion.core.jq.value;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.List;

/** Keys of objects. */
public final class ObjectKeys {
  private ObjectKeys() {}

  /**
   * The keys of an object, or the indices of an array.
   *
   * @param sorted whether keys are sorted by code point
   */
  public static JsonNode of(JsonNode in, boolean sorted, EvaluationContext evaluationContext) {
    List<JsonNode> keys = new ArrayList<>(in.size());
    evaluationContext.array(in.size() * 4L);
    if (in.isArray()) {
      for (int i = 0; i < in.size(); i++) {
        keys.add(JqValues.number((long) i));
      }
    } else if (in.isObject() && sorted) {
      sorted(in, evaluationContext).forEach(key -> keys.add(TextNode.valueOf(key)));
    } else if (in.isObject()) {
      in.fieldNames().forEachRemaining(key -> keys.add(TextNode.valueOf(key)));
    } else {
      throw new JqException(JqValues.describe(in) + " has no keys");
    }
    return JqValues.array(keys);
  }

  /** The keys of an object by code point. */
  static List<String> sorted(JsonNode object, EvaluationContext evaluationContext) {
    evaluationContext.array(object.size());
    List<String> keys = new ArrayList<>(object.size());
    object.fieldNames().forEachRemaining(keys::add);
    keys.sort((a, b) -> TextOrder.compare(a, b, evaluationContext));
    return keys;
  }
}
