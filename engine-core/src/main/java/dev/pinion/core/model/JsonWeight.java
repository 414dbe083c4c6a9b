package dev.pinion.core.model;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Arrays;
import java.util.Map;

/**
 * Estimates the size of a tree as compact JSON without writing it, and finds how deep it nests.
 *
 * <p>Not recursive, and gives up as soon as a bound is passed: a tree that shares parts of itself
 * may stand for far more JSON than it takes memory.
 */
final class JsonWeight {
  private static final int WORD = 4;
  private static final int FRACTION = 8;
  private static final int PUNCTUATION = 2;
  private static final int FIRST_CONTAINERS = 16;

  private final long maxWeight;
  private final int maxDepth;
  private long weight;
  private int depth;
  private JsonNode[] containers = new JsonNode[FIRST_CONTAINERS];
  private int[] depths = new int[FIRST_CONTAINERS];
  private int waiting;

  private JsonWeight(long maxWeight, int maxDepth) {
    this.maxWeight = maxWeight;
    this.maxDepth = maxDepth;
  }

  /** Weighs a tree, or as much of it as it takes to pass a bound. */
  static JsonWeight of(JsonNode json, long maxWeight, int maxDepth) {
    JsonWeight result = new JsonWeight(maxWeight, maxDepth);
    result.add(json, 1);
    while (result.waiting > 0 && result.isWithin()) {
      result.waiting--;
      result.open(result.containers[result.waiting], result.depths[result.waiting]);
    }
    return result;
  }

  /** Whether the whole tree was weighed and neither bound passed. */
  boolean isWithin() {
    return weight <= maxWeight && depth <= maxDepth;
  }

  int weight() {
    return (int) Math.min(weight, Integer.MAX_VALUE);
  }

  /** Objects and arrays from the outermost to the innermost; 0 for a scalar. */
  int depth() {
    return depth;
  }

  private void open(JsonNode container, int level) {
    weight += PUNCTUATION;
    depth = Math.max(depth, level);
    if (container.isObject()) {
      for (Map.Entry<String, JsonNode> member : container.properties()) {
        weight += member.getKey().length() + 2 * PUNCTUATION;
        add(member.getValue(), level + 1);
      }
    } else {
      for (JsonNode item : container) {
        weight++;
        add(item, level + 1);
      }
    }
  }

  private void add(JsonNode json, int level) {
    if (!json.isContainerNode()) {
      weight += scalar(json);
      return;
    }
    if (waiting == containers.length) {
      containers = Arrays.copyOf(containers, waiting * 2);
      depths = Arrays.copyOf(depths, waiting * 2);
    }
    containers[waiting] = json;
    depths[waiting] = level;
    waiting++;
  }

  private static long scalar(JsonNode json) {
    if (json.isTextual()) {
      return (long) json.textValue().length() + PUNCTUATION;
    }
    if (json.isIntegralNumber()) {
      return json.isBigInteger()
          ? json.bigIntegerValue().bitLength() / 3 + 1L
          : digits(json.longValue());
    }
    if (json.isNumber()) {
      return json.isBigDecimal() ? json.decimalValue().precision() + (long) FRACTION : FRACTION;
    }
    return WORD;
  }

  private static int digits(long number) {
    int digits = number < 0 ? 2 : 1;
    for (long rest = number / 10; rest != 0; rest /= 10) {
      digits++;
    }
    return digits;
  }
}
