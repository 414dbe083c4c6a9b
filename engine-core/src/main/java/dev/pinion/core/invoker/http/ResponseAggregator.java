package dev.pinion.core.invoker.http;

import dev.pinion.core.invoker.ServiceResponse;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.TooLongFrameException;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.AsciiString;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The response that a connection is receiving. Interim responses (1xx) are skipped. A body that
 * comes in one part is kept without a copy; only a body of several parts is copied together.
 */
final class ResponseAggregator implements ServiceResponse {
  private static final AsciiString KEEP_ALIVE = AsciiString.cached("keep-alive");

  /** Value of {@link #keptSeconds} when the service has announced none. */
  static final int UNTOLD = -1;

  private static final Pattern KEPT =
      Pattern.compile("(?i)(?:^|[\\s,;])timeout\\s*=\\s*\"?(\\d{1,6})");

  private final int maxBodyBytes;
  private final int maxHeaderBytes;
  private final ByteBufAllocator allocator;
  private HttpResponseStatus status = HttpResponseStatus.OK;
  private HttpHeaders headers = EmptyHttpHeaders.INSTANCE;
  private @Nullable ByteBuf body;
  private boolean joined;
  private boolean interim;
  private boolean keepAlive;
  private int keptSeconds = UNTOLD;

  ResponseAggregator(int maxBodyBytes, int maxHeaderBytes, ByteBufAllocator allocator) {
    this.maxBodyBytes = maxBodyBytes;
    this.maxHeaderBytes = maxHeaderBytes;
    this.allocator = allocator;
  }

  /**
   * Adds the next part. The caller keeps its own reference to it.
   *
   * @return whether the response is complete
   * @throws BadResponseException when the part breaks the protocol or a limit
   */
  boolean accept(HttpObject part) throws BadResponseException {
    if (part.decoderResult().isFailure()) {
      throw new BadResponseException(describe(part.decoderResult().cause()));
    }
    if (part instanceof HttpResponse response) {
      begin(response);
    }
    if (part instanceof HttpContent content) {
      append(content.content());
    }
    if (!(part instanceof LastHttpContent)) {
      return false;
    }
    boolean complete = !interim;
    interim = false;
    return complete;
  }

  @Override
  public int status() {
    return status.code();
  }

  @Override
  public String reason() {
    return status.reasonPhrase();
  }

  @Override
  public HttpHeaders headers() {
    return headers;
  }

  /** The body so far; owned by this response until {@link #clear}. */
  @Override
  public ByteBuf body() {
    return body == null ? Unpooled.EMPTY_BUFFER : body;
  }

  /** Whether the service allows reuse of the connection; known until the next response begins. */
  boolean keepAlive() {
    return keepAlive;
  }

  /**
   * Seconds for which the service keeps the unused connection, from the field Keep-Alive (RFC 2068,
   * section 19.7.1), or {@link #UNTOLD}.
   */
  int keptSeconds() {
    return keptSeconds;
  }

  /** Discards the response and releases its body. */
  void clear() {
    if (body != null) {
      body.release();
    }
    body = null;
    joined = false;
    interim = false;
    headers = EmptyHttpHeaders.INSTANCE;
  }

  private void begin(HttpResponse response) throws BadResponseException {
    int code = response.status().code();
    if (response.protocolVersion().majorVersion() != 1 || code < 100) {
      throw new BadResponseException(
          "expected an HTTP/1.1 status line, found version "
              + response.protocolVersion()
              + " and status "
              + code);
    }
    if (code == HttpResponseStatus.SWITCHING_PROTOCOLS.code()) {
      throw new BadResponseException("expected an HTTP/1.1 answer, found a switch of protocols");
    }
    interim = code < 200;
    if (!interim) {
      checkFraming(response.headers());
      status = HttpResponseStatus.valueOf(code);
      headers = response.headers();
      keepAlive = HttpUtil.isKeepAlive(response);
      keptSeconds = keptSeconds(headers.get(KEEP_ALIVE));
    }
  }

  private static int keptSeconds(@Nullable String field) {
    if (field == null) {
      return UNTOLD;
    }
    Matcher kept = KEPT.matcher(field);
    return kept.find() ? Integer.parseInt(kept.group(1)) : UNTOLD;
  }

  private static void checkFraming(HttpHeaders headers) throws BadResponseException {
    String length = headers.get(HttpHeaderNames.CONTENT_LENGTH);
    if (length != null && !isDigits(length)) {
      throw new BadResponseException(
          "expected a Content-Length in digits, found \"" + length + "\"");
    }
    if (!headers.contains(HttpHeaderNames.TRANSFER_ENCODING)) {
      return;
    }
    List<String> encodings = headers.getAll(HttpHeaderNames.TRANSFER_ENCODING);
    if (encodings.size() > 1 || !encodings.getFirst().equalsIgnoreCase("chunked")) {
      throw new BadResponseException("expected Transfer-Encoding chunked, found " + encodings);
    }
  }

  private static boolean isDigits(String text) {
    boolean digits = !text.isEmpty();
    for (int i = 0; i < text.length(); i++) {
      digits &= text.charAt(i) >= '0' && text.charAt(i) <= '9';
    }
    return digits;
  }

  private void append(ByteBuf part) throws BadResponseException {
    int size = body().readableBytes() + part.readableBytes();
    if (size > maxBodyBytes) {
      throw new BadResponseException(
          "expected at most "
              + maxBodyBytes
              + " bytes of body (invoker.maxResponseBytes), found more, with status "
              + status());
    }
    if (!part.isReadable()) {
      return;
    }
    if (body == null) {
      body = part.retain();
    } else {
      join(body, size).writeBytes(part);
    }
  }

  private ByteBuf join(ByteBuf first, int size) {
    if (joined) {
      return first;
    }
    ByteBuf whole = allocator.buffer(Math.min(2 * size, maxBodyBytes));
    whole.writeBytes(first);
    first.release();
    body = whole;
    joined = true;
    return whole;
  }

  private String describe(Throwable cause) {
    if (cause instanceof TooLongFrameException) {
      return "expected at most "
          + maxHeaderBytes
          + " bytes of header fields (invoker.maxHeaderBytes), found more";
    }
    return "expected an HTTP/1.1 answer, found a malformed one: " + cause.getMessage();
  }
}
