package dev.pinion.handlers.remote.protocol;

/** Number of the bytes of a text in UTF-8, which allows no half of a surrogate pair. */
final class Utf8Length {
  private Utf8Length() {}

  static int of(String text) throws MalformedFrameException {
    int bytes = text.length();
    for (int i = 0; i < text.length(); i++) {
      char unit = text.charAt(i);
      if (unit < 0x80) {
        continue;
      }
      bytes += unit < 0x800 ? 1 : 2;
      if (Character.isSurrogate(unit)) {
        i++;
        if (!Character.isHighSurrogate(unit)
            || i == text.length()
            || !Character.isLowSurrogate(text.charAt(i))) {
          throw new MalformedFrameException(
              "expected text that UTF-8 can write, found half a character");
        }
      }
    }
    return bytes;
  }
}
