package dev.pinion.core.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.pinion.core.model.cost.HeapCost;
import dev.pinion.core.model.cost.JsonWeight;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An immutable JSON value on its way through the pipeline.
 *
 * <p>Immutable by contract: the builder of a payload never writes to the tree again, so payloads
 * share structure freely and cross threads without copying. Jackson stays behind this class for
 * every package except the codecs and the expression evaluator.
 */
public final class Payload {
  /** JSON {@code null}. */
  public static final Payload NULL = new Payload(NullNode.getInstance());

  /** JSON {@code true}. */
  public static final Payload TRUE = new Payload(BooleanNode.TRUE);

  /** JSON {@code false}. */
  public static final Payload FALSE = new Payload(BooleanNode.FALSE);

  /** The empty JSON object. */
  public static final Payload EMPTY_OBJECT = new Payload(JsonNodeFactory.instance.objectNode());

  private static final int UNKNOWN = 0;

  private final JsonNode json;

  // Benign races: every thread computes the same numbers, and nothing has weight 0.
  private int weight;
  private int depthPlusOne;
  private int heapPlusOne;

  private Payload(JsonNode json) {
    this.json = json;
  }

  /** Wraps a tree that the caller must not change any more. */
  public static Payload of(JsonNode json) {
    return json.isNull() || json.isMissingNode() ? NULL : new Payload(json);
  }

  /** A JSON string. */
  public static Payload of(String text) {
    return new Payload(TextNode.valueOf(text));
  }

  /** A JSON integer, in the same form as the reader's. */
  public static Payload of(long number) {
    int small = (int) number;
    return new Payload(small == number ? IntNode.valueOf(small) : LongNode.valueOf(number));
  }

  /** A JSON number. The value must be finite. */
  public static Payload of(double number) {
    return new Payload(DoubleNode.valueOf(number));
  }

  /** A JSON boolean. */
  public static Payload of(boolean value) {
    return value ? TRUE : FALSE;
  }

  /** A JSON array of the given values, in order. */
  public static Payload array(List<Payload> items) {
    ArrayNode array = new ArrayNode(JsonNodeFactory.instance, items.size());
    long weight = 2;
    long heap = HeapCost.array(items.size());
    int depth = 0;
    boolean known = true;
    for (Payload item : items) {
      array.add(item.json);
      known &= item.weight != UNKNOWN && item.depthPlusOne != UNKNOWN;
      weight += item.weight + 1L;
      heap += item.heapPlusOne - 1L;
      depth = Math.max(depth, item.depthPlusOne);
    }
    Payload result = new Payload(array);
    if (known) {
      result.weight = (int) Math.min(weight, Integer.MAX_VALUE);
      result.depthPlusOne = Math.max(depth, 1) + 1;
      result.heapPlusOne = (int) Math.min(heap + 1, Integer.MAX_VALUE);
    }
    return result;
  }

  /** A JSON object of the given members, in the map's order. */
  public static Payload object(Map<String, Payload> members) {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    members.forEach((name, value) -> object.set(name, value.json));
    return new Payload(object);
  }

  /** The tree behind this payload. Read it; never write to it. */
  public JsonNode json() {
    return json;
  }

  /** A text as it is, any other value as JSON. */
  public String asText() {
    return json.isTextual() ? json.textValue() : json.toString();
  }

  /** The text of a string; null for another kind of value. */
  public @Nullable String text() {
    return json.textValue();
  }

  /** The text of a member of an object; null where there is none, or another kind of value. */
  public @Nullable String text(String member) {
    return json.path(member).textValue();
  }

  /** The integer of a member of an object; 0 where there is none, or another kind of value. */
  public int integer(String member) {
    return json.path(member).intValue();
  }

  /** The integer of a member of an object; 0 where there is none, or another kind of value. */
  public long number(String member) {
    return json.path(member).longValue();
  }

  /** The integers of an array that is a member of an object; none where there is no array. */
  public List<Long> numbers(String member) {
    List<Long> numbers = new ArrayList<>();
    json.path(member).forEach(item -> numbers.add(item.longValue()));
    return numbers;
  }

  /**
   * The value inside this one on a path of names of members and positions of items; null when there
   * is none.
   */
  public @Nullable Payload at(List<String> path) {
    JsonNode found = json;
    for (String part : path) {
      found = found.isArray() ? item(found, part) : found.path(part);
    }
    return found.isMissingNode() ? null : of(found);
  }

  private static JsonNode item(JsonNode array, String position) {
    boolean isPosition =
        !position.isEmpty()
            && position.length() < 10
            && position.chars().allMatch(c -> c >= '0' && c <= '9');
    return array.path(isPosition ? Integer.parseInt(position) : array.size());
  }

  /** The member of an object; null where there is none, or null as its value. */
  public @Nullable Payload member(String name) {
    JsonNode member = json.get(name);
    return member == null || member.isNull() ? null : new Payload(member);
  }

