package dev.pinion.core.peer;

import io.netty.handler.codec.http.FullHttpResponse;

/** Receiver of the end of a request: one call of one method. */
public interface PeerResponseListener {
  /** Receives the response of the other replica. It is valid during the call only. */
  void onResponse(FullHttpResponse response);

  /**
   * Reports that there will be no response.
   *
   * @param begun whether the other replica may have begun the request
   */
  void onLost(boolean begun, Throwable cause);
}
