package dev.pinion.bootstrap.history;

import java.nio.charset.StandardCharsets;

/** Texts as every database can hold them. */
final class Text {
  private Text() {}

  /** The text, with a question mark for each character that UTF-8 or a database cannot hold. */
  static String storable(String text) {
    return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8)
        .replace('\0', '?');
  }
}
