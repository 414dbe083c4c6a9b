package dev.pinion.core.diagram;

/** Texts of definitions as labels: one line that no picture or terminal reads as anything else. */
final class LabelText {
  private static final int REPLACEMENT = 0xFFFD;

  private LabelText() {}

  /**
   * A text as a label.
   *
   * @param most most characters; a longer text ends with an ellipsis
   */
  static String of(String text, int most) {
    StringBuilder label = new StringBuilder();
    boolean gap = false;
    int length = 0;
    for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
      int c = text.codePointAt(i);
      if (Character.isWhitespace(c) || Character.isSpaceChar(c)) {
        gap = length > 0;
        continue;
      }
      length += gap ? 2 : 1;
      if (length > most) {
        return label.append('…').toString();
      }
      if (gap) {
        label.append(' ');
        gap = false;
      }
      label.appendCodePoint(isHarmless(c) ? c : REPLACEMENT);
    }
    return label.toString();
  }

  /** Not those that XML forbids, nor those that change the direction of what follows. */
  private static boolean isHarmless(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL, Character.SURROGATE, Character.UNASSIGNED, Character.PRIVATE_USE ->
          false;
      case Character.FORMAT -> (c < 0x202A || c > 0x202E) && (c < 0x2066 || c > 0x2069);
      default -> true;
    };
  }
}
