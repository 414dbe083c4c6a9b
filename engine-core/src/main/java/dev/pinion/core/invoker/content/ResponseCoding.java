package dev.pinion.core.invoker.content;

import dev.pinion.core.codec.ContentCoding;
import dev.pinion.core.codec.PayloadSyntaxException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Decompression of responses (RFC 9110, section 8.4). The result is bound like a body that comes
 * without compression, so a small response cannot fill the heap.
 */
public final class ResponseCoding {
  /** Most codings, one around the other. */
  static final int MAX_CODINGS = 3;

  private final int maxBytes;

  /**
   * Decompression within a bound.
   *
   * @param maxBytes most bytes of a body, with and without each coding
   */
  public ResponseCoding(int maxBytes) {
    this.maxBytes = maxBytes;
  }

  /**
   * The body without codings: the same buffer when it has none.
   *
   * @throws PayloadSyntaxException when a coding is unknown, the body is none of it, or longer than
   *     the bound
   */
  public ByteBuf decoded(HttpHeaders headers, ByteBuf body) throws PayloadSyntaxException {
    if (!body.isReadable() || !headers.contains(HttpHeaderNames.CONTENT_ENCODING)) {
      return body;
    }
    List<String> names = names(headers);
    if (names.isEmpty()) {
      return body;
    }
    if (names.size() > MAX_CODINGS) {
      throw new PayloadSyntaxException(
          "expected at most " + MAX_CODINGS + " content codings, found " + names.size());
    }
    byte[] bytes = ByteBufUtil.getBytes(body);
    for (String name : names.reversed()) {
      bytes = decoded(name, bytes);
    }
    return Unpooled.wrappedBuffer(bytes);
  }

  /** The codings in the order in which they were applied. */
  private static List<String> names(HttpHeaders headers) {
    List<String> names = new ArrayList<>();
    for (String field : headers.getAll(HttpHeaderNames.CONTENT_ENCODING)) {
      for (String name : field.split(",", -1)) {
        if (!name.isBlank() && !name.strip().equalsIgnoreCase("identity")) {
          names.add(name.strip());
        }
      }
    }
    return names;
  }

  private byte[] decoded(String name, byte[] coded) throws PayloadSyntaxException {
    ContentCoding coding = ContentCoding.named(name);
    if (coding == null) {
      throw new PayloadSyntaxException(
          "expected Content-Encoding gzip or deflate, found \"" + BodyProblem.shown(name) + "\"");
    }
    byte[] plain;
    try {
      plain = coding.decode(coded, maxBytes);
    } catch (IOException e) {
      throw new PayloadSyntaxException(
          "expected a whole body of coding " + coding.token() + ", found: " + e.getMessage());
    }
    if (plain == null) {
      throw new PayloadSyntaxException(
          "expected a body that decompresses to at most "
              + maxBytes
              + " bytes (invoker.maxResponseBytes), found a longer one");
    }
    return plain;
  }
}
