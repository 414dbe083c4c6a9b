package dev.pinion.core.xml;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * JSON form, XML, JSON form: the same value, from random ones of the documented subset. {@code
 * -Dpinion.seed=N} runs one seed.
 */
class XmlRoundTripTest {
  private static final int SEEDS = 2_000;
  private static final List<Charset> CHARSETS =
      List.of(
          StandardCharsets.UTF_8,
          StandardCharsets.UTF_16,
          StandardCharsets.UTF_16LE,
          StandardCharsets.ISO_8859_1,
          StandardCharsets.US_ASCII);
  private static final String TEXTS = "ab<>&\"' \t\n\r]-%#@\u0085\u00a0\u00fc\u20ac\u2028\ufffd";

  @Test
  void shouldComeBackAsItWas() throws Exception {
    Long only = Long.getLong("pinion.seed");
    for (long seed = only == null ? 0 : only; seed < (only == null ? SEEDS : only + 1); seed++) {
      Random random = new Random(seed);
      JsonNode value = document(random);
      Charset charset = CHARSETS.get(random.nextInt(CHARSETS.size()));
      String document = XmlWriter.write(value, charset, 1 << 24);
      ByteBuffer bytes = ByteBuffer.wrap(document.getBytes(charset));
      JsonNode back =
          new XmlReader(XmlForm.PLAIN, new XmlReader.XmlBounds(100, "maxDepth", 64 << 20))
              .read(bytes, null)
              .json();
      assertEquals(value, back, "seed " + seed + ": " + document);
    }
  }

  private static JsonNode document(Random random) {
    ObjectNode document = JsonNodeFactory.instance.objectNode();
    JsonNode root = element(random, 0);
    if (root instanceof ObjectNode object) {
      object.put("@xmlns:p", "urn:p");
    }
    return document.set(root.isObject() ? "p:root" : "root", root);
  }

  private static JsonNode element(Random random, int depth) {
    int kind = random.nextInt(depth > 4 ? 3 : 8);
    if (kind == 0 && depth > 0) {
      return NullNode.getInstance();
    }
    if (kind == 1 && depth > 0) {
      return TextNode.valueOf(text(random, true));
    }
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    for (int i = random.nextInt(3); i > 0; i--) {
      object.put("@" + name(random), text(random, random.nextBoolean()));
    }
    boolean hasElements = depth <= 4 && random.nextBoolean();
    if (hasElements) {
      for (int i = 1 + random.nextInt(4); i > 0; i--) {
        object.set(
            name(random),
            random.nextInt(3) == 0 ? items(random, depth) : element(random, depth + 1));
      }
    }
    if (object.isEmpty() || random.nextInt(3) == 0) {
      object.put("#text", hasElements ? "x" + text(random, false) : text(random, true));
    }
    boolean isTextOnly = object.size() == 1 && object.has("#text");
    return isTextOnly ? object.get("#text") : object;
  }

  private static ArrayNode items(Random random, int depth) {
    ArrayNode items = JsonNodeFactory.instance.arrayNode();
    for (int i = 2 + random.nextInt(3); i > 0; i--) {
      items.add(element(random, depth + 1));
    }
    return items;
  }

  private static String name(Random random) {
    String[] names = {"a", "b", "c-d", "e.f", "_g1", "item", "xml:lang"};
    return names[random.nextInt(names.length)];
  }

  /** A text that is not empty where that would be null. */
  private static String text(Random random, boolean some) {
    StringBuilder text = new StringBuilder();
    for (int i = (some ? 1 : 0) + random.nextInt(12); i > 0; i--) {
      if (random.nextInt(20) == 0) {
        text.append("\ud83d\ude00");
      } else {
        text.append(TEXTS.charAt(random.nextInt(TEXTS.length())));
      }
    }
    return text.toString();
  }
}
