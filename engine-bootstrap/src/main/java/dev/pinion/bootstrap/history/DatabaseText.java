package dev.pinion.bootstrap.history;

import java.nio.charset.StandardCharsets;

/** Texts that every database can store. */
final class DatabaseText {
  private DatabaseText() {}

  /** The text, with a question mark for each character that UTF-8 or a database cannot store. */
  static String storable(String text) {
    return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8)
        .replace('\0', '?');
  }
}
