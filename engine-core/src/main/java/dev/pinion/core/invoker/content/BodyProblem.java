package dev.pinion.core.invoker.content;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;
import java.util.Map;

/** Descriptions of values that cannot be sent. */
final class BodyProblem {
  private static final int SHOWN_CHARS = 60;

  private BodyProblem() {}

  static InvalidBodyException expected(String expected, MediaType mediaType, JsonNode found) {
    return new InvalidBodyException(
        "expected "
            + expected
            + " as body of type "
            + mediaType.essence()
            + ", found "
            + kind(found));
  }

  static InvalidBodyException tooLong(String what, int maxBytes) {
    return new InvalidBodyException(
        "expected "
            + what
            + " of at most "
            + maxBytes
            + " bytes (invoker.maxRequestBytes), found a longer one");
  }

  /** A value for messages. */
  static String kind(JsonNode value) {
    if (value.isObject()) {
      return value.isEmpty() ? "an empty object" : "an object with \"" + firstName(value) + "\"";
    }
    String kind = value.getNodeType().name().toLowerCase(Locale.ROOT);
    return value.isArray() ? "an array" : value.isNull() ? "null" : "a " + kind;
  }

  /** A name for messages. */
  static String shown(String name) {
    String start = name.length() > SHOWN_CHARS ? name.substring(0, SHOWN_CHARS) + "..." : name;
    return start.replaceAll("\\p{Cntrl}", "?");
  }

  private static String firstName(JsonNode object) {
    String name = object.fieldNames().next();
    for (Map.Entry<String, JsonNode> member : object.properties()) {
      if (member.getValue().isContainerNode()) {
        name = member.getKey();
        break;
      }
    }
    return shown(name);
  }
}
