package dev.pinion.core.http;

import dev.pinion.core.http.message.Problem;
import dev.pinion.core.http.message.ProblemException;
import dev.pinion.core.http.message.ProblemType;
import dev.pinion.core.http.message.QueryParameters;
import dev.pinion.core.http.message.Response;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The request that a connection receives or answers: its head, the parts of its body, and its
 * exchange. One at a time; the object is used again for the next one. Event loop only.
 */
final class IncomingRequest {
  private final HttpServer httpServer;
  private final RequestBodyBuffer body;
  private final HttpExchange.ExchangeStep toEndpoint = this::toEndpoint;
  private @Nullable HttpExchange httpExchange;
  private @Nullable Endpoint endpoint;
  private @Nullable Problem refusal;
  private long bodyBytes;
  private int maxBodyBytes;
  private boolean keepAlive;
  private boolean http10;
  private boolean withoutBody;

  IncomingRequest(HttpServer httpServer) {
    this.httpServer = httpServer;
    this.body = new RequestBodyBuffer(httpServer.budget());
  }

  /** Begins a head: until it is complete, an answer has the form of HTTP/1.1. */
  void beginHead() {
    http10 = false;
    withoutBody = false;
  }

  /** Takes a complete head; returns its problem when the connection cannot continue. */
  @Nullable Problem onHead(HttpRequest request) {
    http10 = request.protocolVersion().equals(HttpVersion.HTTP_1_0);
    withoutBody = request.method().name().equals("HEAD");
    return HeadCheck.problem(request);
  }

  /** Begins the exchange of a head without a problem. */
  void open(HttpRequest request, HttpExchange.Connection connection) {
    keepAlive = HttpUtil.isKeepAlive(request);
    HeadAdmission.RoutedHead routedHead =
        httpServer.admission().admit(request, connection.fromPeer());
    Router.Match match = routedHead.match();
    httpExchange =
        match == null
            ? new HttpExchange(
                connection, request, null, List.of(), QueryParameters.NONE, routedHead.mediaType())
            : new HttpExchange(
                connection,
                request,
                match.route(),
                match.variables(),
                match.query(),
                routedHead.mediaType());
    endpoint = match == null ? null : match.entry().endpoint();
    refusal = routedHead.problem();
    maxBodyBytes = routedHead.maxBodyBytes();
    bodyBytes = 0;
  }

  /**
   * Checks the announced length of the body and Expect (RFC 9110 section 10.1.1; a client of
   * HTTP/1.0 expects nothing). Returns a problem when the body must not be sent.
   */
  @Nullable Problem bodyProblem(HttpRequest request) {
    if (HttpUtil.getContentLength(request, 0L) > maxBodyBytes) {
      return tooLarge();
    }
    String expectation = expectation(request);
    if (expectation == null) {
      return null;
    }
    if (!expectation.equalsIgnoreCase("100-continue")) {
      return Problem.of(
          ProblemType.EXPECTATION_FAILED,
          "expected Expect: 100-continue or no Expect field, found " + Problem.quoted(expectation));
    }
    return refusal;
  }

  /** Whether the client waits for an interim answer before it sends the body. */
  boolean wantsContinue(HttpRequest request) {
    return expectation(request) != null
        && (HttpUtil.isTransferEncodingChunked(request)
            || HttpUtil.getContentLength(request, 0L) > 0);
  }

  private @Nullable String expectation(HttpRequest request) {
    return http10 ? null : request.headers().get(HttpHeaderNames.EXPECT);
  }

  /**
   * Takes a part of the body.
   *
   * @return the problem when the connection cannot continue, or null
   */
  @Nullable Problem append(HttpContent content, ByteBufAllocator allocator) {
    if (content.decoderResult().isFailure()) {
      return Problem.of(
          ProblemType.MALFORMED_HTTP, "expected a body in chunks of RFC 9112 section 7.1");
    }
    ByteBuf part = content.content();
    bodyBytes += part.readableBytes();
    if (bodyBytes > maxBodyBytes) {
      return tooLarge();
    }
    boolean whole = content instanceof LastHttpContent && body.length() == 0;
    if (!whole && refusal == null && part.isReadable() && !body.append(allocator, part)) {
      return Problem.overload("request.maxBufferedBytes");
    }
    return null;
  }

  /**
   * Takes the complete request to its endpoint, or refuses it.
   *
   * @param last the last part of the body
   */
  void dispatch(ByteBuf last) {
    HttpExchange current = httpExchange;
    if (current == null) {
      return;
    }
    if (refusal != null) {
      current.reject(refusal);
    } else if (!httpServer.begin()) {
      current.reject(Problem.overload("request.maxRequests"));
    } else {
      current.markCounted();
      current.handle(body.length() == 0 ? last : body.content(), toEndpoint);
      // The endpoint has copied what it still needs of the body.
      body.clear();
    }
  }

  private void toEndpoint() throws ProblemException {
    if (httpExchange != null && endpoint != null) {
      httpServer.dispatcher().request(httpExchange, endpoint);
    }
  }

  /** The bytes of an answer in the form that the client understands. */
  ByteBuf answer(ByteBufAllocator allocator, Response response, boolean close) {
    return httpServer.writer().write(allocator, response, withoutBody, close, http10);
  }

  private Problem tooLarge() {
    return Problem.of(
        ProblemType.BODY_TOO_LARGE,
        "expected a body of at most " + maxBodyBytes + " bytes, found a larger one");
  }

  /** Ends the request and its exchange, if there is one. */
  void end() {
    HttpExchange ended = httpExchange;
    httpExchange = null;
    endpoint = null;
    refusal = null;
    body.clear();
    if (ended != null && ended.end()) {
      httpServer.ended();
    }
  }

  /** The exchange under way, or null. */
  @Nullable HttpExchange exchange() {
    return httpExchange;
  }

  /** Bytes of the body that have arrived. */
  long bodyBytes() {
    return bodyBytes;
  }

  /** Whether the client lets the connection continue after the answer. */
  boolean keepAlive() {
    return keepAlive;
  }

  /** Whether the answer has no body, as HEAD requires. */
  boolean withoutBody() {
    return withoutBody;
  }
}
