package dev.pinion.core.peer;

import dev.pinion.core.http.HttpExchange;
import dev.pinion.core.http.message.Problem;
import dev.pinion.core.http.message.ProblemException;
import dev.pinion.core.http.message.Response;
import dev.pinion.core.model.DefinitionKey;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Relays a request to another replica, and its answer back. Event loop only. */
public final class PeerRelay {
  /** Fields of one connection (RFC 9110 section 7.6.1) and fields that are set again. */
  private static final Set<String> NOT_RELAYED =
      Set.of(
          "connection",
          "keep-alive",
          "proxy-connection",
          "te",
          "trailer",
          "transfer-encoding",
          "upgrade",
          "expect",
          "content-length",
          "date",
          "content-type",
          PeerLoads.FIELD,
          PeerCallerHeader.FIELD,
          PeerDefinitionHeader.FIELD);

  private final PeerClient client;

  public PeerRelay(PeerClient client) {
    this.client = client;
  }

  /** The step when the other replica does not answer. */
  interface Fallback {
    /**
     * Handles the loss of the other replica.
     *
     * @param begun whether it may have begun to process the request
     */
    void onLost(boolean begun) throws ProblemException;
  }

  /** A copy of the request of an exchange, body included, for another replica. */
  public static FullHttpRequest copy(HttpExchange httpExchange) {
    return copy(httpExchange, Unpooled.copiedBuffer(httpExchange.body()));
  }

  /** A copy of the request of an exchange with a body that was kept. */
  static FullHttpRequest copy(HttpExchange httpExchange, ByteBuf body) {
    HttpMethod method = httpExchange.isHead() ? HttpMethod.GET : httpExchange.request().method();
    FullHttpRequest copy =
        new DefaultFullHttpRequest(
            HttpVersion.HTTP_1_1, method, httpExchange.request().uri(), body);
    for (Map.Entry<String, String> field : httpExchange.request().headers()) {
      if (relayed(field.getKey())) {
        copy.headers().add(field.getKey(), field.getValue());
      }
    }
    String type = httpExchange.header(HttpHeaderNames.CONTENT_TYPE);
    if (type != null) {
      copy.headers().set(HttpHeaderNames.CONTENT_TYPE, type);
    }
    String caller = PeerCallerHeader.caller(httpExchange);
    if (caller != null) {
      PeerCallerHeader.write(copy.headers(), caller);
    }
    if (!copy.headers().contains(HttpHeaderNames.HOST)) {
      copy.headers().set(HttpHeaderNames.HOST, "localhost"); // HTTP/1.0 has none
    }
    if (body.isReadable() || method.equals(HttpMethod.POST)) {
      HttpUtil.setContentLength(copy, body.readableBytes());
    }
    return copy;
  }

  private static boolean relayed(String field) {
    return !NOT_RELAYED.contains(field.toLowerCase(Locale.ROOT));
  }

  /** Relays a request; its answer becomes that of the exchange. */
  void relay(HttpExchange httpExchange, int slot, Fallback fallback) {
    RelayListener relayListener =
        response -> {
          DefinitionKey definition = PeerDefinitionHeader.of(response.headers());
          if (definition != null) {
            httpExchange.setSubject(definition);
          }
          httpExchange.respond(toResponse(response));
        };
    ask(httpExchange, slot, copy(httpExchange), relayListener, fallback);
  }

  /** Receives the answer of another replica. */
  interface RelayListener {
    void take(FullHttpResponse response) throws ProblemException;
  }

  /** Sends a request to another replica for an exchange, and drops it when the exchange ends. */
  void ask(
      HttpExchange httpExchange,
      int slot,
      FullHttpRequest request,
      RelayListener relayListener,
      Fallback fallback) {
    PeerRequest peerRequest =
        client.send(
            slot,
            request,
            new PeerResponseListener() {
              @Override
              public void onResponse(FullHttpResponse response) {
                httpExchange.run(() -> relayListener.take(response));
              }

              @Override
              public void onLost(boolean begun, Throwable cause) {
                httpExchange.run(() -> fallback.onLost(begun));
              }
            });
    httpExchange.detach(Problem::lostAtShutdown);
    httpExchange.onEnd(peerRequest::cancel);
  }

  /** The answer in a response of another replica; valid as long as the response. */
  static Response toResponse(FullHttpResponse response) {
    HttpHeaders fields = response.headers();
    String type = fields.get(HttpHeaderNames.CONTENT_TYPE);
    int status = response.status().code();
    Response answer =
        type == null ? Response.empty(status) : Response.of(status, type, response.content());
    for (Map.Entry<String, String> field : fields) {
      if (relayed(field.getKey())) {
        answer.field(field.getKey(), field.getValue());
      }
    }
    return answer;
  }
}
