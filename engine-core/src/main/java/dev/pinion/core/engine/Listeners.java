package dev.pinion.core.engine;

import dev.pinion.core.api.RequestHandler;
import dev.pinion.core.http.ClientConnections;
import dev.pinion.core.http.ConnectionGate;
import dev.pinion.core.http.HttpChannelInitializer;
import dev.pinion.core.loop.StageLoopGroup;
import dev.pinion.core.loop.Transport;
import dev.pinion.core.model.Clock;
import dev.pinion.core.partition.ReplicaGroup;
import dev.pinion.core.settings.EngineSettings;
import dev.pinion.core.settings.ListenSpec;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.unix.UnixChannelOption;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The entrance of connections: those of clients, by any door, and those of other replicas. Each
 * belongs to the Request Handler of its event loop.
 *
 * <p>It first listens to other replicas, then reads the definitions that they have stored, and last
 * admits clients. So a definition that another replica stores meanwhile is either read here or
 * installed here by that replica.
 */
final class Listeners implements AutoCloseable {
  private static final int ACCEPT_BACKLOG = 4_096;

  /**
   * Bytes that the operating system buffers of one connection's output; without a bound it buffers
   * megabytes for a client that reads nothing.
   */
  private static final int UNSENT_IN_SYSTEM = 128 << 10;

  private final ListenSpec listenSpec;
  private final StageLoopGroup loops;
  private final Transport transport;
  private final Clock clock;
  private final ClientConnections clients;
  private final Map<EventLoop, RequestHandler> handlers = new HashMap<>();
  private @Nullable Channel peers;
  private volatile @Nullable Channel server;
  private volatile @Nullable ConnectionReceiver connectionReceiver;

  private Listeners(
      EngineSettings settings,
      StageLoopGroup loops,
      List<RequestHandler> handlers,
      ClientConnections clients) {
    this.clients = clients;
    this.listenSpec = settings.entrance();
    this.transport = settings.transport();
    this.clock = settings.clock();
    this.loops = loops;
    for (int i = 0; i < loops.loops().size(); i++) {
      this.handlers.put(loops.loops().get(i), handlers.get(i));
    }
  }

  /**
   * Admits other replicas.
   *
   * @throws IOException when it cannot listen on its socket
   */
  static Listeners open(
      EngineSettings settings,
      StageLoopGroup loops,
      List<RequestHandler> handlers,
      ClientConnections clients)
      throws IOException {
    Listeners listeners = new Listeners(settings, loops, handlers, clients);
    if (settings.entrance().replicaGroup().shared()) {
      settings.definitions().markStale(); // starts of others wait until all is known
      listeners.listenToPeers();
      settings.definitions().refresh();
    }
    return listeners;
  }

  /**
   * Admits clients, unless that was done before.
   *
   * @throws IOException when it cannot listen on an address or the parent cannot be reached
   */
  synchronized void letClientsIn() throws IOException {
    if (server == null && connectionReceiver == null) {
      listenToClients();
    }
  }

