package dev.pinion.core.invoker.content;

import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The charset that a media type names. */
final class CharsetParameter {
  private CharsetParameter() {}

  /** Name of the charset, or null when the media type has none. */
  static @Nullable String name(MediaType mediaType) {
    String name = mediaType.parameter("charset");
    return name == null || name.isEmpty() ? null : name;
  }

  /** The charset of a name, or null when it is unknown. */
  static @Nullable Charset find(String name) {
    try {
      return Charset.isSupported(name) ? Charset.forName(name) : null;
    } catch (IllegalCharsetNameException e) {
      return null;
    }
  }

  /**
   * The charset of a request's body: UTF-8 unless the media type names another.
   *
   * @throws InvalidBodyException when it is unknown, or cannot be written
   */
  static Charset toWrite(MediaType mediaType) throws InvalidBodyException {
    String name = name(mediaType);
    Charset charset = name == null ? StandardCharsets.UTF_8 : find(name);
    if (charset == null || !charset.canEncode()) {
      throw new InvalidBodyException(
          "expected a known charset, such as utf-8, in Content-Type, found \"" + name + "\"");
    }
    return charset;
  }

  /**
   * Checks that a charset has the characters of a text. UTF-8, which lacks halves of pairs only,
   * replaces them.
   */
  static void requireCharacters(String text, Charset charset) throws InvalidBodyException {
    if (!charset.equals(StandardCharsets.UTF_8) && !charset.newEncoder().canEncode(text)) {
      throw new InvalidBodyException(
          "expected a body of characters that " + charset + " has, found others; send it as utf-8");
    }
  }
}
