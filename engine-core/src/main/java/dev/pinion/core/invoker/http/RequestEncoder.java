package dev.pinion.core.invoker.http;

import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.interception.MessageBody;
import dev.pinion.core.invoker.HttpSyntax;
import dev.pinion.core.invoker.content.EncodedBody;
import dev.pinion.core.invoker.content.MediaType;
import dev.pinion.core.invoker.content.RequestBodyFormat;
import dev.pinion.core.limits.InvokerLimits;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.call.HttpCall;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufOutputStream;
import io.netty.buffer.ByteBufUtil;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Writes HTTP/1.1 requests (RFC 9112, sections 3 to 6), each into one buffer.
 *
 * <p>The head contains the length of the body, which is known only when the body is written. So the
 * body is written first, behind a gap, and then the head so that it ends where the body starts:
 * nothing is written twice or moved.
 */
final class RequestEncoder {
  /** Fields that frame the message or control the connection: only the Invoker writes them. */
  private static final Set<String> RESERVED =
      caseless(
          "Connection",
          "Content-Length",
          "Expect",
          "Keep-Alive",
          "Proxy-Connection",
          "TE",
          "Trailer",
          "Transfer-Encoding",
          "Upgrade");

  private static final Set<String> SINGLE =
      caseless("Accept-Encoding", "Content-Type", "Host", "User-Agent");
  private static final Set<String> LENGTH_WITHOUT_BODY = Set.of("POST", "PUT", "PATCH");
  private static final String ACCEPT = "Accept: application/json, */*;q=0.1\r\n";
  private static final String ACCEPT_COMPRESSED = "Accept-Encoding: gzip, deflate\r\n";
  private static final String CONTENT_TYPE = "Content-Type";
  private static final String LENGTH = "Content-Length: ";
  private static final String END_OF_HEAD = "\r\n\r\n";
  private static final int MAX_LENGTH_DIGITS = 10;
  private static final int EXPECTED_BODY_BYTES = 512;

  private final PayloadCodec codec;
  private final RequestBodyFormat formats;
  private final boolean acceptCompressed;
  private final String userAgent;
  private final StringBuilder head = new StringBuilder(512);

  RequestEncoder(PayloadCodec codec, InvokerLimits limits, String userAgent) {
    this.codec = codec;
    this.formats = new RequestBodyFormat(codec, limits);
    this.acceptCompressed = limits.acceptCompressed() == 1;
    this.userAgent = "User-Agent: " + userAgent + "\r\n";
  }

  private static Set<String> caseless(String... names) {
    Set<String> set = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    set.addAll(Arrays.asList(names));
    return Collections.unmodifiableSet(set);
  }

  /**
   * Checks everything that a definition could get wrong, before a connection is used for it.
   *
   * @param messageBody content to send instead of the call's body; null for that body
   * @throws InvalidCallException when the request would be malformed, or would not be framed by the
   *     Invoker
   */
  void check(HttpCall call, @Nullable MessageBody messageBody) throws InvalidCallException {
    if (!HttpSyntax.isToken(call.method()) || call.method().equals("CONNECT")) {
      throw new InvalidCallException(
          "expected a request method other than CONNECT, found \"" + call.method() + "\"");
    }
    for (int i = 0; i < call.headers().size(); i++) {
      checkField(call, i);
    }
    String problem = messageBody == null ? formats.problem(call) : null;
    if (problem != null) {
      throw new InvalidCallException(problem);
    }
  }

  private static void checkField(HttpCall call, int index) throws InvalidCallException {
    HttpCall.HeaderField field = call.headers().get(index);
    if (!HttpSyntax.isToken(field.name())) {
      throw new InvalidCallException(
          "expected a header field name, found \"" + field.name() + "\"");
    }
    if (RESERVED.contains(field.name())) {
      throw new InvalidCallException(
          "expected no header field " + field.name() + ": the engine sets it; leave it out");
    }
    int bad = HttpSyntax.badFieldCharacter(field.value());
    if (bad >= 0) {
      throw new InvalidCallException(
          "expected header field "
              + field.name()
              + " without control characters and beyond U+00FF none, found "
              + HttpSyntax.codePoint(field.value().charAt(bad)));
    }
    for (int i = 0; i < index && SINGLE.contains(field.name()); i++) {
      if (call.headers().get(i).name().equalsIgnoreCase(field.name())) {
        throw new InvalidCallException("expected one header field " + field.name() + ", found two");
      }
    }
  }

