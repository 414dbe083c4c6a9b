package dev.pinion.core.invoker.content;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** A part of {@code multipart/form-data} (RFC 7578). */
final class FormPart {
  private final byte[] head;
  private final byte[] content;

  private FormPart(byte[] head, byte[] content) {
    this.head = head;
    this.content = content;
  }

  /**
   * A part.
   *
   * @param filename name of the file, or null
   * @param contentType media type of the content, or null for that of a plain field
   * @throws InvalidBodyException when a name has characters that no header field can have
   */
  static FormPart of(
      String name, @Nullable String filename, @Nullable String contentType, byte[] content)
      throws InvalidBodyException {
    StringBuilder head = new StringBuilder("Content-Disposition: form-data; name=\"");
    head.append(escaped(lines(name), "the name of a part")).append('"');
    if (filename != null) {
      head.append("; filename=\"").append(escaped(filename, "\"filename\"")).append('"');
    }
    head.append("\r\n");
    if (contentType != null) {
      head.append("Content-Type: ").append(contentType).append("\r\n");
    }
    return new FormPart(head.append("\r\n").toString().getBytes(StandardCharsets.UTF_8), content);
  }

  /** Its header fields, with the empty line after them. */
  byte[] head() {
    return head;
  }

  /** Its content. */
  byte[] content() {
    return content;
  }

  /** Names have whole ends of lines (HTML, "Constructing the entry list"). */
  private static String lines(String name) {
    return name.replaceAll("\r\n|\r|\n", "\r\n");
  }

  /** Escapes a name as HTML does ("Multipart form data"); other control characters are refused. */
  private static String escaped(String name, String what) throws InvalidBodyException {
    StringBuilder escaped = new StringBuilder(name.length());
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      switch (c) {
        case '"' -> escaped.append("%22");
        case '\r' -> escaped.append("%0D");
        case '\n' -> escaped.append("%0A");
        default -> {
          if (c < ' ' || c == 0x7f) {
            throw new InvalidBodyException(
                "expected "
                    + what
                    + " without control characters, found \""
                    + BodyProblem.shown(name)
                    + "\"");
          }
          escaped.append(c);
        }
      }
    }
    return escaped.toString();
  }
}
