package dev.pinion.core.invoker;

import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.epoll.EpollTcpInfo;

/**
 * What the operating system knows of a connection and the event loop does not, or not yet. Linux
 * with epoll only; elsewhere nothing is known. One thread.
 */
final class TcpState {
  // Linux, include/net/tcp_states.h
  private static final int ESTABLISHED = 1;
  private static final int CLOSED = 7;

  private final EpollTcpInfo info = new EpollTcpInfo();

  /** Whether neither side has closed. One call of the system. */
  boolean isOpen(Channel channel) {
    if (!(channel instanceof EpollSocketChannel epoll)) {
      return true;
    }
    try {
      epoll.tcpInfo(info);
      return info.state() == ESTABLISHED;
    } catch (ChannelException e) {
      return false;
    }
  }

  /**
   * Whether the other side has closed before it had all that was sent: it has not acknowledged all,
   * or refused what came after its close (RST).
   */
  boolean closedUnread(Channel channel) {
    if (!(channel instanceof EpollSocketChannel epoll)) {
      return false;
    }
    try {
      epoll.tcpInfo(info);
      return info.state() == CLOSED || info.unacked() > 0;
    } catch (ChannelException e) {
      return false;
    }
  }
}
