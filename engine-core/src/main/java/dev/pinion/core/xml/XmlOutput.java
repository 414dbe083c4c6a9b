package dev.pinion.core.xml;

import java.nio.charset.Charset;
import java.nio.charset.CharsetEncoder;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The text of a document that is being written, with characters escaped. */
final class XmlOutput {
  private final StringBuilder out = new StringBuilder(256);
  private final Charset charset;
  private final int maxChars;

  /** Null for a charset that has every character. */
  private final @Nullable CharsetEncoder encoder;

  XmlOutput(Charset charset, int maxChars) {
    this.charset = charset;
    this.maxChars = maxChars;
    this.encoder = charset.name().startsWith("UTF-") ? null : charset.newEncoder();
  }

  void declaration() {
    out.append("<?xml version=\"1.0\" encoding=\"").append(charset.name()).append("\"?>");
  }

  void startTag(String name) throws XmlException {
    out.append('<');
    name(name);
  }

  void tagEnd() {
    out.append('>');
  }

  void emptyTagEnd() {
    out.append("/>");
  }

  void endTag(String name) throws XmlException {
    out.append("</").append(name).append('>');
    requireRoom();
  }

  void attribute(String name, String value) throws XmlException {
    out.append(' ');
    name(name);
    out.append("=\"");
    escaped(value, name, true);
    out.append('"');
  }

  /**
   * Writes text.
   *
   * @param name member that it comes from, for messages
   */
  void characters(String text, String name) throws XmlException {
    escaped(text, name, false);
  }

  String text() {
    return out.toString();
  }

  private void name(String name) throws XmlException {
    if (encoder != null && !encoder.canEncode(name)) {
      throw new XmlException(
          "expected names of characters that "
              + charset
              + " has, found \""
              + XmlSyntax.shown(name)
              + "\"; send the XML as utf-8");
    }
    out.append(name);
    requireRoom();
  }

  private void escaped(String text, String name, boolean inAttribute) throws XmlException {
    for (int i = 0; i < text.length(); ) {
      int c = text.codePointAt(i);
      i += Character.charCount(c);
      if (!XmlSyntax.isCharacter(c)) {
        throw new XmlException(
            "expected characters that XML 1.0 has in \""
                + XmlSyntax.shown(name)
                + "\", found U+"
                + String.format(Locale.ROOT, "%04X", c));
      }
      escaped(c, inAttribute);
    }
    requireRoom();
  }

  /** Readers change ends of lines, and in attributes all white space, unless these are escaped. */
  private void escaped(int c, boolean inAttribute) {
    switch (c) {
      case '&' -> out.append("&amp;");
      case '<' -> out.append("&lt;");
      case '>' -> out.append("&gt;");
      case '\r' -> out.append("&#13;");
      default -> {
        boolean reference =
            (inAttribute && (c == '"' || c == '\n' || c == '\t'))
                || (encoder != null && !encoder.canEncode(Character.toString(c)));
        if (reference) {
          out.append("&#").append(c).append(';');
        } else {
          out.appendCodePoint(c);
        }
      }
    }
  }

  private void requireRoom() throws XmlException {
    if (out.length() > maxChars) {
      throw new XmlException("expected XML of at most " + maxChars + " characters, found more");
    }
  }
}