  /** The items of an array in order; none for anything else. */
  public List<Payload> items() {
    return json.isArray() ? json.valueStream().map(Payload::of).toList() : List.of();
  }

  /** The text of a string, or that of a number; null for anything else. */
  public @Nullable String scalar() {
    return json.isTextual() || json.isNumber() ? json.asText() : null;
  }

  /** All strings in this value, and the texts of its numbers. */
  public List<String> texts() {
    String text = scalar();
    return text != null
        ? List.of(text)
        : json.valueStream().flatMap(each -> Payload.of(each).texts().stream()).toList();
  }

  /** Whether this is a JSON object. */
  public boolean isObject() {
    return json.isObject();
  }

  /** A copy of an object with another first member. */
  public Payload withFirst(String name, Payload value) {
    ObjectNode copy = JsonNodeFactory.instance.objectNode();
    copy.set(name, value.json);
    json.properties().forEach(member -> copy.putIfAbsent(member.getKey(), member.getValue()));
    return new Payload(copy);
  }

  /**
   * A text that is the same for equal values: of a string the string itself, of a number its
   * digits, whatever form it was written in. A string of digits is equal to that number.
   */
  public String comparableText() {
    if (json.isTextual()) {
      return json.textValue();
    }
    return json.isNumber() ? json.decimalValue().stripTrailingZeros().toString() : json.toString();
  }

  /** Whether this is JSON {@code null}. */
  public boolean isNull() {
    return json.isNull();
  }

  /**
   * Approximate bytes of this value as compact JSON; the unit of memory accounting. The first call
   * walks the tree, later ones do not.
   */
  public int weight() {
    if (weight == UNKNOWN) {
      measure(Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE);
    }
    return weight;
  }

  /**
   * Approximate heap bytes of this value's tree as if nothing were shared: up to fifty times its
   * {@link #weight}. The first call walks the tree, later ones do not.
   */
  public int heapBytes() {
    if (heapPlusOne == UNKNOWN) {
      measure(Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE);
    }
    return heapPlusOne - 1;
  }

  /**
   * Whether this value is within bounds of weight, depth and heap bytes. Walks no more of the tree
   * than necessary.
   *
   * @param maxWeight bound of {@link #weight}
   * @param maxDepth bound of the objects and arrays inside each other
   * @param maxHeap bound of {@link #heapBytes}
   */
  public boolean isWithin(int maxWeight, int maxDepth, int maxHeap) {
    if ((weight == UNKNOWN || depthPlusOne == UNKNOWN) && !measure(maxWeight, maxDepth, maxHeap)) {
      return false;
    }
    return weight <= maxWeight && depthPlusOne - 1 <= maxDepth && heapPlusOne - 1 <= maxHeap;
  }

  private boolean measure(int maxWeight, int maxDepth, int maxHeap) {
    long mostHeap = maxHeap == Integer.MAX_VALUE ? Long.MAX_VALUE : maxHeap;
    JsonWeight measured = JsonWeight.of(json, maxWeight, maxDepth, mostHeap);
    boolean complete = measured.isWithin();
    if (complete || maxWeight == Integer.MAX_VALUE) {
      weight = measured.weight();
      heapPlusOne = (int) Math.min(measured.heap() + 1L, Integer.MAX_VALUE);
    }
    if (complete) {
      depthPlusOne = measured.depth() + 1;
    }
    return complete;
  }

  /**
   * The context after parallel branches: every branch's changes are applied in order to the value
   * that they all began with. Members of objects are merged one by one; a branch that ends with
   * anything but an object replaces the whole.
   */
  public static Payload merge(Payload before, List<Payload> branches) {
    Payload merged = before;
    ObjectNode copy = null;
    for (Payload branch : branches) {
      if (branch.equals(before)) {
        continue;
      }
      if (merged.json instanceof ObjectNode && branch.json instanceof ObjectNode changed) {
        if (copy == null) {
          copy = JsonNodeFactory.instance.objectNode();
          copy.setAll((ObjectNode) merged.json);
          merged = new Payload(copy);
        }
        applyChanges(copy, before.json, changed);
      } else {
        merged = branch;
        copy = null;
      }
    }
    return merged;
  }

  private static void applyChanges(ObjectNode target, JsonNode before, ObjectNode after) {
    for (Map.Entry<String, JsonNode> member : after.properties()) {
      if (!member.getValue().equals(before.get(member.getKey()))) {
        target.set(member.getKey(), member.getValue());
      }
    }
    for (Map.Entry<String, JsonNode> member : before.properties()) {
      if (!after.has(member.getKey())) {
        target.remove(member.getKey());
      }
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Payload payload && json.equals(payload.json);
  }

  @Override
  public int hashCode() {
    return json.hashCode();
  }

  /** The value as JSON text over several lines, for people. */
  public String toIndentedString() {
    return json.toPrettyString();
  }

  /** The value as compact JSON text. */
  @Override
  public String toString() {
    return json.toString();
  }
}
