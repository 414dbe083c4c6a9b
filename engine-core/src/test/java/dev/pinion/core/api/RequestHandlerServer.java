package dev.pinion.core.api;

import dev.pinion.core.api.port.CallerPolicies;
import dev.pinion.core.api.port.ExternalServices;
import dev.pinion.core.api.port.HistoryAccess;
import dev.pinion.core.api.port.KernelAccess;
import dev.pinion.core.api.port.LocalReplica;
import dev.pinion.core.api.port.Readiness;
import dev.pinion.core.api.port.RequestPorts;
import dev.pinion.core.binding.BindingSource;
import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.diagram.PictureRenderer;
import dev.pinion.core.http.AllowedHosts;
import dev.pinion.core.http.ClientAccess;
import dev.pinion.core.http.ClientConnections;
import dev.pinion.core.http.ConnectionGate;
import dev.pinion.core.http.ConnectionReturn;
import dev.pinion.core.http.HttpChannelInitializer;
import dev.pinion.core.interception.Interceptor;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.loop.StageLoop;
import dev.pinion.core.loop.StageLoopGroup;
import dev.pinion.core.loop.Transport;
import dev.pinion.core.message.AddressedReply;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.HeapAccount;
import dev.pinion.core.partition.ReplicaGroup;
import dev.pinion.core.peer.PeerAccess;
import dev.pinion.core.peer.PeerClient;
import dev.pinion.core.spi.BrokerGateway;
import dev.pinion.core.spi.ExternalEvents;
import dev.pinion.core.stage.Lane;
import dev.pinion.core.stage.ThreadSetup;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A Request Handler on a real event loop behind a real socket, between fake kernels and fake
 * definitions. Its clock is the system's, moved forward by the test.
 */
public final class RequestHandlerServer implements AutoCloseable {
  private static final int UNSENT_IN_SYSTEM = 16 << 10;

  final HeapAccount heap;
  public final FakeKernels kernels = new FakeKernels();
  final FakeDefinitionCatalog definitions = new FakeDefinitionCatalog();
  public final RequestHandler handler;
  final ExecutorService ancillary = Executors.newSingleThreadExecutor();
  volatile List<Readiness.Check> checks = List.of();
  private final AtomicLong movedNanos = new AtomicLong();
  private final StageLoopGroup loops;
  private final Channel server;

  /** The parts that a test may replace. */
  public static final class Options {
    public Map<String, Integer> limits = Map.of();
    public Interceptor interceptor = Interceptor.NONE;
    public BindingSource bindings = BindingSource.NONE;
    Executor ancillary = Runnable::run;
    boolean ownAncillary = true;
    int kernels = 1;
    @Nullable PictureRenderer pictures;
    public BrokerGateway broker = BrokerGateway.NONE;
    public HistoryAccess history = HistoryAccess.NONE;
    ExternalEvents events = ExternalEvents.NONE;
    ReplicaGroup replicaGroup = ReplicaGroup.ALONE;
    public AllowedHosts hosts = AllowedHosts.LOOPBACK;

    /** The connections of another handler of the same replica; null for none. */
    public @Nullable ClientConnections clients;
  }

  public static RequestHandlerServer plain() {
    return new RequestHandlerServer(new Options());
  }

  static RequestHandlerServer with(Map<String, Integer> limits) {
    Options options = new Options();
    options.limits = limits;
    return new RequestHandlerServer(options);
  }

  public RequestHandlerServer(Options options) {
    EngineLimits limits = EngineLimits.defaults().with(options.limits);
    kernels.kernels = options.kernels;
    Lane<AddressedReply> replies =
        new Lane<>("replies", limits.request().replyCapacity(options.kernels));
    kernels.answersThrough(replies);
    ClientConnections clients =
        options.clients == null
            ? new ClientConnections(limits.request().maxConnections())
            : options.clients;
    heap = new HeapAccount(limits.kernel().maxHeldBytes());
    RequestPorts ports =
        new RequestPorts(
            new KernelAccess(kernels, heap),
            definitions,
            new CallerPolicies(options.bindings, options.interceptor),
            new ClientAccess(options.hosts, clients, ConnectionReturn.NONE),
            new PeerAccess(options.replicaGroup, PeerClient.NONE, () -> 0),
            new ExternalServices(options.history, options.broker, options.events),
            new LocalReplica(
                options.ownAncillary ? ancillary : options.ancillary,
                () -> checks,
                "test",
                options.pictures));
    handler = new RequestHandler(0, limits, new PayloadCodec(limits.json()), ports, replies);
    Transport transport = Transport.best();
    loops = StageLoopGroup.parked("served", 1, transport, clock(), ThreadSetup.NONE);
    StageLoop loop = loops.loops().getFirst();
    replies.attach(loop);
    loop.host(List.of(handler));
    server =
        new ServerBootstrap()
            .group(loops)
            .channel(transport.serverChannel())
            .handler(new ConnectionGate(clients))
            .childHandler(
                new ChannelInitializer<>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    transport.limitUnsent(channel, UNSENT_IN_SYSTEM);
                    channel.pipeline().addLast(new HttpChannelInitializer(handler.http(), false));
                  }
                })
            .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .syncUninterruptibly()
            .channel();
  }

  private Clock clock() {
    Clock system = Clock.system();
    return new Clock() {
      @Override
      public String scale() {
        return "test";
      }

      @Override
      public long nanoTime() {
        return system.nanoTime() + movedNanos.get();
      }

      @Override
      public long epochMillis() {
        return system.epochMillis();
      }
    };
  }

  /** Moves the clock forward and returns when a whole duty cycle has read it. */
  void pass(Duration time) {
    movedNanos.addAndGet(time.toNanos());
    for (int turn = 0; turn < 3; turn++) {
      loops.loops().getFirst().submit(() -> {}).syncUninterruptibly();
    }
  }

  public RawHttpClient client() throws IOException {
    return new RawHttpClient((InetSocketAddress) server.localAddress());
  }

  /** Blocks the event loop until a latch is open; returns when it is blocked. */
  Future<?> hold(CountDownLatch until) throws InterruptedException {
    CountDownLatch holding = new CountDownLatch(1);
    Future<?> held =
        loops
            .loops()
            .getFirst()
            .submit(
                () -> {
                  holding.countDown();
                  return until.await(10, TimeUnit.SECONDS);
                });
    holding.await();
    return held;
  }

  /** Runs something on the event loop and waits for its result. */
  public <T> T onLoop(Callable<T> call) throws Exception {
    return loops.loops().getFirst().submit(call).get(10, TimeUnit.SECONDS);
  }

  @Override
  public void close() {
    ancillary.shutdownNow();
    loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
  }
}
