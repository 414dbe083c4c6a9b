package dev.pinion.workloads.stub;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.http.HttpResponseStatus;

/**
 * Responses as bytes. Parts that do not depend on the request are prepared once: a response of a
 * service is two copies and the digits between them.
 */
final class StubResponses {
  private static final byte[] CLOSE = "connection: close\r\n".getBytes(US_ASCII);
  private static final byte[] CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n".getBytes(US_ASCII);
  private static final byte[] END_OF_HEAD = "\r\n".getBytes(US_ASCII);

  private static final String JSON = "application/json";

  /** Longest decimal form of a value: a sign and 19 digits. */
  private static final int MAX_DIGITS = 20;

  private static final byte[] SUFFIX =
      (",\"items\":[{\"id\":1,\"name\":\"first\"},{\"id\":2,\"name\":\"second\"},"
              + "{\"id\":3,\"name\":\"third\"}]}")
          .getBytes(US_ASCII);

  /** By service and number of digits: everything up to the end of the head's fields. */
  private final byte[][][] heads;

  /** By service: the body up to the value. */
  private final byte[][] prefixes;

  StubResponses(int services) {
    heads = new byte[services][MAX_DIGITS + 1][];
    prefixes = new byte[services][];
    for (int i = 0; i < services; i++) {
      prefixes[i] =
          ("{\"service\":\"" + ServiceModel.name(i + 1) + "\",\"value\":").getBytes(US_ASCII);
      for (int digits = 1; digits <= MAX_DIGITS; digits++) {
        heads[i][digits] = head(200, JSON, prefixes[i].length + digits + SUFFIX.length);
      }
    }
  }

  /** The response of a service to a call with this value. */
  ByteBuf answer(ByteBufAllocator allocator, int service, long value, boolean close) {
    byte[] digits = Long.toString(ServiceModel.value(service, value)).getBytes(US_ASCII);
    byte[] head = heads[service - 1][digits.length];
    byte[] prefix = prefixes[service - 1];
    ByteBuf out = allocator.ioBuffer(256);
    writeHead(out, head, close);
    return out.writeBytes(prefix).writeBytes(digits).writeBytes(SUFFIX);
  }

  /** Any other response, with a JSON body. */
  static ByteBuf json(ByteBufAllocator allocator, int status, byte[] body, boolean close) {
    return of(allocator, status, JSON, body, close);
  }

  /** A response with a body of any type. */
  static ByteBuf of(
      ByteBufAllocator allocator, int status, String contentType, byte[] body, boolean close) {
    byte[] head = head(status, contentType, body.length);
    ByteBuf out = allocator.ioBuffer(head.length + CLOSE.length + 2 + body.length);
    writeHead(out, head, close);
    return out.writeBytes(body);
  }

  /** A response that only describes an error, in a sentence without quotes. */
  static ByteBuf problem(ByteBufAllocator allocator, int status, String sentence, boolean close) {
    return json(allocator, status, ("{\"error\":\"" + sentence + "\"}").getBytes(UTF_8), close);
  }

  static ByteBuf goOn(ByteBufAllocator allocator) {
    return allocator.ioBuffer(CONTINUE.length).writeBytes(CONTINUE);
  }

  private static void writeHead(ByteBuf out, byte[] head, boolean close) {
    out.writeBytes(head);
    if (close) {
      out.writeBytes(CLOSE);
    }
    out.writeBytes(END_OF_HEAD);
  }

  private static byte[] head(int status, String contentType, int length) {
    return ("HTTP/1.1 "
            + HttpResponseStatus.valueOf(status)
            + "\r\ncontent-type: "
            + contentType
            + "\r\ncontent-length: "
            + length
            + "\r\n")
        .getBytes(US_ASCII);
  }
}