  /**
   * Listens on a free loopback port, for connections of one loop. To be closed by the caller.
   *
   * @throws IOException when there is none
   */
  Channel openForWarmUp(EventLoop loop) throws IOException {
    ServerBootstrap bootstrap =
        new ServerBootstrap()
            .group(loop)
            .channel(transport.serverChannel())
            .childOption(ChannelOption.TCP_NODELAY, true);
    return bind(bootstrap, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), false);
  }

  private void listenToPeers() throws IOException {
    ReplicaGroup replicaGroup = listenSpec.replicaGroup();
    Path socket = replicaGroup.socket(replicaGroup.slot());
    Files.deleteIfExists(socket);
    peers =
        bind(
            new ServerBootstrap().group(loops).channel(transport.unixServerChannel()),
            transport.unixAddress().apply(socket),
            true);
  }

  private void listenToClients() throws IOException {
    if (listenSpec.acceptMode() == ListenSpec.AcceptMode.HANDOVER) {
      ReplicaGroup replicaGroup = listenSpec.replicaGroup();
      connectionReceiver =
          new ConnectionReceiver(
              transport.unixAddress().apply(replicaGroup.dispatcher()),
              loops.loops(),
              this::welcomeHanded,
              clients,
              clock);
      return;
    }
    ServerBootstrap bootstrap =
        new ServerBootstrap()
            .group(loops)
            .handler(new ConnectionGate(clients))
            .childOption(ChannelOption.TCP_NODELAY, true);
    if (listenSpec.acceptMode() == ListenSpec.AcceptMode.INHERITED) {
      server = adopt(bootstrap);
      return;
    }
    if (listenSpec.acceptMode() == ListenSpec.AcceptMode.REUSEPORT) {
      bootstrap.option(UnixChannelOption.SO_REUSEPORT, true);
    }
    bootstrap.channel(transport.serverChannel()).option(ChannelOption.SO_REUSEADDR, true);
    server = bind(bootstrap, listenSpec.address(), false);
  }

  private Channel adopt(ServerBootstrap bootstrap) throws IOException {
    int descriptor =
        InheritedSocket.receive(
                loops.loops().getFirst(),
                transport.unixAddress().apply(listenSpec.replicaGroup().listener()))
            .intValue();
    return prepared(bootstrap, false)
        .channelFactory(() -> new EpollServerSocketChannel(descriptor))
        .register()
        .syncUninterruptibly()
        .channel();
  }

  private Channel bind(ServerBootstrap bootstrap, SocketAddress address, boolean fromPeers)
      throws IOException {
    try {
      return prepared(bootstrap, fromPeers)
          .option(ChannelOption.SO_BACKLOG, ACCEPT_BACKLOG)
          .bind(address)
          .syncUninterruptibly()
          .channel();
    } catch (Exception e) { // Netty throws the checked cause of a failed bind without declaring it
      throw new IOException(
          "expected to listen at " + address + ", but could not: " + e.getMessage(), e);
    }
  }

  private ServerBootstrap prepared(ServerBootstrap bootstrap, boolean fromPeers) {
    return bootstrap
        .option(ChannelOption.RECVBUF_ALLOCATOR, FairTurns.accepts())
        .childOption(ChannelOption.RECVBUF_ALLOCATOR, FairTurns.reads())
        .childHandler(
            new ChannelInitializer<>() {
              @Override
              protected void initChannel(Channel channel) {
                welcome(channel, fromPeers);
              }
            });
  }

  private void welcomeHanded(Channel channel) {
    channel.config().setOption(ChannelOption.TCP_NODELAY, true);
    channel.config().setRecvByteBufAllocator(FairTurns.reads());
    welcome(channel, false);
  }

  /** Passes a connection to the Request Handler of its event loop. */
  private void welcome(Channel channel, boolean fromPeer) {
    transport.limitUnsent(channel, UNSENT_IN_SYSTEM);
    RequestHandler handler = handlers.get(channel.eventLoop());
    if (handler == null) {
      throw new IllegalStateException("expected a Request Handler on " + channel.eventLoop());
    }
    channel.pipeline().addLast(new HttpChannelInitializer(handler.http(), fromPeer));
  }

  /** The address that clients connect to. */
  InetSocketAddress address() {
    Channel listening = server;
    return listening == null ? listenSpec.address() : (InetSocketAddress) listening.localAddress();
  }

  /**
   * Stops accepting connections that another replica could accept; a lone replica continues, so
   * that clients get an answer.
   */
  void stopAccepting() {
    ConnectionReceiver handed = connectionReceiver;
    Channel listening = server;
    if (handed != null) {
      handed.refuseMore();
    } else if (listenSpec.acceptMode() == ListenSpec.AcceptMode.REUSEPORT && listening != null) {
      listening.close().syncUninterruptibly();
    }
  }

  /** Whether connections may still arrive that the parent has already handed over. */
  boolean isAccepting() {
    ConnectionReceiver handed = connectionReceiver;
    return handed != null && handed.isOpen();
  }

  @Override
  public void close() {
    ConnectionReceiver handed = connectionReceiver;
    if (handed != null) {
      handed.close();
    }
    close(server);
    close(peers);
  }

  private static void close(@Nullable Channel listening) {
    if (listening != null) {
      listening.close().syncUninterruptibly();
    }
  }
}
