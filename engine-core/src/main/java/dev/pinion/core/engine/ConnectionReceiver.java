package dev.pinion.core.engine;

import dev.pinion.core.http.ClientConnections;
import dev.pinion.core.http.ConnectionGate;
import dev.pinion.core.loop.StageLoop;
import dev.pinion.core.model.Clock;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.unix.DomainSocketReadMode;
import io.netty.channel.unix.FileDescriptor;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes client connections that the parent has accepted, over a Unix socket (SCM_RIGHTS), and
 * distributes them over the event loops in turn.
 *
 * <p>Opening the socket requests connections. Each is confirmed with {@link #TAKEN} before anything
 * of it is read; a connection that is unconfirmed when this replica dies goes to another one.
 * {@link #NO_MORE} requests no more, and the parent closes the socket when all in transit are
 * confirmed. A socket that breaks otherwise is opened again.
 */
// A failed write closes the channel, which is noticed; a failed close leaves nothing to do.
@SuppressWarnings("FutureReturnValueIgnored")
final class ConnectionReceiver implements AutoCloseable {
  /** Sent by this replica when it has a connection, and by the parent when it has one back. */
  static final byte TAKEN = 1;

  /** Sent by this replica when it takes no more. */
  static final byte NO_MORE = 2;

  private static final long PAUSE_MILLIS = 100;
  private static final Logger LOG = LoggerFactory.getLogger(ConnectionReceiver.class);

  private final SocketAddress dispatcher;
  private final List<StageLoop> loops;
  private final Consumer<Channel> setup;
  private final ClientConnections clients;
  private final Clock clock;
  private volatile Channel line;
  private volatile boolean refuses;

  /** Connections that are confirmed but not yet registered with their loop. */
  private final AtomicInteger arriving = new AtomicInteger();

  private int next;

  /**
   * Begins to take connections.
   *
   * @param dispatcher the parent's address for handing over
   * @param loops event loops for the connections; the first one hosts the Unix socket too
   * @param setup prepares each connection, on its loop
   * @param clients counts them; without room for more none is read, and those sent by the parent
   *     wait on the line
   * @param clock source of the times sent to the parent
   * @throws IOException when the parent cannot be reached
   */
  ConnectionReceiver(
      SocketAddress dispatcher,
      List<StageLoop> loops,
      Consumer<Channel> setup,
      ClientConnections clients,
      Clock clock)
      throws IOException {
    this.clients = clients;
    this.clock = clock;
    this.dispatcher = dispatcher;
    this.loops = loops;
    this.setup = setup;
    ChannelFuture connected = connect().awaitUninterruptibly();
    if (!connected.isSuccess()) {
      throw new IOException(
          "expected the parent to hand connections over at "
              + dispatcher
              + ", but could not connect: "
              + connected.cause(),
          connected.cause());
    }
    this.line = connected.channel();
  }

  private ChannelFuture connect() {
    return new Bootstrap()
        .group(loops.getFirst())
        .channel(EpollDomainSocketChannel.class)
        .option(EpollChannelOption.DOMAIN_SOCKET_READ_MODE, DomainSocketReadMode.FILE_DESCRIPTORS)
        .option(ChannelOption.RECVBUF_ALLOCATOR, FairTurns.accepts())
        .handler(
            new ChannelInitializer<>() {
              @Override
              protected void initChannel(Channel channel) {
                channel.pipeline().addLast(new ConnectionGate(clients), new ConnectionChannel());
              }
            })
        .connect(dispatcher);
  }

  private void connectAgain() {
    if (!refuses) {
      connect()
          .addListener(
              (ChannelFuture connected) -> {
                if (connected.isSuccess()) {
                  onConnectedAgain(connected.channel());
                } else {
                  connectLater();
                }
              });
    }
  }

  /** Closes a new line if none is wanted any more: it has not confirmed any connection yet. */
  private void onConnectedAgain(Channel again) {
    line = again;
    if (refuses) {
      again.close();
    }
  }

  private void connectLater() {
    loops.getFirst().schedule(this::connectAgain, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Requests no more connections; those in transit still arrive. Any thread. */
  void refuseMore() {
    refuses = true;
    line.writeAndFlush(word(NO_MORE));
  }

  /** Whether connections may still arrive. Any thread. */
  boolean isOpen() {
    return line.isOpen() || arriving.get() > 0;
  }

  @Override
  public void close() {
    refuses = true;
    line.close().syncUninterruptibly();
  }

  /** A message with its time by the clock that all processes of the machine share. */
  private ByteBuf word(byte word) {
    return Unpooled.buffer(1 + Long.BYTES).writeByte(word).writeLong(clock.nanoTime());
  }

  private StageLoop nextLoop() {
    StageLoop loop = loops.get(next);
    next = (next + 1) % loops.size();
    return loop;
  }

  private void adopt(FileDescriptor descriptor, StageLoop loop) {
    EpollSocketChannel client;
    try {
      client = new EpollSocketChannel(descriptor.intValue());
    } catch (ChannelException e) { // the other descriptors of this line are still connections
      LOG.warn("expected the connection of a client to take over, found something else", e);
      close(descriptor);
      arriving.decrementAndGet();
      return;
    }
    clients.opened(client);
    client.pipeline().addLast(new ConnectionSetup());
    loop.register(client)
        .addListener(
            registered -> {
              if (!registered.isSuccess()) {
                LOG.warn("a connection could not be taken over", registered.cause());
                client.unsafe().closeForcibly();
              }
              loop.execute(arriving::decrementAndGet); // it already counts as open
            });
  }

  private static void close(FileDescriptor descriptor) {
    try {
      descriptor.close();
    } catch (IOException e) {
      // It is closed anyway (close(2)).
    }
  }

  /** Prepares a connection once its loop is known. */
  private final class ConnectionSetup extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRegistered(ChannelHandlerContext ctx) {
      setup.accept(ctx.channel());
      ctx.pipeline().remove(this);
      ctx.fireChannelRegistered();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      LOG.warn("a connection could not be prepared", cause);
      ctx.close();
    }
  }

  private final class ConnectionChannel extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      StageLoop loop = nextLoop();
      arriving.incrementAndGet();
      if (loop.inEventLoop()) { // reads nothing of it before its next turn
        adopt((FileDescriptor) message, loop);
        ctx.writeAndFlush(word(TAKEN));
      } else {
        ctx.writeAndFlush(word(TAKEN));
        adopt((FileDescriptor) message, loop);
      }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
      if (!refuses) {
        LOG.warn("the line by which connections are handed over broke; it is opened again");
        connectLater();
      }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      LOG.warn("connections cannot be taken over by this line", cause);
      ctx.close();
    }
  }
}
