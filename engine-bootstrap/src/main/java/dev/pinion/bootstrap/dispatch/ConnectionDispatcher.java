package dev.pinion.bootstrap.dispatch;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MaxMessagesRecvByteBufAllocator;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannelRecvByteBufAllocator;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.channel.unix.DomainSocketReadMode;
import io.netty.channel.unix.FileDescriptor;
import io.netty.handler.codec.FixedLengthFrameDecoder;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Accepts client connections and hands each to a replica, in turn, over a Unix socket that the
 * replica has opened (SCM_RIGHTS). The parent reads no data of clients and keeps no connection.
 *
 * <pre>
 *   client ──▶ port ──accept──▶ dispatcher ──file descriptor──▶ replica 0, 1, 2 …
 * </pre>
 *
 * <p>The parent keeps its own descriptor until the replica has confirmed the connection; a replica
 * confirms before it reads anything, so a connection on its way to a replica that dies goes to
 * another one. While no replica has capacity, none is accepted: clients wait in the backlog of the
 * operating system. One thread does all work; any thread may call the public methods.
 */
// A failed write is reported to its listener; a failed close leaves nothing to do.
@SuppressWarnings("FutureReturnValueIgnored")
public final class ConnectionDispatcher implements AutoCloseable {
  /** The Unix socket at which replicas request connections. */
  public static final String TAKE = "dispatch.sock";

  /** The Unix socket at which replicas return connections. */
  public static final String RETURN = "return.sock";

  /** Connections that the operating system keeps until they are accepted. */
  public static final int BACKLOG = 4_096;

  /** Message of a replica that has received a connection, and of the parent that has one back. */
  static final byte TAKEN = 1;

  /**
   * Length of a replica's message: a byte, and the time in nanoseconds of the machine's monotonic
   * clock.
   */
  static final int WORD_BYTES = 1 + Long.BYTES;

  /** Message of a replica that accepts no more. */
  static final byte NO_MORE = 2;

  /**
   * Most connections on their way to one replica. A Unix socket holds a few hundred descriptors;
   * beyond that Netty gives up on it.
   */
  private static final int WINDOW = 64;

  /** Most connections that the parent holds, if its file descriptors suffice. */
  public static final int MAX_HELD = 10_000;

  /** Connections accepted in one turn, so that a flood does not delay messages of replicas. */
  static final int ACCEPTS_PER_TURN = 4;

  private static final long STOP_SECONDS = 5;

  private final LongSupplier clock;
  private final LongConsumer handoverNanos;
  private final int mostHeld;
  private final EventLoopGroup loop;

  /** Changed by the event loop only. */
  private final List<ReplicaHandler> lines = new CopyOnWriteArrayList<>();

  /** Connections for which no replica has capacity. */
  private final Deque<AcceptedConnection> waiting = new ArrayDeque<>();

  /** Lines of replicas that wait until the parent has capacity for the connections they return. */
  private final List<Channel> full = new ArrayList<>();

  private final Channel clients;
  private final Channel takers;
  private final Channel returners;
  private final LongAdder handedOver = new LongAdder();
  private final RateLimitedWarning dropped;
  private final RateLimitedWarning acceptFailures;
  private final AcceptGate gate;
  private int next;

