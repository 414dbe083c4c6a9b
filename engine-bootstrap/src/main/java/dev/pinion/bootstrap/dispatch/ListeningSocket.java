package dev.pinion.bootstrap.dispatch;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * A socket that listens for clients and outlives the replica that accepts on it: the replica
 * receives its descriptor over a Unix socket (SCM_RIGHTS). The parent itself accepts nothing.
 * Clients that connect while the replica is restarted wait in the backlog.
 */
// A failed write closes the line, which the replica notices; a failed close leaves nothing to do.
@SuppressWarnings("FutureReturnValueIgnored")
public final class ListeningSocket implements AutoCloseable {
  /** The Unix socket at which the replica requests the descriptor. */
  public static final String NAME = "listen.sock";

  private static final long STOP_SECONDS = 5;

  private final EventLoopGroup loop;
  private final EpollServerSocketChannel clients;
  private final Channel replicas;

  /**
   * Listens.
   *
   * @param address address for clients; port 0 for a free one
   * @param directory folder for the Unix socket
   * @throws IOException when listening fails
   */
  public ListeningSocket(InetSocketAddress address, Path directory) throws IOException {
    this(
        address,
        directory,
        new MultiThreadIoEventLoopGroup(
            1, new DefaultThreadFactory("listening", true), EpollIoHandler.newFactory()));
  }

  /**
   * Listens on a loop that it shuts down.
   *
   * @param loop a loop of one thread
   */
  ListeningSocket(InetSocketAddress address, Path directory, EventLoopGroup loop)
      throws IOException {
    this.loop = loop;
    try {
      clients =
          (EpollServerSocketChannel)
              new Bootstrap()
                  .group(loop)
                  .channelFactory(EpollServerSocketChannel::new)
                  .option(ChannelOption.AUTO_READ, false)
                  .option(ChannelOption.SO_REUSEADDR, true)
                  .option(ChannelOption.SO_BACKLOG, ConnectionDispatcher.BACKLOG)
                  .handler(new ChannelInboundHandlerAdapter())
                  .bind(address)
                  .syncUninterruptibly()
                  .channel();
      replicas =
          new ServerBootstrap()
              .group(loop)
              .channel(EpollServerDomainSocketChannel.class)
              .childHandler(
                  new ChannelInitializer<EpollDomainSocketChannel>() {
                    @Override
                    protected void initChannel(EpollDomainSocketChannel channel) {
                      channel.pipeline().addLast(new DescriptorHandler());
                    }
                  })
              .bind(new DomainSocketAddress(directory.resolve(NAME).toFile()))
              .syncUninterruptibly()
              .channel();
    } catch (Exception e) { // Netty throws the checked cause of a failed bind without declaring it
      loop.shutdownGracefully(0, STOP_SECONDS, TimeUnit.SECONDS);
      throw new IOException(
          "expected to listen at " + address + ", but could not: " + e.getMessage(), e);
    }
  }

  /** Whether sockets can be passed on here: on Linux, where Netty's native transport loads. */
  public static boolean available() {
    return Epoll.isAvailable();
  }

  /** Address for clients. */
  public InetSocketAddress address() {
    return clients.localAddress();
  }

  /**
   * Waits until previous requests of replicas are handled.
   *
   * @return whether they are; false if that would take longer
   */
  public boolean awaitIdle(Duration atMost) {
    return loop.submit(() -> {}).awaitUninterruptibly(atMost.toMillis());
  }

  @Override
  public void close() {
    clients.close().syncUninterruptibly();
    replicas.close().syncUninterruptibly();
    loop.shutdownGracefully(0, STOP_SECONDS, TimeUnit.SECONDS)
        .awaitUninterruptibly(STOP_SECONDS, TimeUnit.SECONDS);
  }

  /** The line of a replica that requests the descriptor. */
  private final class DescriptorHandler extends ChannelInboundHandlerAdapter {
    @Override
    public void channelActive(ChannelHandlerContext ctx) {
      ctx.writeAndFlush(clients.fd());
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      ctx.close();
    }
  }
}
