package dev.pinion.broker.document;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.broker.document.DocumentDiagnostics.Position;
import dev.pinion.core.codec.JsonNumbers;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/** A JSON text as a tree with the positions of its values. */
final class LocatedJson {
  private static final JsonNodeFactory NODES = JsonNumbers.FINITE;

  /** Estimated heap bytes of a value, with its pointer and its position. */
  private static final int VALUE_BYTES = 400;

  private static final int PARTS_OF_HEAP = 2;

  private final Map<String, Position> positions = new HashMap<>();
  private final LocatedValue root;
  private final long maxValues;

  private LocatedJson(JsonParser parser, long maxValues) throws IOException {
    this.maxValues = maxValues;
    parser.nextToken();
    root = new LocatedValue(value(parser, ""), "");
    if (parser.nextToken() != null) {
      throw new JsonProcessingException(
          "expected the end of the document, found more", parser.currentTokenLocation()) {
        private static final long serialVersionUID = 1L;
      };
    }
  }

  /**
   * Reads a text.
   *
   * @throws JsonProcessingException when it is not JSON, a key occurs twice, it is nested too deep,
   *     or it has more values than fit half of the heap
   */
  static LocatedJson of(byte[] text, int maxDepth) throws IOException {
    return of(text, maxDepth, Runtime.getRuntime().maxMemory() / PARTS_OF_HEAP / VALUE_BYTES);
  }

  static LocatedJson of(byte[] text, int maxDepth, long maxValues) throws IOException {
    JsonFactory factory =
        JsonFactory.builder()
            .streamReadConstraints(
                StreamReadConstraints.builder().maxNestingDepth(maxDepth).build())
            .build();
    try (JsonParser parser = factory.createParser(text)) {
      return new LocatedJson(parser, maxValues);
    }
  }

  LocatedValue root() {
    return root;
  }

  Map<String, Position> positions() {
    return positions;
  }

  private JsonNode value(JsonParser parser, String pointer) throws IOException {
    if (positions.size() >= maxValues) {
      throw new JsonProcessingException(
          "more than " + maxValues + " values, which do not fit the heap of this process",
          parser.currentTokenLocation()) {
        private static final long serialVersionUID = 1L;
      };
    }
    JsonLocation at = parser.currentTokenLocation();
    positions.put(pointer, new Position(at.getLineNr(), at.getColumnNr()));
    JsonToken token = parser.currentToken();
    if (token == null) {
      return NODES.missingNode();
    }
    return switch (token) {
      case START_OBJECT -> object(parser, pointer);
      case START_ARRAY -> array(parser, pointer);
      case VALUE_STRING -> NODES.textNode(parser.getText());
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> number(parser);
      case VALUE_TRUE -> NODES.booleanNode(true);
      case VALUE_FALSE -> NODES.booleanNode(false);
      default -> NODES.nullNode();
    };
  }

  /** Whole numbers stay whole where they fit, so that messages show them as they were written. */
  private static JsonNode number(JsonParser parser) throws IOException {
    return parser.getNumberType() == JsonParser.NumberType.INT
        ? NODES.numberNode(parser.getIntValue())
        : NODES.numberNode(parser.getDoubleValue());
  }

  private ObjectNode object(JsonParser parser, String pointer) throws IOException {
    ObjectNode object = NODES.objectNode();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String key = parser.currentName();
      String member = new LocatedValue(object, pointer).member(key).pointer();
      if (object.has(key)) {
        throw new JsonProcessingException(
            "each member once, but " + member + " again", parser.currentTokenLocation()) {
          private static final long serialVersionUID = 1L;
        };
      }
      parser.nextToken();
      object.set(key, value(parser, member));
    }
    return object;
  }

  private ArrayNode array(JsonParser parser, String pointer) throws IOException {
    ArrayNode array = NODES.arrayNode();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      array.add(value(parser, pointer + "/" + array.size()));
    }
    return array;
  }
}
