package dev.pinion.core.invoker.http;

import io.netty.channel.Channel;
import java.io.IOException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * How far the request under way on a connection has come: a request that the service did not
 * receive may be sent on another connection. Event loop only.
 */
final class RequestDelivery {
  private final TcpState tcp;
  private final SentBytes sent = new SentBytes();

  /** Whether an earlier request was answered on the connection. */
  private boolean used;

  /** Bytes sent before the request under way. */
  private long sentBefore;

  /** Whether the service closed before it received anything of the request under way. */
  private boolean closedUnread;

  RequestDelivery(TcpState tcp) {
    this.tcp = tcp;
  }

  /** The handler that counts what the connection sends. */
  SentBytes sent() {
    return sent;
  }

  /** Begins with a request. */
  void begin() {
    closedUnread = false;
    sentBefore = sent.count();
  }

  /** Records that the request was answered, and that the connection is kept. */
  void complete() {
    used = true;
  }

  /** Whether the service is known to have received nothing of the request. */
  boolean isUnread() {
    return closedUnread;
  }

  /** Records that the service sends no more, while a request is under way or not. */
  void onInputEnded(Channel channel, boolean busy) {
    closedUnread = busy && tcp.isUnread(channel, sentBefore);
  }

  /**
   * Claims the retry of a call whose connection broke, if an earlier one was answered on it and the
   * service has closed it.
   *
   * @param answered whether a byte of the response came
   * @param closeNotified whether the service announced the end
   */
  boolean claimRetry(
      CallExchange broken, boolean answered, boolean closeNotified, @Nullable Throwable cause) {
    boolean stale = used && !answered && isByPeer(cause) && !(cause instanceof SSLException);
    boolean reset = cause != null && !closeNotified;
    return stale && broken.claimRetry(closedUnread, reset);
  }

  /** Whether the service has ended a connection. */
  static boolean isByPeer(@Nullable Throwable cause) {
    return cause == null || cause instanceof IOException;
  }
}
