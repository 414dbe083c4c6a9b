package dev.pinion.core.model;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;

/**
 * Estimates the size of a tree as compact JSON without writing it. Not recursive: depth is no
 * concern.
 */
final class JsonWeight {
  private static final int SCALAR = 8;
  private static final int PUNCTUATION = 2;

  private JsonWeight() {}

  static int of(JsonNode json) {
    if (!json.isContainerNode()) {
      return scalar(json);
    }
    long weight = 0;
    Deque<JsonNode> containers = new ArrayDeque<>();
    containers.push(json);
    while (!containers.isEmpty()) {
      weight += PUNCTUATION + contents(containers.pop(), containers);
    }
    return (int) Math.min(weight, Integer.MAX_VALUE);
  }

  private static long contents(JsonNode container, Deque<JsonNode> containers) {
    long weight = 0;
    if (container.isObject()) {
      for (Map.Entry<String, JsonNode> member : container.properties()) {
        weight += member.getKey().length() + 2 * PUNCTUATION + child(member.getValue(), containers);
      }
    } else {
      for (JsonNode item : container) {
        weight += 1 + child(item, containers);
      }
    }
    return weight;
  }

  private static int child(JsonNode child, Deque<JsonNode> containers) {
    if (child.isContainerNode()) {
      containers.push(child);
      return 0;
    }
    return scalar(child);
  }

  private static int scalar(JsonNode json) {
    return json.isTextual() ? json.textValue().length() + PUNCTUATION : SCALAR;
  }
}
