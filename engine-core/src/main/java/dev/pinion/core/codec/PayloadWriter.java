package dev.pinion.core.codec;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BigIntegerNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.FloatNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.pinion.core.model.Payload;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.Map;

/**
 * Writer of payloads from which {@link PayloadReader} makes exactly the same: with the same kinds
 * of numbers, which JSON does not keep, and with the same shared parts. So the size depends on the
 * memory of the payloads and not on their JSON.
 *
 * <p>Not recursive. One writer and one reader handle the payloads of one document, in order.
 */
public final class PayloadWriter {
  static final byte NULL = 0;
  static final byte FALSE = 1;
  static final byte TRUE = 2;
  static final byte INT = 3;
  static final byte LONG = 4;
  static final byte BIG_INTEGER = 5;
  static final byte DOUBLE = 6;
  static final byte FLOAT = 7;
  static final byte DECIMAL = 8;
  static final byte TEXT = 9;
  static final byte ARRAY = 10;
  static final byte OBJECT = 11;
  static final byte AGAIN = 12;

  /** Length below which texts are written each time. */
  private static final int LEAST_SHARED_CHARS = 8;

  /** Size below which containers with short parts are written each time. */
  private static final int TINY_SIZE = 4;

  private final ByteWriter out;
  private final IdentityHashMap<JsonNode, Integer> written = new IdentityHashMap<>();
  private int numbered;
  private final Deque<Iterator<?>> open = new ArrayDeque<>();

  /** A writer of payloads within other data. */
  public PayloadWriter(ByteWriter out) {
    this.out = out;
  }

  /** Writes a payload. */
  public void put(Payload payload) {
    add(payload.json());
    for (Iterator<?> rest = open.peek(); rest != null; rest = open.peek()) {
      if (rest.hasNext()) {
        next(rest.next());
      } else {
        open.pop();
      }
    }
  }

  private void next(Object part) {
    switch (part) {
      case Map.Entry<?, ?> member -> {
        out.putText((String) member.getKey());
        add((JsonNode) member.getValue());
      }
      case JsonNode item -> add(item);
      default -> throw new IllegalStateException("expected a part of a JSON value, found " + part);
    }
  }

  private void add(JsonNode json) {
    if (isTiny(json)) {
      numbered++;
    } else if (isShared(json)) {
      Integer number = written.putIfAbsent(json, numbered);
      if (number == null) {
        numbered++;
      } else {
        out.putByte(AGAIN);
        out.putCount(number);
        return;
      }
    }
    write(json);
  }

  /** Whether a value gets a number, in the order of writing, for later references. */
  static boolean isShared(JsonNode json) {
    return json.isContainerNode()
        || (json instanceof TextNode text && text.textValue().length() >= LEAST_SHARED_CHARS);
  }

  /**
   * Whether a container is written each time, although it has a number: looking up many tiny ones
   * costs more than writing them.
   */
  private static boolean isTiny(JsonNode json) {
    if (!json.isContainerNode() || json.size() > TINY_SIZE) {
      return false;
    }
    for (JsonNode part : json) {
      if (isShared(part)) {
        return false;
      }
    }
    return true;
  }

  private void write(JsonNode json) {
    switch (json) {
      case NullNode _ -> out.putByte(NULL);
      case BooleanNode bool -> out.putByte(bool.booleanValue() ? TRUE : FALSE);
      case IntNode number -> putNumber(INT, number.longValue());
      case LongNode number -> putNumber(LONG, number.longValue());
      case DoubleNode number -> putBits(DOUBLE, Double.doubleToRawLongBits(number.doubleValue()));
      case FloatNode number -> putNumber(FLOAT, Float.floatToRawIntBits(number.floatValue()));
      case BigIntegerNode number -> {
        out.putByte(BIG_INTEGER);
        out.putBytes(number.bigIntegerValue().toByteArray());
      }
      case DecimalNode number -> {
        putNumber(DECIMAL, number.decimalValue().scale());
        out.putBytes(number.decimalValue().unscaledValue().toByteArray());
      }
      case TextNode text -> {
        out.putByte(TEXT);
        out.putText(text.textValue());
      }
      default -> writeContainer(json);
    }
  }

  private void putNumber(byte kind, long number) {
    out.putByte(kind);
    out.putNumber(number);
  }

  private void putBits(byte kind, long bits) {
    out.putByte(kind);
    out.putLong(bits);
  }

  private void writeContainer(JsonNode json) {
    if (!json.isContainerNode()) {
      throw new IllegalArgumentException(
          "expected a JSON value, found " + json.getClass().getSimpleName());
    }
    out.putByte(json.isObject() ? OBJECT : ARRAY);
    out.putCount(json.size());
    open.push(json.isObject() ? json.properties().iterator() : json.iterator());
  }
}
