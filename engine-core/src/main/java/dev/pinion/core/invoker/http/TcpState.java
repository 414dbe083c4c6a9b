package dev.pinion.core.invoker.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.epoll.EpollTcpInfo;
import io.netty.channel.unix.RawUnixChannelOption;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * State of a connection in the operating system, which the event loop does not know, or not yet.
 * Linux with epoll only; unknown elsewhere. Single-threaded.
 */
final class TcpState {
  // Linux, include/net/tcp_states.h
  private static final int ESTABLISHED = 1;

  // Linux, include/uapi/linux/in.h and tcp.h
  private static final int IPPROTO_TCP = 6;
  private static final int TCP_INFO = 11;

  /** Offset of tcpi_bytes_acked in struct tcp_info; Linux before 4.1 lacks it and leaves 0. */
  private static final int BYTES_ACKED = 120;

  private static final RawUnixChannelOption INFO_TO_BYTES_ACKED =
      new RawUnixChannelOption("TCP_INFO", IPPROTO_TCP, TCP_INFO, BYTES_ACKED + Long.BYTES);

  /** Linux counts the SYN of the side that connected as a byte. */
  private static final int SYN = 1;

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
   * Whether the other side's TCP has acknowledged nothing after a number of sent bytes; false in
   * doubt.
   *
   * @param sentBefore bytes of TCP that the other side has certainly received
   */
  boolean isUnread(Channel channel, long sentBefore) {
    if (!(channel instanceof EpollSocketChannel epoll)) {
      return false;
    }
    try {
      ByteBuffer found = epoll.config().getOption(INFO_TO_BYTES_ACKED);
      long later = found.order(ByteOrder.nativeOrder()).getLong(BYTES_ACKED) - sentBefore;
      return later >= 0 && later <= SYN;
    } catch (ChannelException e) {
      return false;
    }
  }
}
