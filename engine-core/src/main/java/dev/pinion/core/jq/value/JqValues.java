package dev.pinion.core.jq.value;

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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** JSON values as jq sees them. Numbers have the node types that a parser would give them. */
public final class JqValues {
  public static final JsonNode NULL = NullNode.getInstance();
  public static final JsonNode TRUE = BooleanNode.TRUE;
  public static final JsonNode FALSE = BooleanNode.FALSE;
  public static final JsonNode EMPTY_TEXT = TextNode.valueOf("");
  public static final JsonNode EMPTY_ARRAY = array(List.of());

  private JqValues() {}

  public static JsonNode bool(boolean value) {
    return value ? TRUE : FALSE;
  }

  public static JsonNode number(long value) {
    return value == (int) value ? IntNode.valueOf((int) value) : LongNode.valueOf(value);
  }

  /** A number; one without fraction that a long can hold becomes an integer. */
  public static JsonNode number(double value) {
    long integer = (long) value;
    return integer == value && integer != Long.MAX_VALUE
        ? number(integer)
        : DoubleNode.valueOf(value);
  }

  /** Wraps a list that is not modified any more. */
  public static ArrayNode array(List<JsonNode> items) {
    return new ArrayNode(JsonNodeFactory.instance, items);
  }

  /** Wraps a map that is not modified any more. */
  public static ObjectNode object(Map<String, JsonNode> members) {
    return new ObjectNode(JsonNodeFactory.instance, members);
  }

  /** A map with room for some members, in insertion order. */
  public static Map<String, JsonNode> members(int count) {
    return LinkedHashMap.newLinkedHashMap(Math.max(count, 4));
  }

  public static boolean truthy(JsonNode value) {
    return value instanceof BooleanNode bool ? bool.booleanValue() : !value.isNull();
  }

  /** Whether a number is held as a long or an int, so that long arithmetic is exact. */
  public static boolean isLong(JsonNode value) {
    return value instanceof IntNode || value instanceof LongNode;
  }

  public static String type(JsonNode value) {
    return switch (value.getNodeType()) {
      case STRING, BINARY, POJO -> "string";
      case NUMBER -> "number";
      case BOOLEAN -> "boolean";
      case ARRAY -> "array";
      case OBJECT -> "object";
      case NULL, MISSING -> "null";
    };
  }

  /** Type and beginning of a value, for error messages: {@code number (42)}. */
  public static String describe(JsonNode value) {
    return type(value) + " (" + JsonPrinter.excerpt(value) + ")";
  }

  /** A number as an index, like in jq: rounded down; NaN becomes the given value. */
  public static int index(JsonNode number, int ifNan) {
    if (number instanceof IntNode) {
      return number.intValue();
    }
    double value = number.doubleValue();
    return Double.isNaN(value) ? ifNan : (int) Math.floor(value);
  }

  static double toDouble(JsonNode number) {
    return number.doubleValue();
  }

  /** The string inside a node, or an error that names a function. */
  public static String text(JsonNode value, String message) {
    if (value.isTextual()) {
      return value.textValue();
    }
    throw new JqException(describe(value) + " " + message);
  }
}
