package dev.pinion.bootstrap.client.asyncapi;

import dev.pinion.bootstrap.client.call.ProtocolSettings;
import dev.pinion.core.model.call.HttpCall;
import dev.pinion.core.model.call.MessageEndpoint;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Messages over WebSocket (RFC 6455). Each message that is sent, and each subscription, has a
 * connection of its own: a server knows clients by their connections.
 */
final class WebSocketBinding implements MessageBinding {
  private static final String SCHEME_OF_HTTP = "http";
  private static final String SCHEME = "ws";

  private final int maxBytes;
  private final Duration patience;
  private final ServerAddresses addresses;
  private final MessageTls tls;
  private @Nullable HttpClient client;

  WebSocketBinding(ProtocolSettings settings, ServerAddresses addresses, MessageTls tls) {
    this.maxBytes = settings.limits().messages().maxBytes();
    this.patience = Duration.ofMillis(settings.limits().invoker().connectTimeoutMillis());
    this.addresses = addresses;
    this.tls = tls;
  }

  private synchronized HttpClient client() {
    HttpClient known = client;
    if (known == null) {
      known =
          HttpClient.newBuilder()
              .version(HttpClient.Version.HTTP_1_1)
              .followRedirects(HttpClient.Redirect.NEVER)
              .connectTimeout(patience)
              .sslContext(tls.forSockets())
              .build();
      client = known;
    }
    return known;
  }

  @Override
  public void publish(OutgoingMessage message) throws MessageFailure, InterruptedException {
    WebSocket socket =
        connected(message.endpoint(), message.carrier(), new WebSocketInbox.Ignoring());
    try {
      String what = "the service to take " + message;
      String text = text(message.payload());
      await(
          text == null
              ? socket.sendBinary(ByteBuffer.wrap(message.payload()), true)
              : socket.sendText(text, true),
          what);
      await(socket.sendClose(WebSocket.NORMAL_CLOSURE, ""), what);
    } finally {
      socket.abort();
    }
  }

  /** The text of some bytes, or null when they are no UTF-8. */
  private static @Nullable String text(byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      return null;
    }
  }

  @Override
  public MessageSource open(SubscriptionRequest request, MessageInbox inbox)
      throws MessageFailure, InterruptedException {
    WebSocketInbox listener = new WebSocketInbox(inbox, maxBytes);
    WebSocket socket = connected(request.endpoint(), request.carrier(), listener);
    return new MessageSource() {
      @Override
      public void resume() {
        listener.resume(socket);
      }

      @Override
      public void close(boolean finished) {
        socket.abort();
      }
    };
  }

  private WebSocket connected(
      MessageEndpoint endpoint, HttpCall carrier, WebSocket.Listener listener)
      throws MessageFailure, InterruptedException {
    var _ = addresses.of(endpoint.server());
    WebSocket.Builder builder = client().newWebSocketBuilder().connectTimeout(patience);
    String authorization = MessageCredentials.authorization(carrier);
    if (authorization != null) {
      builder.header("Authorization", authorization);
    }
    URI uri = URI.create(SCHEME + carrier.uri().substring(SCHEME_OF_HTTP.length()));
    return await(builder.buildAsync(uri, listener), "a connection to the " + endpoint);
  }

  private WebSocket await(CompletableFuture<WebSocket> done, String what)
      throws MessageFailure, InterruptedException {
    try {
      return done.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw MessageFailure.communication(
          "expected " + what + " within " + patience.toMillis() + " ms, found no answer");
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      throw MessageFailure.communication(what, cause == null ? e : cause);
    }
  }

  @Override
  public synchronized void close() {
    if (client != null) {
      client.shutdownNow();
      client = null;
    }
  }
}
