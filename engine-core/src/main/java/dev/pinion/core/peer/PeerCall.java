package dev.pinion.core.peer;

import io.netty.channel.Channel;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import org.jspecify.annotations.Nullable;

/** One request with the receiver of its reply. */
final class PeerCall implements PeerRequest {
  private final FullHttpRequest request;
  private final PeerResponseListener responseListener;
  private @Nullable Channel channel;
  private boolean ended;

  PeerCall(FullHttpRequest request, PeerResponseListener responseListener) {
    this.request = request;
    this.responseListener = responseListener;
  }

  boolean ended() {
    return ended;
  }

  /** The request; its channel releases it from now on. */
  FullHttpRequest begin(Channel on) {
    channel = on;
    return request;
  }

  void onResponse(FullHttpResponse response) {
    if (!ended) {
      ended = true;
      responseListener.onResponse(response);
    }
  }

  /**
   * Ends a request that could not be written completely, so the other replica cannot have begun it.
   */
  void onUnsent(Throwable cause) {
    if (!ended) {
      ended = true;
      responseListener.onLost(false, cause);
    }
  }

  void onLost(Throwable cause) {
    if (!ended) {
      ended = true;
      releaseUnsent();
      responseListener.onLost(channel != null, cause);
    }
  }

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // a failed close leaves nothing to do
  public void cancel() {
    if (ended) {
      return;
    }
    ended = true;
    releaseUnsent();
    if (channel != null) {
      channel.close();
    }
  }

  private void releaseUnsent() {
    if (channel == null) {
      request.release();
    }
  }
}
