package dev.pinion.core.invoker;

import io.netty.channel.ChannelFactory;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.channel.socket.nio.NioSocketChannel;

/**
 * Which channels fit the event loop.
 *
 * @param socket makes channels for calls
 * @param datagram makes channels for look-ups of names
 */
public record ChannelTypes(
    ChannelFactory<? extends SocketChannel> socket,
    ChannelFactory<? extends DatagramChannel> datagram) {
  /** For event loops of the JDK's selectors, on every system. */
  public static ChannelTypes nio() {
    return new ChannelTypes(NioSocketChannel::new, NioDatagramChannel::new);
  }

  /** For event loops of Linux's epoll. */
  public static ChannelTypes epoll() {
    return new ChannelTypes(EpollSocketChannel::new, EpollDatagramChannel::new);
  }
}
