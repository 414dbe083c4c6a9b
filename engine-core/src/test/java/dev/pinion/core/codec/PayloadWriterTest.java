package dev.pinion.core.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BigIntegerNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.FloatNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.POJONode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.pinion.core.model.Payload;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Payloads are read exactly as they were, including the kind of each number. */
class PayloadWriterTest {
  private static Payload again(Payload payload) {
    return again(List.of(payload)).getFirst();
  }

  private static List<Payload> again(List<Payload> payloads) {
    ByteReader in = new ByteReader(bytes(payloads));
    PayloadReader reader = new PayloadReader(in);
    List<Payload> read = payloads.stream().map(each -> reader.get()).toList();
    in.expectEnd();
    return read;
  }

  private static byte[] bytes(List<Payload> payloads) {
    ByteWriter out = new ByteWriter();
    PayloadWriter writer = new PayloadWriter(out);
    payloads.forEach(writer::put);
    return out.toBytes();
  }

  static Stream<JsonNode> scalars() {
    return Stream.of(
        IntNode.valueOf(0),
        IntNode.valueOf(Integer.MIN_VALUE),
        IntNode.valueOf(Integer.MAX_VALUE),
        LongNode.valueOf(3),
        LongNode.valueOf(Long.MIN_VALUE),
        LongNode.valueOf(Long.MAX_VALUE),
        DoubleNode.valueOf(3.0),
        DoubleNode.valueOf(-0.0),
        DoubleNode.valueOf(0.1),
        DoubleNode.valueOf(Double.MIN_VALUE),
        FloatNode.valueOf(1.5f),
        BigIntegerNode.valueOf(BigInteger.ONE),
        BigIntegerNode.valueOf(BigInteger.TEN.pow(500).negate()),
        DecimalNode.valueOf(new BigDecimal("1.50")),
        JsonNodeFactory.instance.booleanNode(true),
        JsonNodeFactory.instance.booleanNode(false),
        JsonNodeFactory.instance.nullNode(),
        TextNode.valueOf(""),
        TextNode.valueOf("grün 😀"),
        TextNode.valueOf("half \ud83d of a pair"),
        TextNode.valueOf("\ude00"),
        TextNode.valueOf("\ude00\ud83d the wrong way"),
        TextNode.valueOf("x".repeat(100_000)));
  }

  @ParameterizedTest
  @MethodSource("scalars")
  void shouldKeepScalars(JsonNode scalar) {
    JsonNode read = again(Payload.of(scalar)).json();

    assertSame(scalar.getClass(), read.getClass());
    assertEquals(scalar, read);
    assertEquals(scalar.toString(), read.toString());
  }

  @Test
  void shouldKeepTheOrderOfMembersAndTheirNames() {
    Payload read =
        again(
            Payload.of(
                JsonNodeFactory.instance
                    .objectNode()
                    .put("z", 1)
                    .put("a", 2.0)
                    .put("\ud83d", 3L)
                    .set("", JsonNodeFactory.instance.arrayNode().add(4).addNull())));

    assertEquals("{\"z\":1,\"a\":2.0,\"\ud83d\":3,\"\":[4,null]}", read.toString());
    assertEquals(LongNode.valueOf(3), read.json().get("\ud83d"));
  }

  @Test
  void shouldWriteOnceWhatIsShared() {
    Payload text = Payload.of("x".repeat(1_000));
    Payload pair = Payload.array(List.of(text, text));
    List<Payload> payloads = List.of(text, pair, Payload.object(Map.of("p", pair)), text);

    List<Payload> read = again(payloads);

    assertEquals(payloads, read);
    assertSame(read.get(0), read.get(3));
    assertSame(read.get(1).json(), read.get(2).json().get("p"));
    assertTrue(bytes(payloads).length < 1_100, "bytes: " + bytes(payloads).length);
  }

  /** As JSON this would be 2 to the power of 100 items. */
  @Test
  void shouldGoByTheMemoryThatSharedPartsTake() {
    JsonNode doubled = JsonNodeFactory.instance.arrayNode();
    for (int i = 0; i < 100; i++) {
      doubled = new ArrayNode(JsonNodeFactory.instance).add(doubled).add(doubled);
    }
    assertTrue(bytes(List.of(Payload.of(doubled))).length < 1_000);
    assertSame(again(Payload.of(doubled)).json().get(0).getClass(), ArrayNode.class);
  }

  @Test
  void shouldNotRecurse() {
    JsonNode nested = JsonNodeFactory.instance.arrayNode();
    for (int i = 0; i < 200_000; i++) {
      nested = new ArrayNode(JsonNodeFactory.instance).add(nested);
    }

    JsonNode read = again(Payload.of(nested)).json();

    int depth = 0;
    for (JsonNode at = read; at != null; at = at.get(0)) {
      depth++;
    }
    assertEquals(200_001, depth);
  }

  @Test
  void shouldRefuseWhatIsNoJson() {
    Payload pojo = Payload.of(new POJONode("x"));

    assertThrows(IllegalArgumentException.class, () -> bytes(List.of(pojo)));
  }

  @Test
  void shouldRefuseBytesCutOff() {
    byte[] bytes = bytes(List.of(Payload.array(List.of(Payload.of("abc"), Payload.of(1.5)))));
    for (int length = 0; length < bytes.length; length++) {
      byte[] cut = java.util.Arrays.copyOf(bytes, length);
      assertThrows(
          IllegalArgumentException.class, () -> new PayloadReader(new ByteReader(cut)).get());
    }
  }

  @Test
  void shouldKeepNumbersOfAnySize() {
    ByteWriter out = new ByteWriter();
    long[] numbers = {0, -1, 1, 63, 64, -65, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 62};
    for (long number : numbers) {
      out.putNumber(number);
    }
    out.putText(null);
    ByteReader in = new ByteReader(out.toBytes());

    for (long number : numbers) {
      assertEquals(number, in.getNumber());
    }
    assertEquals(null, in.getText());
    in.expectEnd();
  }
}
