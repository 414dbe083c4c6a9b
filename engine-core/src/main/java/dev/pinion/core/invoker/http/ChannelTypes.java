package dev.pinion.core.invoker.http;

import io.netty.channel.ChannelFactory;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.channel.socket.nio.NioSocketChannel;

/**
 * Channel types that fit the event loop.
 *
 * @param socket factory of channels for calls
 * @param datagram factory of channels for look-ups of names
 */
public record ChannelTypes(
    ChannelFactory<? extends SocketChannel> socket,
    ChannelFactory<? extends DatagramChannel> datagram) {
  /** Types for event loops with the JDK's selectors, on every system. */
  public static ChannelTypes nio() {
    return new ChannelTypes(NioSocketChannel::new, NioDatagramChannel::new);
  }

  /** Types for event loops with Linux's epoll. */
  public static ChannelTypes epoll() {
    return new ChannelTypes(EpollSocketChannel::new, EpollDatagramChannel::new);
  }
}
