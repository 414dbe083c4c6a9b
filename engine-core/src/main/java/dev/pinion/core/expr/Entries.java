package dev.pinion.core.expr;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Objects as arrays of entries, and back. */
final class Entries {
  private Entries() {}

  static JsonNode toEntries(JsonNode in, Run run) {
    JsonNode keys = Collections.keys(in, false, run);
    List<JsonNode> entries = new ArrayList<>(keys.size());
    for (JsonNode key : keys) {
      run.object(2);
      Map<String, JsonNode> entry = Json.members(2);
      entry.put("key", key);
      entry.put("value", Access.get(in, key, run));
      entries.add(Json.object(entry));
    }
    return Json.array(entries);
  }

  static JsonNode fromEntries(JsonNode in, Run run) {
    if (!in.isContainerNode()) {
      throw AccessCode.Iterate.cannotIterate(in);
    }
    run.object(in.size());
    Map<String, JsonNode> members = Json.members(in.size());
    for (JsonNode entry : in) {
      if (!entry.isObject()) {
        throw new JqError("Cannot index " + Json.type(entry) + " with string (\"key\")");
      }
      JsonNode key = entry.path("key");
      boolean plain = !key.isMissingNode() && !key.isNull();
      JsonNode name = plain ? key : first(entry, true, "k", "name", "Name", "K", "Key");
      members.put(
          name.isTextual() ? name.textValue() : JsonText.of(name, run),
          first(entry, false, "value", "v", "Value", "V"));
    }
    return Json.object(members);
  }

  /** The first of some members that exists and, for keys, is neither null nor false. */
  private static JsonNode first(JsonNode entry, boolean truthy, String... names) {
    for (String name : names) {
      JsonNode value = entry.get(name);
      if (value != null && (!truthy || Json.truthy(value))) {
        return value;
      }
    }
    return Json.NULL;
  }
}
