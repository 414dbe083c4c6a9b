package dev.pinion.core.invoker.content;

import dev.pinion.core.codec.PayloadSyntaxException;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Texts of responses. A byte-order mark decides about the charset, then the media type, else it is
 * UTF-8 (WHATWG Encoding, section 6). Bytes of no character are replaced.
 */
final class ResponseText {
  private static final int MARK_OF_UTF_8 = 0xefbbbf;
  private static final int MARK_OF_UTF_16_BE = 0xfeff;
  private static final int MARK_OF_UTF_16_LE = 0xfffe;

  private ResponseText() {}

  /**
   * The charset that a media type names, or null when it names none.
   *
   * @throws PayloadSyntaxException when it is unknown
   */
  static @Nullable Charset declared(MediaType mediaType) throws PayloadSyntaxException {
    String name = CharsetParameter.name(mediaType);
    Charset charset = name == null ? null : CharsetParameter.find(name);
    if (name != null && charset == null) {
      throw new PayloadSyntaxException(
          "expected a known charset in Content-Type, found \"" + BodyProblem.shown(name) + "\"");
    }
    return charset;
  }

  /**
   * The text of a whole body.
   *
   * @throws PayloadSyntaxException when the media type names an unknown charset
   */
  static String of(ByteBuffer body, MediaType mediaType) throws PayloadSyntaxException {
    int head = head(body);
    if (head == MARK_OF_UTF_8) {
      return StandardCharsets.UTF_8.decode(without(body, 3)).toString();
    }
    if (head >>> 8 == MARK_OF_UTF_16_BE) {
      return StandardCharsets.UTF_16BE.decode(without(body, 2)).toString();
    }
    if (head >>> 8 == MARK_OF_UTF_16_LE) {
      return StandardCharsets.UTF_16LE.decode(without(body, 2)).toString();
    }
    Charset declared = declared(mediaType);
    Charset charset = declared == null ? StandardCharsets.UTF_8 : declared;
    return charset.decode(body.duplicate()).toString();
  }

  private static ByteBuffer without(ByteBuffer body, int bytes) {
    return body.slice(body.position() + bytes, body.remaining() - bytes);
  }

  private static int head(ByteBuffer body) {
    int head = 0;
    for (int i = 0; i < 3; i++) {
      int next = i < body.remaining() ? body.get(body.position() + i) & 0xff : 0;
      head = head << 8 | next;
    }
    return head;
  }
}
