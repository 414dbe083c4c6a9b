package dev.pinion.bootstrap.client.asyncapi;

import java.io.ByteArrayOutputStream;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Puts what comes over a WebSocket into an inbox: asks for more only while there is room. */
final class WebSocketInbox implements WebSocket.Listener {
  private final MessageInbox inbox;
  private final int maxBytes;
  private final ByteArrayOutputStream parts = new ByteArrayOutputStream();
  private final AtomicBoolean paused = new AtomicBoolean();

  WebSocketInbox(MessageInbox inbox, int maxBytes) {
    this.inbox = inbox;
    this.maxBytes = maxBytes;
  }

  /** Listener of a connection that only sends. */
  static final class Ignoring implements WebSocket.Listener {}

  @Override
  public @Nullable CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
    parts.writeBytes(data.toString().getBytes(StandardCharsets.UTF_8));
    onPart(socket, last);
    return null;
  }

  @Override
  public @Nullable CompletionStage<?> onBinary(WebSocket socket, ByteBuffer data, boolean last) {
    byte[] bytes = new byte[data.remaining()];
    data.get(bytes);
    parts.writeBytes(bytes);
    onPart(socket, last);
    return null;
  }

  private void onPart(WebSocket socket, boolean last) {
    if (parts.size() > maxBytes) {
      inbox.failed(HttpStream.tooLong(maxBytes));
      socket.abort();
      return;
    }
    paused.set(true); // before it is known, so that no end of the pause is missed
    boolean hasRoom = true;
    if (last) {
      hasRoom = inbox.put(HttpStream.message(parts.toByteArray(), null, Map.of()));
      parts.reset();
    }
    if (hasRoom) {
      resume(socket);
    }
  }

  /** Goes on after a pause. */
  void resume(WebSocket socket) {
    if (paused.compareAndSet(true, false)) {
      socket.request(1);
    }
  }

  @Override
  public @Nullable CompletionStage<?> onClose(WebSocket socket, int status, String reason) {
    inbox.ended();
    return null;
  }

  @Override
  public void onError(WebSocket socket, Throwable error) {
    inbox.failed(MessageFailure.communication("the connection of the WebSocket to stay", error));
  }
}
