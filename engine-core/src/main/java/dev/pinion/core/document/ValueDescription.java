package dev.pinion.core.document;

import com.fasterxml.jackson.databind.JsonNode;

/** Words for a value of a document where another was expected. */
public final class ValueDescription {
  private static final int SHOWN = 60;

  private ValueDescription() {}

  /** A value in a few words. */
  public static String describe(JsonNode json) {
    return switch (json.getNodeType()) {
      case STRING -> "\"" + shorten(json.textValue()) + "\"";
      case NUMBER -> "the number " + shorten(json.asText());
      case BOOLEAN -> "the boolean " + json.asText();
      case ARRAY -> json.isEmpty() ? "an empty array" : "an array";
      case OBJECT -> json.isEmpty() ? "an empty object" : "an object";
      default -> "null";
    };
  }

  /** The beginning of a text that may be long. */
  public static String shorten(String text) {
    return text.length() <= SHOWN
        ? text
        : text.substring(0, text.offsetByCodePoints(0, SHOWN / 2)) + "…";
  }
}
