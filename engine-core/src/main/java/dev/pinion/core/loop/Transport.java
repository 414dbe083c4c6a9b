package dev.pinion.core.loop;

import io.netty.channel.Channel;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.epoll.EpollSocketChannelConfig;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.util.function.Function;

/**
 * Mechanism of the event loops' I/O.
 *
 * @param name name for people
 * @param ioHandler factory of the part of a loop that waits for I/O
 * @param serverChannel type of listening sockets
 * @param socketChannel type of connecting sockets
 * @param unixServerChannel type of listening Unix sockets
 * @param unixSocketChannel type of connecting Unix sockets
 * @param unixAddress factory of the address of a Unix socket for such channels
 */
public record Transport(
    String name,
    IoHandlerFactory ioHandler,
    Class<? extends ServerSocketChannel> serverChannel,
    Class<? extends SocketChannel> socketChannel,
    Class<? extends ServerChannel> unixServerChannel,
    Class<? extends Channel> unixSocketChannel,
    Function<Path, SocketAddress> unixAddress) {
  /** epoll on Linux where its native library loads, else NIO. */
  public static Transport best() {
    return Epoll.isAvailable() ? epoll() : nio();
  }

  /**
   * Limits the unsent bytes of a connection that the operating system buffers, where it supports
   * that (TCP_NOTSENT_LOWAT).
   */
  public void limitUnsent(Channel connection, int bytes) {
    if (connection.config() instanceof EpollSocketChannelConfig tcp) {
      tcp.setTcpNotSentLowAt(bytes);
    }
  }

  /** Linux epoll. */
  public static Transport epoll() {
    return new Transport(
        "epoll",
        EpollIoHandler.newFactory(),
        EpollServerSocketChannel.class,
        EpollSocketChannel.class,
        EpollServerDomainSocketChannel.class,
        EpollDomainSocketChannel.class,
        path -> new DomainSocketAddress(path.toFile()));
  }

  /** The JDK's selectors; runs everywhere. */
  public static Transport nio() {
    return new Transport(
        "nio",
        NioIoHandler.newFactory(),
        NioServerSocketChannel.class,
        NioSocketChannel.class,
        NioServerDomainSocketChannel.class,
        NioDomainSocketChannel.class,
        UnixDomainSocketAddress::of);
  }
}
