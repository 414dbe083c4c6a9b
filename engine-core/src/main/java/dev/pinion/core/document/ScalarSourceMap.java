package dev.pinion.core.document;

import dev.pinion.core.document.SourceNode.Form;
import dev.pinion.core.document.SourceNode.Scalar;
import org.jspecify.annotations.Nullable;

/**
 * Finds a character of a scalar's value in the text of its document.
 *
 * <p>Quotes, escapes, indentation and line folding change white space and nothing else, so the n-th
 * visible character of the value is the n-th visible character of the unescaped text.
 */
public final class ScalarSourceMap {
  private final String text;
  private final Form form;
  private int at;
  private int pending;

  private ScalarSourceMap(String text, Scalar scalar) {
    this.text = text;
    this.form = scalar.form();
    this.at = start(text, scalar);
  }

  /** The offset in the document of a character of a scalar's value. */
  public static int offset(String text, Scalar scalar, int index) {
    String value = scalar.json().asText();
    int end = Math.clamp(index, 0, value.length());
    boolean atEnd = end == value.length() || isBlank(value.charAt(end));
    ScalarSourceMap walk = new ScalarSourceMap(text, scalar);
    int found = walk.at;
    for (int i = 0; i <= end; i++) {
      if (i == end && atEnd) {
        return walk.at + blanksBefore(value, end);
      }
      if (!isBlank(value.charAt(i))) {
        found = walk.nextVisible();
      }
    }
    return found;
  }

  /** Blanks of the same line directly before a place: they are the same in text and value. */
  private static int blanksBefore(String value, int end) {
    int blanks = 0;
    while (blanks < end && value.charAt(end - blanks - 1) == ' ') {
      blanks++;
    }
    return blanks;
  }

  private static int start(String text, Scalar scalar) {
    int offset = scalar.offset();
    return switch (scalar.form()) {
      case PLAIN, ABSENT -> offset;
      case SINGLE_QUOTED, DOUBLE_QUOTED -> offset + 1;
      case BLOCK -> {
        int lineEnd = text.indexOf('\n', offset);
        yield lineEnd < 0 ? text.length() : lineEnd + 1;
      }
    };
  }

  /** Walks past the next visible character and returns its position. */
  private int nextVisible() {
    if (pending > 0) {
      pending--;
      return at;
    }
    while (at < text.length()) {
      int here = at;
      char c = text.charAt(at);
      if (c == '\\' && form == Form.DOUBLE_QUOTED) {
        if (escape(here)) {
          return here;
        }
      } else {
        at += c == '\'' && form == Form.SINGLE_QUOTED ? 2 : 1;
        if (!isBlank(c)) {
          return here;
        }
      }
    }
    return text.length();
  }

  /** Walks past an escape; returns whether it stands for something visible. */
  private boolean escape(int backslash) {
    char kind = backslash + 1 < text.length() ? text.charAt(backslash + 1) : ' ';
    int digits = kind == 'x' ? 2 : kind == 'u' ? 4 : kind == 'U' ? 8 : 0;
    at = Math.min(text.length(), backslash + 2 + digits);
    Integer code = digits == 0 ? null : code(backslash + 2);
    if (code != null && code > Character.MAX_VALUE) {
      pending = 1;
    }
    return code != null ? !isBlank((char) (int) code) : "abefv0NLP_\"/\\".indexOf(kind) >= 0;
  }

  private @Nullable Integer code(int from) {
    try {
      return Integer.parseInt(text, from, at, 16);
    } catch (NumberFormatException e) {
      return null;
    }
  }

  private static boolean isBlank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
  }
}
