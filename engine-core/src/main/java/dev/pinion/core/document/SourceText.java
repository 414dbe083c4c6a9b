package dev.pinion.core.document;

import java.util.Arrays;

/** The text of a definition: turns offsets of its characters into lines and columns. */
public final class SourceText {
  /**
   * A place in the text as an editor shows it.
   *
   * @param line from 1
   * @param column from 1, in code points
   */
  public record Position(int line, int column) {}

  private final String text;
  private int[] lineStarts = {};

  public SourceText(String text) {
    this.text = text;
  }

  public String text() {
    return text;
  }

  /** The position of a character; of the end of the text for an offset beyond it. */
  public Position at(int offset) {
    if (lineStarts.length == 0) {
      lineStarts = lineStarts();
    }
    int end = Math.clamp(offset, 0, text.length());
    int found = Arrays.binarySearch(lineStarts, end);
    int line = found >= 0 ? found : -found - 2;
    return new Position(line + 1, text.codePointCount(lineStarts[line], end) + 1);
  }

  private int[] lineStarts() {
    int[] starts = new int[16];
    int lines = 1;
    for (int i = 0; i < text.length(); i++) {
      if (endsLine(i)) {
        if (lines == starts.length) {
          starts = Arrays.copyOf(starts, lines * 2);
        }
        starts[lines++] = i + 1;
      }
    }
    return Arrays.copyOf(starts, lines);
  }

  private boolean endsLine(int i) {
    char c = text.charAt(i);
    boolean beforeLineFeed = i + 1 < text.length() && text.charAt(i + 1) == '\n';
    return c == '\n' || (c == '\r' && !beforeLineFeed);
  }
}
