package dev.pinion.bootstrap.diagram;

/**
 * Width of text by the usual proportions of sans-serif fonts, a little more rather than less. The
 * font of whoever looks at the picture is not known, and must not change it.
 */
final class TextWidth {
  private static final double MARGIN = 1.06;

  private TextWidth() {}

  /** The width of a text in a font of a size. */
  static double of(String text, double size) {
    double ems = text.codePoints().mapToDouble(TextWidth::ems).sum();
    return Math.ceil(ems * size * MARGIN);
  }

  private static double ems(int c) {
    if (c < 0x80) {
      return ascii((char) c);
    }
    boolean wide = (c >= 0x1100 && !Character.isAlphabetic(c)) || Character.isIdeographic(c);
    return wide || c >= 0x3000 ? 1.0 : Character.isUpperCase(c) ? 0.75 : 0.6;
  }

  private static double ascii(char c) {
    return switch (c) {
      case 'i', 'j', 'l', '|', '\'' -> 0.24;
      case ' ', '.', ',', ':', ';', '!', '/', '\\', 'I', 'f', 't', '[', ']' -> 0.3;
      case '(', ')', '-', 'r', '"', '`', '{', '}' -> 0.36;
      case 'm', 'M', '%' -> 0.86;
      case 'w' -> 0.74;
      case 'W', '@' -> 1.0;
      default -> c >= 'A' && c <= 'Z' ? 0.7 : 0.57;
    };
  }
}
