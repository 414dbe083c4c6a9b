package dev.pinion.core.secret;

import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.codec.PayloadSyntaxException;
import dev.pinion.core.model.Payload;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Reads the text of a secret: one line end at its end is no part of it, and a text that is a JSON
 * object is that object.
 */
final class SecretText {
  private final PayloadCodec codec;

  SecretText(PayloadCodec codec) {
    this.codec = codec;
  }

  /** The value of a text: an object, or the text itself. */
  Payload value(String text) {
    String content = withoutLineEnd(text);
    String stripped = content.strip();
    if (!stripped.startsWith("{") || !stripped.endsWith("}")) {
      return Payload.of(content);
    }
    byte[] bytes = stripped.getBytes(StandardCharsets.UTF_8);
    try {
      Payload parsed = codec.readBounded(bytes, 0, bytes.length);
      return parsed.isObject() ? parsed : Payload.of(content);
    } catch (PayloadSyntaxException e) {
      return Payload.of(content); // a text that only looks like an object
    }
  }

  /** A text without the line end that editors and {@code echo} put at its end. */
  static String withoutLineEnd(String text) {
    if (text.endsWith("\r\n")) {
      return text.substring(0, text.length() - 2);
    }
    return text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
  }

  /**
   * The text of bytes.
   *
   * @param name name of the secret, for messages
   */
  static String decoded(String name, byte[] bytes) throws UnreadableSecretException {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new UnreadableSecretException(
          "expected the secret \"" + name + "\" to be a text in UTF-8, found bytes that are not");
    }
  }
}
