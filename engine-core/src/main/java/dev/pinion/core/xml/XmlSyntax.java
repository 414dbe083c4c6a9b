package dev.pinion.core.xml;

/** Names, characters and white space of XML 1.0. */
final class XmlSyntax {
  /** Most characters of a name. */
  static final int MAX_NAME_CHARS = 1_000;

  private XmlSyntax() {}

  /** Whether a text is a name with at most one colon, which is neither first nor last. */
  static boolean isQualifiedName(String text) {
    int colon = text.indexOf(':');
    return colon < 0
        ? isPlainName(text, 0, text.length())
        : isPlainName(text, 0, colon) && isPlainName(text, colon + 1, text.length());
  }

  /** Whether the colons of a name that a parser has checked are those of a qualified name. */
  static boolean hasPlainColon(String name) {
    int colon = name.indexOf(':');
    return colon < 0
        || (colon > 0 && colon < name.length() - 1 && name.indexOf(':', colon + 1) < 0);
  }

  private static boolean isPlainName(String text, int begin, int end) {
    for (int i = begin; i < end; i++) {
      char c = text.charAt(i);
      if (!(isNameStart(c) || (i > begin && isNameRest(c)))) {
        return false;
      }
    }
    return begin < end;
  }

  private static boolean isNameStart(char c) {
    return c == '_' || Character.isLetter(c);
  }

  private static boolean isNameRest(char c) {
    return switch (Character.getType(c)) {
      case Character.DECIMAL_DIGIT_NUMBER,
          Character.NON_SPACING_MARK,
          Character.COMBINING_SPACING_MARK ->
          true;
      default -> c == '-' || c == '.' || c == '\u00b7';
    };
  }

  /** Whether XML 1.0 has a character. */
  static boolean isCharacter(int c) {
    return c == '\t'
        || c == '\n'
        || c == '\r'
        || (c >= 0x20 && c <= 0xd7ff)
        || (c >= 0xe000 && c <= 0xfffd)
        || c >= 0x10000;
  }

  /** Whether a text is white space only. */
  static boolean isBlank(CharSequence text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c != ' ' && c != '\t' && c != '\n' && c != '\r') {
        return false;
      }
    }
    return true;
  }

  /** A name for messages. */
  static String shown(String name) {
    String start = name.length() > 60 ? name.substring(0, 60) + "..." : name;
    return start.replaceAll("\\p{Cntrl}", "?");
  }
}
