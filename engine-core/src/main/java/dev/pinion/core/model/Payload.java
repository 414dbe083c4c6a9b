package dev.pinion.core.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.List;
import java.util.Map;

/**
 * An immutable JSON value as it travels through the pipeline.
 *
 * <p>Immutable by contract: whoever builds a payload hands over the tree and never writes to it
 * again, so payloads share structure freely and cross threads without copying. Jackson stays behind
 * this class for every package but the codecs and the expression evaluator.
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

  private static final int UNKNOWN = -1;

  private final JsonNode json;
  private int weight = UNKNOWN; // a benign race: every thread computes the same number

  private Payload(JsonNode json) {
    this.json = json;
  }

  /** Wraps a tree that the caller will not change any more. */
  public static Payload of(JsonNode json) {
    return json.isNull() || json.isMissingNode() ? NULL : new Payload(json);
  }

  /** A JSON string. */
  public static Payload of(String text) {
    return new Payload(TextNode.valueOf(text));
  }

  /** A JSON integer. */
  public static Payload of(long number) {
    return new Payload(LongNode.valueOf(number));
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
    for (Payload item : items) {
      array.add(item.json);
    }
    return new Payload(array);
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

  /** Whether this is JSON {@code null}. */
  public boolean isNull() {
    return json.isNull();
  }

  /**
   * About how many bytes this value has as compact JSON; what memory accounting goes by. The first
   * call walks the tree, later ones do not.
   */
  public int weight() {
    int known = weight;
    if (known == UNKNOWN) {
      known = JsonWeight.of(json);
      weight = known;
    }
    return known;
  }

  /**
   * The context after parallel branches: starting from what they all began with, every branch's
   * changes are applied in order. Members of objects are taken one by one; a branch that ends with
   * anything but an object replaces the whole.
   */
  public static Payload merge(Payload before, List<Payload> branches) {
    Payload merged = before;
    for (Payload branch : branches) {
      merged = merged.withChanges(before, branch);
    }
    return merged;
  }

  private Payload withChanges(Payload before, Payload after) {
    if (after.equals(before)) {
      return this;
    }
    if (!(json instanceof ObjectNode target) || !(after.json instanceof ObjectNode changed)) {
      return after;
    }
    ObjectNode result = JsonNodeFactory.instance.objectNode();
    result.setAll(target);
    for (Map.Entry<String, JsonNode> member : changed.properties()) {
      if (!member.getValue().equals(before.json.get(member.getKey()))) {
        result.set(member.getKey(), member.getValue());
      }
    }
    for (Map.Entry<String, JsonNode> member : before.json.properties()) {
      if (!changed.has(member.getKey())) {
        result.remove(member.getKey());
      }
    }
    return new Payload(result);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Payload payload && json.equals(payload.json);
  }

  @Override
  public int hashCode() {
    return json.hashCode();
  }

  /** The value as compact JSON text. */
  @Override
  public String toString() {
    return json.toString();
  }
}
