package dev.pinion.workloads.transport;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;

/** A transport of Netty: its mechanism of I/O, and the matching channel classes. */
public enum NettyTransport {
  /** Linux epoll through Netty's native library. */
  EPOLL(EpollServerSocketChannel.class, EpollSocketChannel.class),
  /** The JDK's selectors: available everywhere. */
  NIO(NioServerSocketChannel.class, NioSocketChannel.class);

  private final Class<? extends ServerSocketChannel> serverChannel;
  private final Class<? extends SocketChannel> clientChannel;

  NettyTransport(
      Class<? extends ServerSocketChannel> serverChannel,
      Class<? extends SocketChannel> clientChannel) {
    this.serverChannel = serverChannel;
    this.clientChannel = clientChannel;
  }

  /** Epoll where its native library loads, else NIO. */
  public static NettyTransport best() {
    return Epoll.isAvailable() ? EPOLL : NIO;
  }

  /**
   * Creates event loops of this transport, on daemon threads.
   *
   * @param threads number of loops
   * @param name prefix of the threads' names
   */
  public EventLoopGroup loops(int threads, String name) {
    IoHandlerFactory handlers =
        this == EPOLL ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
    return new MultiThreadIoEventLoopGroup(threads, new DefaultThreadFactory(name, true), handlers);
  }

  /** Class of listening channels. */
  public Class<? extends ServerSocketChannel> serverChannel() {
    return serverChannel;
  }

  /** Class of connecting channels. */
  public Class<? extends SocketChannel> clientChannel() {
    return clientChannel;
  }
}
