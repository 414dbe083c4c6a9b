package dev.pinion.core.codec;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BigIntegerNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.FloatNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.pinion.core.model.Payload;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;

/** Reader of the payloads that {@link PayloadWriter} wrote, in the same order. */
public final class PayloadReader {
  private final ByteReader in;
  private final List<JsonNode> read = new ArrayList<>();
  private final IdentityHashMap<JsonNode, Payload> payloads = new IdentityHashMap<>();
  private final Deque<Open> open = new ArrayDeque<>();

  /** An array or object whose parts are being read. */
  private static final class Open {
    final JsonNode container;
    int left;

    Open(JsonNode container, int left) {
      this.container = container;
      this.left = left;
    }
  }

  /** A reader of payloads within other data. */
  public PayloadReader(ByteReader in) {
    this.in = in;
  }

  /**
   * Reads a payload.
   *
   * @throws IllegalArgumentException when the bytes are invalid
   */
  public Payload get() {
    JsonNode json = next();
    for (Open top = open.peek(); top != null; top = open.peek()) {
      if (top.left == 0) {
        open.pop();
      } else {
        top.left--;
        readPart(top.container);
      }
    }
    return PayloadWriter.isShared(json)
        ? payloads.computeIfAbsent(json, Payload::of)
        : Payload.of(json);
  }

  private void readPart(JsonNode container) {
    if (container instanceof ObjectNode object) {
      String name = in.getPresentText();
      object.set(name, next());
    } else {
      ((ArrayNode) container).add(next());
    }
  }

  private JsonNode next() {
    byte kind = in.getByte();
    if (kind == PayloadWriter.AGAIN) {
      return again();
    }
    JsonNode json =
        switch (kind) {
          case PayloadWriter.NULL -> NullNode.getInstance();
          case PayloadWriter.FALSE -> BooleanNode.FALSE;
          case PayloadWriter.TRUE -> BooleanNode.TRUE;
          case PayloadWriter.INT -> IntNode.valueOf(in.getInt());
          case PayloadWriter.LONG -> LongNode.valueOf(in.getNumber());
          case PayloadWriter.BIG_INTEGER -> BigIntegerNode.valueOf(new BigInteger(in.getBytes()));
          case PayloadWriter.DOUBLE -> DoubleNode.valueOf(Double.longBitsToDouble(in.getLong()));
          case PayloadWriter.FLOAT -> FloatNode.valueOf(Float.intBitsToFloat(in.getInt()));
          case PayloadWriter.DECIMAL -> decimal(in.getInt());
          case PayloadWriter.TEXT -> TextNode.valueOf(in.getPresentText());
          case PayloadWriter.ARRAY -> array(in.getSize());
          case PayloadWriter.OBJECT -> object(in.getSize());
          default ->
              throw new IllegalArgumentException("expected a JSON value, found kind " + kind);
        };
    if (PayloadWriter.isShared(json)) {
      read.add(json);
    }
    return json;
  }

  private JsonNode again() {
    int number = in.getCount();
    if (number >= read.size()) {
      throw new IllegalArgumentException(
          "expected one of " + read.size() + " values read before, found number " + number);
    }
    return read.get(number);
  }

  private JsonNode decimal(int scale) {
    return DecimalNode.valueOf(new BigDecimal(new BigInteger(in.getBytes()), scale));
  }

  private JsonNode array(int size) {
    ArrayNode array = new ArrayNode(JsonNodeFactory.instance, size);
    open.push(new Open(array, size));
    return array;
  }

  private JsonNode object(int size) {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    open.push(new Open(object, size));
    return object;
  }
}
