package dev.pinion.core.model.cost;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Arrays;
import java.util.Map;

/**
 * Estimates the size of a tree as compact JSON without writing it, its heap bytes and its depth.
 *
 * <p>Not recursive, and stops at the first exceeded bound: a tree with shared parts may represent
 * far more JSON than it takes memory. All three depend on the value alone and not on shared parts,
 * so that equal values measure the same in every replay.
 */
public final class JsonWeight {
  private static final int WORD = 4;
  private static final int FRACTION = 8;
  private static final int PUNCTUATION = 2;
  private static final int FIRST_CONTAINERS = 16;

  private final long maxWeight;
  private final int maxDepth;
  private final long maxHeap;
  private long weight;
  private long heap;
  private int depth;
  private JsonNode[] containers = new JsonNode[FIRST_CONTAINERS];
  private int[] depths = new int[FIRST_CONTAINERS];
  private int waiting;

  private JsonWeight(long maxWeight, int maxDepth, long maxHeap) {
    this.maxWeight = maxWeight;
    this.maxDepth = maxDepth;
    this.maxHeap = maxHeap;
  }

  /** Weighs a tree, or as much of it as is needed to exceed a bound. */
  public static JsonWeight of(JsonNode json, long maxWeight, int maxDepth, long maxHeap) {
    JsonWeight result = new JsonWeight(maxWeight, maxDepth, maxHeap);
    result.add(json, 1);
    while (result.waiting > 0 && result.isWithin()) {
      result.waiting--;
      result.open(result.containers[result.waiting], result.depths[result.waiting]);
    }
    return result;
  }

  /** Whether the whole tree was weighed and no bound exceeded. */
  public boolean isWithin() {
    return weight <= maxWeight && depth <= maxDepth && heap <= maxHeap;
  }

  public int weight() {
    return (int) Math.min(weight, Integer.MAX_VALUE);
  }

  /** Approximate heap bytes of the tree. */
  public int heap() {
    return (int) Math.min(heap, Integer.MAX_VALUE);
  }

  /** Objects and arrays from the outermost to the innermost; 0 for a scalar. */
  public int depth() {
    return depth;
  }

  private void open(JsonNode container, int level) {
    weight += PUNCTUATION;
    depth = Math.max(depth, level);
    if (container.isObject()) {
      heap += HeapCost.object(container.size());
      for (Map.Entry<String, JsonNode> member : container.properties()) {
        weight += member.getKey().length() + 2 * PUNCTUATION;
        heap += HeapCost.name(member.getKey().length());
        add(member.getValue(), level + 1);
      }
    } else {
      heap += HeapCost.array(container.size());
      for (JsonNode item : container) {
        weight++;
        add(item, level + 1);
      }
    }
  }

  private void add(JsonNode json, int level) {
    if (!json.isContainerNode()) {
      weight += scalar(json);
      heap += HeapCost.scalar(json);
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