  /**
   * Writes a checked request.
   *
   * @param messageBody content to send instead of the call's body; null for that body
   * @return a buffer that the caller owns
   * @throws IOException when the body cannot be written as JSON
   */
  ByteBuf encode(
      HttpCall call,
      @Nullable MessageBody messageBody,
      String path,
      String hostField,
      ByteBufAllocator allocator)
      throws IOException {
    if (messageBody != null) {
      writeHead(call, path, hostField, null);
      return messageBody.bytes().length == 0
          ? withoutBody(call, allocator)
          : withBody(into -> into.writeBytes(messageBody.bytes()), allocator);
    }
    Payload body = call.body();
    if (body == null) {
      writeHead(call, path, hostField, null);
      return withoutBody(call, allocator);
    }
    String contentType = contentType(call);
    EncodedBody encoded = formats.encode(body, contentType);
    if (encoded == null) {
      writeHead(call, path, hostField, contentType == null ? MediaType.JSON : contentType);
      return withBody(into -> writeJson(body, into), allocator);
    }
    writeHead(call, path, hostField, encoded.contentType());
    return withBody(into -> into.writeBytes(encoded.bytes()), allocator);
  }

  private static @Nullable String contentType(HttpCall call) {
    String contentType = null;
    for (HttpCall.HeaderField field : call.headers()) {
      contentType = field.name().equalsIgnoreCase(CONTENT_TYPE) ? field.value() : contentType;
    }
    return contentType;
  }

  /**
   * Writes the head without the length of the body.
   *
   * @param contentType value of the field Content-Type, or null for that of the call, if any
   */
  private void writeHead(
      HttpCall call, String path, String hostField, @Nullable String contentType) {
    head.setLength(0);
    head.append(call.method()).append(' ').append(path).append(" HTTP/1.1\r\n");
    boolean host = false;
    boolean accept = false;
    boolean coding = !acceptCompressed;
    boolean agent = false;
    boolean type = false;
    for (HttpCall.HeaderField field : call.headers()) {
      String name = field.name();
      boolean isType = name.equalsIgnoreCase(CONTENT_TYPE);
      field(name, isType && contentType != null ? contentType : field.value());
      host |= name.equalsIgnoreCase("Host");
      accept |= name.equalsIgnoreCase("Accept");
      coding |= name.equalsIgnoreCase("Accept-Encoding");
      agent |= name.equalsIgnoreCase("User-Agent");
      type |= isType;
    }
    if (!host) {
      field("Host", hostField);
    }
    head.append(accept ? "" : ACCEPT).append(coding ? "" : ACCEPT_COMPRESSED);
    head.append(agent ? "" : userAgent);
    if (!type && contentType != null) {
      field(CONTENT_TYPE, contentType);
    }
  }

  private void field(String name, String value) {
    head.append(name).append(": ").append(value).append("\r\n");
  }

  private ByteBuf withoutBody(HttpCall call, ByteBufAllocator allocator) {
    if (LENGTH_WITHOUT_BODY.contains(call.method())) {
      head.append(LENGTH).append("0\r\n");
    }
    head.append("\r\n");
    ByteBuf request = allocator.ioBuffer(head.length());
    ByteBufUtil.writeAscii(request, head);
    return request;
  }

  private ByteBuf withBody(BodyWriter body, ByteBufAllocator allocator) throws IOException {
    head.append(LENGTH);
    int bodyStart = head.length() + MAX_LENGTH_DIGITS + END_OF_HEAD.length();
    ByteBuf request = allocator.ioBuffer(bodyStart + EXPECTED_BODY_BYTES);
    boolean written = false;
    try {
      request.writerIndex(bodyStart);
      body.write(request);
      int end = request.writerIndex();
      int length = end - bodyStart;
      head.append(length).append(END_OF_HEAD);
      request.setIndex(bodyStart - head.length(), bodyStart - head.length());
      ByteBufUtil.writeAscii(request, head);
      request.writerIndex(end);
      written = true;
      return request;
    } finally {
      if (!written) {
        request.release();
      }
    }
  }

  /** Writer of the body of a request. */
  private interface BodyWriter {
    void write(ByteBuf into) throws IOException;
  }

  private void writeJson(Payload body, ByteBuf into) throws IOException {
    try (OutputStream out = new ByteBufOutputStream(into)) {
      codec.write(body, out);
    }
  }
}
