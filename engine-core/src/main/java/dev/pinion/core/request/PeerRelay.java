package dev.pinion.core.request;

import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.peer.PeerClient;
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
final class PeerRelay {
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
          PeerCaller.FIELD,
          PeerDefinition.FIELD);

  private final PeerClient client;

  PeerRelay(PeerClient client) {
    this.client = client;
  }

  /** The step when the other replica does not answer. */
  interface Fallback {
    /**
     * Handles the loss of the other replica.
     *
     * @param begun whether it may have begun to process the request
     */
    void onLost(boolean begun) throws Refusal;
  }

  /** A copy of the request of an exchange, body included, for another replica. */
  static FullHttpRequest copy(Exchange exchange) {
    return copy(exchange, Unpooled.copiedBuffer(exchange.body()));
  }

  /** A copy of the request of an exchange with a body that was kept. */
  static FullHttpRequest copy(Exchange exchange, ByteBuf body) {
    HttpMethod method = exchange.isHead() ? HttpMethod.GET : exchange.request().method();
    FullHttpRequest copy =
        new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, method, exchange.request().uri(), body);
    for (Map.Entry<String, String> field : exchange.request().headers()) {
      if (relayed(field.getKey())) {
        copy.headers().add(field.getKey(), field.getValue());
      }
    }
    String type = exchange.header(HttpHeaderNames.CONTENT_TYPE);
    if (type != null) {
      copy.headers().set(HttpHeaderNames.CONTENT_TYPE, type);
    }
    String caller = exchange.caller();
    if (caller != null) {
      PeerCaller.tell(copy.headers(), caller);
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
  void relay(Exchange exchange, int slot, Fallback fallback) {
    Taker taker =
        response -> {
          DefinitionKey definition = PeerDefinition.of(response.headers());
          if (definition != null) {
            exchange.about(definition);
          }
          exchange.answer(answer(response));
        };
    ask(exchange, slot, copy(exchange), taker, fallback);
  }

  /** Receives the answer of another replica. */
  interface Taker {
    void take(FullHttpResponse response) throws Refusal;
  }

  /** Sends a request to another replica for an exchange, and drops it when the exchange ends. */
  void ask(Exchange exchange, int slot, FullHttpRequest request, Taker taker, Fallback fallback) {
    PeerClient.Call call =
        client.send(
            slot,
            request,
            new PeerClient.Reply() {
              @Override
              public void onResponse(FullHttpResponse response) {
                exchange.run(() -> taker.take(response));
              }

              @Override
              public void onLost(boolean begun, Throwable cause) {
                exchange.run(() -> fallback.onLost(begun));
              }
            });
    exchange.relayed();
    exchange.afterwards(call::cancel);
  }

  /** The answer in a response of another replica; valid as long as the response. */
  static Answer answer(FullHttpResponse response) {
    HttpHeaders fields = response.headers();
    String type = fields.get(HttpHeaderNames.CONTENT_TYPE);
    int status = response.status().code();
    Answer answer =
        type == null ? Answer.empty(status) : Answer.of(status, type, response.content());
    for (Map.Entry<String, String> field : fields) {
      if (relayed(field.getKey())) {
        answer.field(field.getKey(), field.getValue());
      }
    }
    return answer;
  }
}
