package dev.pinion.core.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
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

  private final JsonNode json;

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
