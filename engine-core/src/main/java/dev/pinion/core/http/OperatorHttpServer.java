package dev.pinion.core.http;

import dev.pinion.core.limits.RequestLimits;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannelRecvByteBufAllocator;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A small HTTP server for operators: one event loop, a bounded number of connections, requests
 * without bodies, answers made by threads that may block. Requests pass the same decoder and checks
 * as those of clients; every refusal is a problem of RFC 9457.
 */
// A failed close leaves nothing to do.
@SuppressWarnings("FutureReturnValueIgnored")
public final class OperatorHttpServer implements AutoCloseable {
  /** Clients that wait to be accepted; a flood of them is accepted within a tenth of a second. */
  private static final int BACKLOG = 128;

  private static final long QUIET_MILLIS = 0;
  private static final long CLOSING_MILLIS = 1_000;

  private final EventLoopGroup loop;
  private final RequestLimits limits;
  private final AllowedHosts hosts;
  private final Executor threads;
  private final OperatorService operatorService;
  private final OperatorConnections connections;
  private @Nullable Channel listener;

  private OperatorHttpServer(
      RequestLimits limits,
      AllowedHosts hosts,
      Executor threads,
      OperatorService operatorService,
      int maxConnections) {
    this.limits = limits;
    this.hosts = hosts;
    this.threads = threads;
    this.operatorService = operatorService;
    this.loop =
        new MultiThreadIoEventLoopGroup(
            1, new DefaultThreadFactory("admin-io", true), NioIoHandler.newFactory());
    this.connections = new OperatorConnections(maxConnections, loop.next());
  }

  /**
   * Opens a server and starts it.
   *
   * @param address address to listen on; port 0 means any free port
   * @param limits bounds of heads, and the time a request may take to arrive
   * @param hosts names and addresses under which it may be called
   * @param threads executor that answers requests
   * @param maxConnections connections open at once; more wait to be accepted until one of these
   *     closes, or is closed for them after a time without a request
   * @throws IOException when it cannot listen there
   */
  public static OperatorHttpServer open(
      InetSocketAddress address,
      RequestLimits limits,
      AllowedHosts hosts,
      Executor threads,
      OperatorService operatorService,
      int maxConnections)
      throws IOException {
    OperatorHttpServer server =
        new OperatorHttpServer(limits, hosts, threads, operatorService, maxConnections);
    server.listen(address);
    return server;
  }

  private void listen(InetSocketAddress address) throws IOException {
    ChannelFuture bound =
        new ServerBootstrap()
            .group(loop)
            .channel(NioServerSocketChannel.class)
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .option(ChannelOption.SO_REUSEADDR, true)
            // One at a time, so that the bound on connections holds.
            .option(
                ChannelOption.RECVBUF_ALLOCATOR,
                new ServerChannelRecvByteBufAllocator().maxMessagesPerRead(1))
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    accept(channel);
                  }
                })
            .bind(address)
            .awaitUninterruptibly();
    if (!bound.isSuccess()) {
      close();
      Throwable cause = bound.cause();
      throw cause instanceof IOException failure ? failure : new IOException(cause);
    }
    listener = bound.channel();
  }

  private void accept(Channel channel) {
    OperatorConnection connection =
        new OperatorConnection(limits, hosts, threads, operatorService, connections);
    channel.pipeline().addLast(connection.decoder(), connection);
    connections.opened(channel.parent(), connection);
    channel.closeFuture().addListener(_ -> connections.closed(channel.parent(), connection));
  }

  /** The address that it listens on. */
  public InetSocketAddress address() {
    Channel bound = listener;
    if (bound == null || !(bound.localAddress() instanceof InetSocketAddress address)) {
      throw new IllegalStateException("expected a listener that is open");
    }
    return address;
  }

  /** Stops listening; answers under way are cut off. */
  @Override
  public void close() {
    loop.shutdownGracefully(QUIET_MILLIS, CLOSING_MILLIS, TimeUnit.MILLISECONDS)
        .awaitUninterruptibly();
  }
}
