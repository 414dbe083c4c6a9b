package dev.pinion.core.loop;

import io.netty.channel.IoHandlerFactory;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;

/**
 * How event loops talk to the operating system.
 *
 * @param name for people
 * @param ioHandler makes the part of a loop that waits for I/O
 * @param serverChannel listening sockets
 * @param socketChannel connecting sockets
 */
public record Transport(
    String name,
    IoHandlerFactory ioHandler,
    Class<? extends ServerSocketChannel> serverChannel,
    Class<? extends SocketChannel> socketChannel) {
  /** epoll on Linux where its native library loads, else NIO. */
  public static Transport best() {
    return Epoll.isAvailable() ? epoll() : nio();
  }

  /** Linux epoll. */
  public static Transport epoll() {
    return new Transport(
        "epoll",
        EpollIoHandler.newFactory(),
        EpollServerSocketChannel.class,
        EpollSocketChannel.class);
  }

  /** The JDK's selectors; runs everywhere. */
  public static Transport nio() {
    return new Transport(
        "nio", NioIoHandler.newFactory(), NioServerSocketChannel.class, NioSocketChannel.class);
  }
}
