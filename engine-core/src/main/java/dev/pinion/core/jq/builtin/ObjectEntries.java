package dev.pinion.core.jq.builtin;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.core.jq.code.PathCode;
import dev.pinion.core.jq.value.EvaluationContext;
import dev.pinion.core.jq.value.Indexing;
import dev.pinion.core.jq.value.JqException;
import dev.pinion.core.jq.value.JqValues;
import dev.pinion.core.jq.value.JsonPrinter;
import dev.pinion.core.jq.value.ObjectKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Objects as arrays of entries, and back. */
final class ObjectEntries {
  private ObjectEntries() {}

  static JsonNode toEntries(JsonNode in, EvaluationContext evaluationContext) {
    JsonNode keys = ObjectKeys.of(in, false, evaluationContext);
    List<JsonNode> entries = new ArrayList<>(keys.size());
    for (JsonNode key : keys) {
      evaluationContext.object(2);
      Map<String, JsonNode> entry = JqValues.members(2);
      entry.put("key", key);
      entry.put("value", Indexing.get(in, key, evaluationContext));
      entries.add(JqValues.object(entry));
    }
    return JqValues.array(entries);
  }

  static JsonNode fromEntries(JsonNode in, EvaluationContext evaluationContext) {
    if (!in.isContainerNode()) {
      throw PathCode.Iterate.cannotIterate(in);
    }
    evaluationContext.object(in.size());
    Map<String, JsonNode> members = JqValues.members(in.size());
    for (JsonNode entry : in) {
      if (!entry.isObject()) {
        throw new JqException("Cannot index " + JqValues.type(entry) + " with string (\"key\")");
      }
      JsonNode name = key(entry);
      members.put(
          name.isTextual() ? name.textValue() : JsonPrinter.of(name, evaluationContext),
          first(entry, false, "value", "Value", "v", "V"));
    }
    return JqValues.object(members);
  }

  /** The key of an entry, which jq 1.7 wants to be a string; null and false are taken last. */
  private static JsonNode key(JsonNode entry) {
    JsonNode key = first(entry, true, "key", "Key", "name", "Name", "k", "K");
    return key.isNull() ? first(entry, false, "key") : key;
  }

  /** The first of some members that exists and, for keys, is neither null nor false. */
  private static JsonNode first(JsonNode entry, boolean truthy, String... names) {
    for (String name : names) {
      JsonNode value = entry.get(name);
      if (value != null && (!truthy || JqValues.truthy(value))) {
        return value;
      }
    }
    return JqValues.NULL;
  }
}
