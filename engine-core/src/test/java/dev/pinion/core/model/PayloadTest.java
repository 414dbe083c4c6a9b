package dev.pinion.core.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.codec.PayloadSyntaxException;
import dev.pinion.core.limits.EngineLimits;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PayloadTest {
  private static final PayloadCodec CODEC = new PayloadCodec(EngineLimits.defaults().json());
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private static Payload json(String text) {
    byte[] bytes = text.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    try {
      return CODEC.read(bytes, 0, bytes.length);
    } catch (PayloadSyntaxException e) {
      throw new IllegalArgumentException(text, e);
    }
  }

  @Test
  void shouldBeEqualToWhatIsReadOfItsText() {
    Map<String, Payload> members = new LinkedHashMap<>();
    members.put("a", Payload.of(1));
    members.put("b", Payload.of(1L << 40));
    members.put("c", Payload.of("text"));
    members.put("d", Payload.of(true));
    members.put("e", Payload.of(1.5));
    members.put("f", Payload.array(List.of(Payload.NULL, Payload.FALSE, Payload.EMPTY_OBJECT)));
    Payload made = Payload.object(members);

    assertEquals(made, json(made.toString()));
    assertEquals(made.hashCode(), json(made.toString()).hashCode());
  }

  @Test
  void shouldBeNullForNothing() {
    assertSame(Payload.NULL, Payload.of(JSON.nullNode()));
    assertSame(Payload.NULL, Payload.of(MissingNode.getInstance()));
    assertTrue(Payload.NULL.isNull());
    assertFalse(Payload.of(0).isNull());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'a':1}         | {'a':1}                 |                 | {'a':1}",
        "{'a':1}         | {'a':2}                 | {'a':1}         | {'a':2}",
        "{'a':1}         | {'a':1}                 | {'a':2}         | {'a':2}",
        "{'a':1}         | {'a':2}                 | {'a':3}         | {'a':3}",
        "{'a':1}         | {'a':1,'b':1}           | {'a':1,'c':1}   | {'a':1,'b':1,'c':1}",
        "{'a':1,'b':1}   | {'a':1}                 | {'b':1}         | {}",
        "{'a':1,'b':1}   | {'a':1}                 | {'a':1,'b':2}   | {'a':1,'b':2}",
        "{'a':1}         | {}                      | {'a':1,'b':1}   | {'b':1}",
        "{'a':{'x':1}}   | {'a':{'x':1,'y':1}}     | {'a':{'x':1,'z':1}} | {'a':{'x':1,'z':1}}",
        "{'a':1}         | [1]                     | {'a':1}         | [1]",
        "{'a':1}         | {'b':1}                 | 'gone'          | 'gone'",
        "{'a':1}         | [1]                     | {'b':1}         | {'b':1}",
        "null            | {'a':1}                 | {'b':2}         | {'a':1,'b':2}",
        "5               | 5                       | 5               | 5",
        "{'a':null}      | {}                      | {'a':null}      | {}",
        "{'a':1}         | {'a':null}              |                 | {'a':null}",
      })
  void shouldMergeWhatBranchesChanged(String before, String first, String second, String expected) {
    List<Payload> branches = new ArrayList<>(List.of(json(first)));
    if (second != null) {
      branches.add(json(second));
    }
    Payload begin = json(before);

    assertEquals(json(expected), Payload.merge(begin, branches));
    assertEquals(json(before), begin, "the value that the branches began with is unchanged");
  }

  @Test
  void shouldMergeNothing() {
    Payload before = json("{'a':1}");

    assertSame(before, Payload.merge(before, List.of()));
  }

  @Test
  void shouldWeighAboutWhatItsTextHas() {
    long seed = 99;
    Random random = new Random(seed);
    for (int i = 0; i < 2_000; i++) {
      Payload value = Payload.of(tree(random, 5));
      double real = value.toString().getBytes(StandardCharsets.UTF_8).length;
      double ratio = value.weight() / real;
      assertTrue(ratio > 0.3 && ratio < 4.5, "seed " + seed + ": " + ratio + " of " + value);
    }
  }

  private static JsonNode tree(Random random, int depth) {
    return switch (random.nextInt(depth > 0 ? 8 : 5)) {
      case 0 -> JSON.numberNode(random.nextInt() >> random.nextInt(31));
      case 1 -> JSON.numberNode(random.nextGaussian());
      case 2 -> JSON.booleanNode(random.nextBoolean());
      case 3 -> JSON.textNode("é".repeat(random.nextInt(20)));
      case 4 -> JSON.numberNode(new BigInteger(random.nextInt(2_000), random));
      case 5 -> {
        ArrayNode array = JSON.arrayNode();
        for (int i = random.nextInt(6); i > 0; i--) {
          array.add(tree(random, depth - 1));
        }
        yield array;
      }
      default -> {
        ObjectNode object = JSON.objectNode();
        for (int i = random.nextInt(6); i > 0; i--) {
          object.set("key" + i, tree(random, depth - 1));
        }
        yield object;
      }
    };
  }

  @Test
  void shouldWeighAnArrayOfPayloadsAsIfItWereRead() {
    List<Payload> items = Arrays.asList(json("[1,{'a':'b'}]"), json("'x'"), json("null"));
    Payload read = json("[[1,{'a':'b'}],'x',null]");
    items.forEach(item -> assertTrue(item.isWithin(100, 100, Integer.MAX_VALUE)));

    for (Payload array : List.of(Payload.array(items), read)) {
      assertEquals(read.weight(), array.weight());
      assertTrue(array.isWithin(array.weight(), 3, Integer.MAX_VALUE));
      assertFalse(array.isWithin(array.weight() - 1, 3, Integer.MAX_VALUE));
      assertFalse(array.isWithin(array.weight(), 2, Integer.MAX_VALUE));
    }
    assertTrue(Payload.array(List.of()).isWithin(2, 1, Integer.MAX_VALUE));
    assertFalse(Payload.array(List.of()).isWithin(2, 0, Integer.MAX_VALUE));
    assertTrue(Payload.of(1).isWithin(1, 0, Integer.MAX_VALUE));
  }

  @Test
  void shouldTellThatASharedTreeIsTooLargeWithoutWritingItOut() {
    // given a tree of 200 arrays that represents 2 to the power of 200 elements
    JsonNode tree = JSON.arrayNode();
    for (int i = 0; i < 200; i++) {
      tree = JSON.arrayNode().add(tree).add(tree);
    }

    assertFalse(Payload.of(tree).isWithin(1_000_000, Integer.MAX_VALUE, Integer.MAX_VALUE));
    assertFalse(Payload.of(tree).isWithin(1_000_000, 199, Integer.MAX_VALUE));
  }

  @Test
  void shouldMeasureADepthBeyondAnyStack() {
    JsonNode tree = JSON.arrayNode();
    for (int i = 1; i < 100_000; i++) {
      tree = JSON.arrayNode().add(tree);
    }

    assertFalse(Payload.of(tree).isWithin(Integer.MAX_VALUE, 99_999, Integer.MAX_VALUE));
    assertTrue(Payload.of(tree).isWithin(Integer.MAX_VALUE, 100_000, Integer.MAX_VALUE));
    assertEquals(299_999, Payload.of(tree).weight());
  }
}