  /**
   * Listens for clients and for replicas.
   *
   * @param address address for clients; port 0 for a free one
   * @param directory folder for the Unix sockets at which replicas request connections, {@value
   *     #TAKE}, and return them while they drain, {@value #RETURN}
   * @param mostHeld most connections that the parent holds; beyond it none is accepted or taken
   *     back
   * @param monotonicNanos the machine's monotonic clock
   * @param handoverNanos receives, on the dispatcher's thread, the time of each connection from the
   *     accept here to the active channel in a replica
   * @param log receives, on the dispatcher's thread, failures
   * @throws IOException when listening fails
   */
  public ConnectionDispatcher(
      InetSocketAddress address,
      Path directory,
      int mostHeld,
      LongSupplier monotonicNanos,
      LongConsumer handoverNanos,
      Consumer<String> log)
      throws IOException {
    this.mostHeld = mostHeld;
    this.clock = monotonicNanos;
    this.handoverNanos = handoverNanos;
    this.dropped = new RateLimitedWarning(monotonicNanos, log);
    this.acceptFailures = new RateLimitedWarning(monotonicNanos, log);
    this.gate = new AcceptGate(acceptFailures);
    this.loop =
        new MultiThreadIoEventLoopGroup(
            1, new DefaultThreadFactory("dispatcher", true), EpollIoHandler.newFactory());
    try {
      this.clients = listen(address);
      this.takers =
          listenToReplicas(
              directory.resolve(TAKE),
              DomainSocketReadMode.BYTES,
              () -> List.of(new FixedLengthFrameDecoder(WORD_BYTES), new ReplicaHandler()));
      this.returners =
          listenToReplicas(
              directory.resolve(RETURN),
              DomainSocketReadMode.FILE_DESCRIPTORS,
              () -> List.of(new ReturnHandler()));
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
          .option(
              ChannelOption.RECVBUF_ALLOCATOR,
              new ServerChannelRecvByteBufAllocator()
                  .respectMaybeMoreData(false) // unknown to Netty for a listening socket
                  .maxMessagesPerRead(ACCEPTS_PER_TURN))
          .handler(
              new ChannelInitializer<EpollServerSocketChannel>() {
                @Override
                protected void initChannel(EpollServerSocketChannel channel) {
                  channel.pipeline().addLast(new AcceptHandler(), gate);
                }
              })
          .bind(address)
          .syncUninterruptibly()
          .channel();
    } catch (Exception e) { // Netty throws the checked cause of a failed bind without declaring it
      throw new IOException(
          "expected to listen at " + address + ", but could not: " + e.getMessage(), e);
    }
  }

