package dev.pinion.handlers.api;

import java.util.ArrayList;
import java.util.List;

/** JSON pointers (RFC 6901) as text and as lists of names. */
final class JsonPointer {
  private JsonPointer() {}

  static List<String> parse(String pointer) {
    if (pointer.isEmpty()) {
      return List.of();
    }
    if (pointer.charAt(0) != '/') {
      throw malformed(pointer);
    }
    List<String> path = new ArrayList<>();
    for (String token : pointer.substring(1).split("/", -1)) {
      if (token.matches("(?s).*~([^01].*)?")) {
        throw malformed(pointer);
      }
      path.add(token.replace("~1", "/").replace("~0", "~"));
    }
    return List.copyOf(path);
  }

  static String of(List<String> path) {
    StringBuilder pointer = new StringBuilder();
    for (String name : path) {
      pointer.append('/').append(name.replace("~", "~0").replace("/", "~1"));
    }
    return pointer.toString();
  }

  private static IllegalArgumentException malformed(String pointer) {
    return new IllegalArgumentException(
        "expected a JSON pointer such as /order/total, or nothing for the whole, found \""
            + pointer
            + "\"");
  }
}
