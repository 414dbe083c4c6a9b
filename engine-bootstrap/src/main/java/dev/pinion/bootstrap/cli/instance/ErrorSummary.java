package dev.pinion.bootstrap.cli.instance;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** Text of an instance's error in one line, the most important part first. */
final class ErrorSummary {
  private ErrorSummary() {}

  /**
   * Detail, title and task of an error, as far as present.
   *
   * @param error problem details (RFC 9457), or anything else
   * @param most most characters of the text
   */
  static String of(JsonNode error, int most) {
    if (!error.isObject()) {
      return line(error.isTextual() ? error.asText() : error.toString(), most);
    }
    List<String> parts = new ArrayList<>();
    for (String member : List.of("detail", "title", "instance")) {
      if (error.path(member).isTextual()) {
        parts.add(error.get(member).asText());
      }
    }
    return line(parts.isEmpty() ? error.toString() : String.join("; ", parts), most);
  }

  /** A text without line breaks, truncated if longer. */
  static String line(String text, int most) {
    String line = text.replaceAll("\\p{Cntrl}", " ");
    return line.length() <= most ? line : line.substring(0, most) + "…";
  }
}