  private Channel listenToReplicas(
      Path socket, DomainSocketReadMode mode, Supplier<List<ChannelHandler>> line)
      throws IOException {
    try {
      return new ServerBootstrap()
          .group(loop)
          .channel(EpollServerDomainSocketChannel.class)
          .childOption(EpollChannelOption.DOMAIN_SOCKET_READ_MODE, mode)
          // messages that a replica sent before a write to it failed must still be read
          .childOption(ChannelOption.AUTO_CLOSE, false)
          .childHandler(
              new ChannelInitializer<EpollDomainSocketChannel>() {
                @Override
                protected void initChannel(EpollDomainSocketChannel channel) {
                  line.get().forEach(channel.pipeline()::addLast);
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

  /** Address for clients. */
  public InetSocketAddress address() {
    return (InetSocketAddress) clients.localAddress();
  }

  /** Most connections that are accepted before messages of replicas are read again. */
  int acceptsPerTurn() {
    return ((MaxMessagesRecvByteBufAllocator) clients.config().getRecvByteBufAllocator())
        .maxMessagesPerRead();
  }

  /** Event loops of replicas that ask for connections now. */
  public int waitingReplicas() {
    return lines.size();
  }

  /** Connections handed over so far. */
  public long handedOver() {
    return handedOver.sum();
  }

  /** Number of descriptors closed because they were no connections. */
  public long dropped() {
    return dropped.count();
  }

  /** Number of failed accepts. */
  public long acceptFailures() {
    return acceptFailures.count();
  }

  @Override
  public void close() {
    clients.close().syncUninterruptibly();
    takers.close().syncUninterruptibly();
    returners.close().syncUninterruptibly();
    loop.shutdownGracefully(0, STOP_SECONDS, TimeUnit.SECONDS)
        .awaitUninterruptibly(STOP_SECONDS, TimeUnit.SECONDS);
  }

  /**
   * A connection of a client.
   *
   * @param nanos time at which it was accepted, or returned by a replica
   */
  private record AcceptedConnection(EpollSocketChannel channel, long nanos) {
    void close() {
      channel.unsafe().closeForcibly();
    }
  }

  private AcceptedConnection accepted(EpollSocketChannel channel) {
    return new AcceptedConnection(channel, clock.getAsLong());
  }

  /** Hands a connection to the next replica with capacity, now or as soon as there is one. */
  private void dispatch(AcceptedConnection client) {
    waiting.addLast(client);
    dispatchWaiting();
  }

  private void dispatchWaiting() {
    int line = nextLine();
    while (!waiting.isEmpty() && line >= 0) {
      next = (line + 1) % lines.size();
      lines.get(line).send(waiting.removeFirst());
      line = nextLine();
    }
    boolean room = held() < mostHeld;
    gate.room(room && waiting.isEmpty() && line >= 0);
    if (room && !full.isEmpty()) {
      full.forEach(each -> each.config().setAutoRead(true));
      full.clear();
    }
  }

  /** Connections that the parent holds: waiting ones, and those that no replica has confirmed. */
  private int held() {
    int held = waiting.size();
    for (ReplicaHandler line : lines) {
      held += line.untaken.size();
    }
    return held;
  }

  /** The next line in turn that is below its window; -1 if there is none. */
  private int nextLine() {
    for (int i = 0; i < lines.size(); i++) {
      int line = (next + i) % lines.size();
      if (lines.get(line).untaken.size() < WINDOW) {
        return line;
      }
    }
    return -1;
  }

  /** Handles accepted clients. They are never registered: their replica does that. */
  private final class AcceptHandler extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      dispatch(accepted((EpollSocketChannel) message));
    }
  }

  /**
   * The line to one replica: the replica requests connections by opening it, sends {@link #TAKEN}
   * before it reads anything of a connection, and {@link #NO_MORE} before it ends. Connections
   * without confirmation when the line ends go to another replica.
   *
   * <p>A failed write ends sending, not receiving: the replica sees the end, closes, and opens
   * another line. Only then is it known which connections it has taken, as confirmations may be on
   * their way.
   */
  private final class ReplicaHandler extends ChannelInboundHandlerAdapter {
    private final Deque<AcceptedConnection> untaken = new ArrayDeque<>();

    @SuppressWarnings("NullAway.Init") // set by handlerAdded, which precedes every other call
    private ChannelHandlerContext context;

    private boolean asks = true;

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
      context = ctx;
    }

    void send(AcceptedConnection client) {
      untaken.addLast(client);
      context
          .writeAndFlush(client.channel().fd())
          .addListener(
              sent -> {
                if (!sent.isSuccess()) {
                  sendNoMore();
                }
              });
    }

    /** Netty has closed this side of the line, as a write failed. */
    private void sendNoMore() {
      if (lines.remove(this)) {
        dispatchWaiting();
      }
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
      lines.add(this);
      dispatchWaiting();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      ByteBuf said = (ByteBuf) message;
      if (said.readByte() == NO_MORE) {
        asks = false;
        lines.remove(this);
      } else {
        onTaken(said.readLong());
      }
      said.release();
      if (!asks && untaken.isEmpty()) {
        ctx.close();
      }
      dispatchWaiting();
    }

    private void onTaken(long nanos) {
      AcceptedConnection client = untaken.pollFirst();
      if (client != null) {
        client.close();
        handedOver.increment();
        handoverNanos.accept(nanos - client.nanos());
      }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
      lines.remove(this);
      List<AcceptedConnection> left = List.copyOf(untaken);
      untaken.clear();
      left.forEach(ConnectionDispatcher.this::dispatch);
      dispatchWaiting();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      ctx.close();
    }
  }

  /** The line by which a draining replica returns connections; each is confirmed. */
  private final class ReturnHandler extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      ctx.writeAndFlush(Unpooled.buffer(1).writeByte(TAKEN));
      FileDescriptor descriptor = (FileDescriptor) message;
      EpollSocketChannel client;
      try {
        client = new EpollSocketChannel(descriptor.intValue());
      } catch (ChannelException e) { // no client's connection: the others on this line are
        dropped.happened(
            "expected a replica to give a connection of a client back, found something else: " + e);
        close(descriptor);
        return;
      }
      dispatch(accepted(client));
      if (held() >= mostHeld && ctx.channel().config().isAutoRead()) {
        ctx.channel().config().setAutoRead(false);
        full.add(ctx.channel());
      }
    }

    private static void close(FileDescriptor descriptor) {
      try {
        descriptor.close();
      } catch (IOException e) {
        // It is closed anyway (close(2)).
      }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      ctx.close();
    }
  }
}
