package dev.pinion.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;

/**
 * Behaviour of a service: the first calls fail, later ones succeed with a function of path and
 * body. A repeated delivery is the same call.
 *
 * @param failures calls that fail, from the first one on
 * @param status status of the failed calls
 */
public record Script(int failures, int status) {
  private static final int PRIME = 31;

  /**
   * An answer.
   *
   * @param status HTTP status
   * @param content the body; JSON null when the call failed
   */
  public record Answer(int status, JsonNode content) {
    /** Whether the call succeeded. */
    public boolean isOk() {
      return status == 200;
    }
  }

  /**
   * The answer to a call.
   *
   * @param ordinal the number of the call among those of its path, from 1
   */
  public Answer answer(String path, JsonNode body, int ordinal) {
    JsonNodeFactory json = JsonNodeFactory.instance;
    if (ordinal <= failures) {
      return new Answer(status, json.nullNode());
    }
    int hash = Math.floorMod(PRIME * path.hashCode() + hash(body), 10_007);
    ObjectNode content = json.objectNode();
    content.put("n", hash % 20);
    content.set("xs", json.arrayNode().add(hash % 7).add(hash / 7 % 5));
    content.set("a", json.objectNode().put("n", hash % 3).put("b", "s" + hash % 4));
    return new Answer(200, content);
  }

  /** The same for equal values, however their members are ordered. */
  private static int hash(JsonNode value) {
    int hash = value.getNodeType().name().hashCode();
    if (value.isObject()) {
      for (Map.Entry<String, JsonNode> member : value.properties()) {
        hash += member.getKey().hashCode() * PRIME ^ hash(member.getValue());
      }
    } else if (value.isArray()) {
      for (JsonNode item : value) {
        hash = PRIME * hash + hash(item);
      }
    } else {
      hash += PRIME * value.asText().hashCode();
    }
    return hash;
  }
}
