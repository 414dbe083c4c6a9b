package dev.pinion.core.http;

import dev.pinion.core.http.message.HttpDate;
import dev.pinion.core.http.message.Response;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Turns answers into bytes: one buffer for head and body, unless the body is shared. A head has
 * only a few fields, so it is written directly, without a message object. Not for concurrent use.
 */
final class ResponseWriter {
  /** The interim response to {@code Expect: 100-continue}. */
  private static final byte[] CONTINUE =
      "HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private static final byte[] OK = "HTTP/1.1 200 OK\r\n".getBytes(StandardCharsets.US_ASCII);
  private static final int HEAD_ROOM = 256;

  private final HttpDate date = new HttpDate();
  private long epochMillis;

  /** Sets the date of the next answers. */
  void at(long now) {
    epochMillis = now;
  }

  ByteBuf interim(ByteBufAllocator allocator) {
    return allocator.buffer(CONTINUE.length).writeBytes(CONTINUE);
  }

  /**
   * The bytes of an answer; of one with a shared body, its head.
   *
   * @param withoutBody whether the body is left out and only its length given, as HEAD requires
   * @param close whether the connection ends after this answer
   * @param http10 whether the client speaks HTTP/1.0, so that staying open must be stated
   */
  ByteBuf write(
      ByteBufAllocator allocator,
      Response answer,
      boolean withoutBody,
      boolean close,
      boolean http10) {
    ByteBuf body = answer.body();
    int length = body.readableBytes();
    boolean copied = !withoutBody && answer.sharedBody() == null;
    ByteBuf out = allocator.buffer(HEAD_ROOM + (copied ? length : 0));
    statusLine(out, answer.status());
    String mediaType = answer.mediaType();
    if (mediaType != null) {
      field(out, "content-type", mediaType);
    }
    if (answer.status() != 204 && answer.status() != 304) {
      ByteBufUtil.writeAscii(out, "content-length: ");
      ByteBufUtil.writeAscii(out, Integer.toString(length));
      lineEnd(out);
    }
    ByteBufUtil.writeAscii(out, "date: ");
    out.writeBytes(date.at(epochMillis));
    lineEnd(out);
    List<String> fields = answer.fields();
    for (int i = 0; i < fields.size(); i += 2) {
      field(out, fields.get(i), fields.get(i + 1));
    }
    if (close || http10) {
      field(out, "connection", close ? "close" : "keep-alive");
    }
    lineEnd(out);
    if (copied) {
      out.writeBytes(body, body.readerIndex(), length);
    }
    return out;
  }

  private static void statusLine(ByteBuf out, int status) {
    if (status == 200) {
      out.writeBytes(OK);
      return;
    }
    ByteBufUtil.writeAscii(out, "HTTP/1.1 ");
    ByteBufUtil.writeAscii(out, HttpResponseStatus.valueOf(status).toString());
    lineEnd(out);
  }

  private static void field(ByteBuf out, String name, String value) {
    if (value.indexOf('\r') >= 0 || value.indexOf('\n') >= 0) {
      throw new IllegalArgumentException(
          "expected a value of field " + name + " without line breaks");
    }
    ByteBufUtil.writeAscii(out, name);
    ByteBufUtil.writeAscii(out, ": ");
    ByteBufUtil.writeAscii(out, value);
    lineEnd(out);
  }

  private static void lineEnd(ByteBuf out) {
    ByteBufUtil.writeShortBE(out, '\r' << 8 | '\n');
  }
}
