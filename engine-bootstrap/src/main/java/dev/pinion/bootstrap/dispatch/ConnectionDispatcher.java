package dev.pinion.bootstrap.dispatch;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.channel.unix.DomainSocketReadMode;
import io.netty.channel.unix.FileDescriptor;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Accepts client connections and hands each to a replica, in turn, over a Unix socket that the
 * replica has opened (SCM_RIGHTS). The parent reads nothing of what clients send and keeps no
 * connection.
 *
 * <pre>
 *   client ──▶ port ──accept──▶ dispatcher ──file descriptor──▶ replica 0, 1, 2 …
 * </pre>
 *
 * <p>While no replica takes connections none is accepted: clients wait in the backlog of the
 * operating system. One thread does everything; the public methods may be called by any.
 */
// A failed write is heard of by its listener; a failed close leaves nothing to do.
@SuppressWarnings("FutureReturnValueIgnored")
public final class ConnectionDispatcher implements AutoCloseable {
  /** The Unix socket at which replicas ask for connections. */
  public static final String TAKE = "dispatch.sock";

  /** The Unix socket at which replicas give connections back. */
  public static final String RETURN = "return.sock";

  /** Connections that the operating system keeps until they are accepted. */
  public static final int BACKLOG = 4_096;

  /** Time without accepting after it failed. */
  private static final long PAUSE_MILLIS = 100;

  private static final long STOP_SECONDS = 5;

  private final EventLoopGroup loop;
  private final List<Channel> replicas = new ArrayList<>();
  private final Channel clients;
  private final Channel takers;
  private final Channel returners;
  private final LongAdder handedOver = new LongAdder();
  private final LongAdder dropped = new LongAdder();
  private int next;

  /**
   * Listens for clients and for replicas.
   *
   * @param address where clients connect to; port 0 for a free one
   * @param directory folder for the Unix sockets at which replicas ask for connections, {@value
   *     #TAKE}, and give them back while they drain, {@value #RETURN}
   * @throws IOException when one of them cannot be listened to
   */
  public ConnectionDispatcher(InetSocketAddress address, Path directory) throws IOException {
    this.loop =
        new MultiThreadIoEventLoopGroup(
            1, new DefaultThreadFactory("dispatcher", true), EpollIoHandler.newFactory());
    try {
      this.clients = listen(address);
      this.takers =
          listenToReplicas(directory.resolve(TAKE), DomainSocketReadMode.BYTES, TakerLine::new);
      this.returners =
          listenToReplicas(
              directory.resolve(RETURN), DomainSocketReadMode.FILE_DESCRIPTORS, ReturnLine::new);
    } catch (IOException | RuntimeException e) {
      loop.shutdownGracefully(0, STOP_SECONDS, TimeUnit.SECONDS);
      throw e;
    }
  }

  private Channel listen(InetSocketAddress address) throws IOException {
    try {
      return new Bootstrap()
          .group(loop)
          .channelFactory(EpollServerSocketChannel::new)
          .option(ChannelOption.AUTO_READ, false)
          .option(ChannelOption.SO_REUSEADDR, true)
          .option(ChannelOption.SO_BACKLOG, BACKLOG)
          .handler(new Acceptor())
          .bind(address)
          .syncUninterruptibly()
          .channel();
    } catch (Exception e) { // Netty throws the checked cause of a failed bind without declaring it
      throw new IOException(
          "expected to listen at " + address + ", but could not: " + e.getMessage(), e);
    }
  }

  private Channel listenToReplicas(
      Path socket, DomainSocketReadMode mode, Supplier<ChannelHandler> line) throws IOException {
    try {
      return new ServerBootstrap()
          .group(loop)
          .channel(EpollServerDomainSocketChannel.class)
          .childOption(EpollChannelOption.DOMAIN_SOCKET_READ_MODE, mode)
          .childHandler(
              new ChannelInitializer<EpollDomainSocketChannel>() {
                @Override
                protected void initChannel(EpollDomainSocketChannel channel) {
                  channel.pipeline().addLast(line.get());
                }
              })
          .bind(new DomainSocketAddress(socket.toFile()))
          .syncUninterruptibly()
          .channel();
    } catch (Exception e) { // as above
      throw new IOException(
          "expected to listen at " + socket + ", but could not: " + e.getMessage(), e);
    }
  }

  /** Where clients connect to. */
  public InetSocketAddress address() {
    return (InetSocketAddress) clients.localAddress();
  }

  /** Connections handed over so far. */
  public long handedOver() {
    return handedOver.sum();
  }

  /** Connections closed because the replica they were meant for ended meanwhile. */
  public long dropped() {
    return dropped.sum();
  }

  @Override
  public void close() {
    clients.close().syncUninterruptibly();
    takers.close().syncUninterruptibly();
    returners.close().syncUninterruptibly();
    loop.shutdownGracefully(0, STOP_SECONDS, TimeUnit.SECONDS)
        .awaitUninterruptibly(STOP_SECONDS, TimeUnit.SECONDS);
  }

  private void dispatch(EpollSocketChannel client) {
    Channel replica = nextReplica();
    if (replica == null) {
      drop(client);
      return;
    }
    replica
        .writeAndFlush(client.fd())
        .addListener(
            sent -> {
              if (sent.isSuccess()) {
                handedOver.increment();
                client.unsafe().closeForcibly();
              } else {
                replicas.remove(replica);
                dispatch(client);
              }
            });
  }

  /** The next replica whose socket has room; one that stands still is passed over while it can. */
  private @Nullable Channel nextReplica() {
    for (int i = 0; i < replicas.size(); i++) {
      Channel replica = replicas.get((next + i) % replicas.size());
      if (replica.isWritable()) {
        next = (next + i + 1) % replicas.size();
        return replica;
      }
    }
    return replicas.isEmpty() ? null : replicas.get(next++ % replicas.size());
  }

  private void drop(EpollSocketChannel client) {
    dropped.increment();
    client.unsafe().closeForcibly();
  }

  private void acceptWhileThereIsAReplica() {
    clients.config().setAutoRead(!replicas.isEmpty());
  }

  /** Hears of accepted clients. They are never registered: their replica does that. */
  private final class Acceptor extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      dispatch((EpollSocketChannel) message);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      // Accepting failed, for want of file descriptors most likely; some are freed meanwhile.
      clients.config().setAutoRead(false);
      ctx.executor()
          .schedule(
              ConnectionDispatcher.this::acceptWhileThereIsAReplica,
              PAUSE_MILLIS,
              TimeUnit.MILLISECONDS);
    }
  }

  /** The line to one replica: it asks by opening, and ends by half-closing. */
  private final class TakerLine extends ChannelInboundHandlerAdapter {
    @Override
    public void channelActive(ChannelHandlerContext ctx) {
      replicas.add(ctx.channel());
      acceptWhileThereIsAReplica();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
      replicas.remove(ctx.channel());
      acceptWhileThereIsAReplica();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      ctx.close();
    }
  }

  /** The line by which a replica that drains gives connections back. */
  private final class ReturnLine extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      dispatch(new EpollSocketChannel(((FileDescriptor) message).intValue()));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      ctx.close();
    }
  }
}
