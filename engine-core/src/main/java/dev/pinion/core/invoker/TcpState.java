package dev.pinion.core.invoker;

import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.epoll.EpollTcpInfo;

/**
 * State of a connection in the operating system, which the event loop does not know, or not yet.
 * Linux with epoll only; unknown elsewhere. Single-threaded.
 */
final class TcpState {
  // Linux, include/net/tcp_states.h
  private static final int ESTABLISHED = 1;
  private static final int CLOSED = 7;

  private final EpollTcpInfo info = new EpollTcpInfo();

  /** Whether neither side has closed. One system call. */
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
   * Whether the other side has closed before it had received everything: it has not acknowledged
   * all, or refused data after its close (RST).
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
