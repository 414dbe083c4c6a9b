package dev.pinion.core.engine;

import dev.pinion.core.invoker.ChannelTypes;
import dev.pinion.core.invoker.Invoker;
import dev.pinion.core.invoker.InvokerTls;
import dev.pinion.core.kernel.Kernel;
import dev.pinion.core.loop.StageLoop;
import dev.pinion.core.loop.StageLoops;
import dev.pinion.core.model.Clock;
import dev.pinion.core.request.HttpGateway;
import dev.pinion.core.request.Readiness;
import dev.pinion.core.request.RequestHandler;
import dev.pinion.core.stage.Stage;
import dev.pinion.core.stage.Wakeup;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running engine: the pipeline of one replica on its event loops, listening for clients.
 *
 * <p>Starts and stops as one. All methods may be called by any thread except the engine's own.
 */
public final class Engine implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Engine.class);
  private static final int EVALUATOR_THREADS = 1;
  private static final int DEPLOYMENTS_WAITING = 64;
  private static final int ACCEPT_BACKLOG = 4_096;

  /** Reads, of up to 64 KiB each, that one connection may take before others have their turn. */
  private static final int READS_PER_TURN = 4;

  private static final long STOP_SECONDS = 5;

  private final EngineSettings settings;
  private final List<StageLoops> groups = new ArrayList<>();
  private final ExecutorService ancillary;
  private final Pipeline pipeline;
  private final StageLoops requestLoops;
  private final Channel server;

  /**
   * Starts an engine.
   *
   * @throws IOException when the address cannot be listened to or the trusted certificates cannot
   *     be read
   */
  public static Engine start(EngineSettings settings) throws IOException {
    return new Engine(settings);
  }

  private Engine(EngineSettings settings) throws IOException {
    this.settings = settings;
    this.ancillary =
        new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(DEPLOYMENTS_WAITING),
            new AncillaryThreads("deployer", settings.threads()));
    this.pipeline = new Pipeline(settings, EVALUATOR_THREADS);
    try {
      this.requestLoops = layStages();
      this.server = listen(requestLoops);
    } catch (IOException | RuntimeException e) {
      stopThreads();
      throw e;
    }
  }

  /** Puts the stages on loops as the layout says; returns the loops that connections belong to. */
  private StageLoops layStages() throws IOException {
    return switch (settings.layout()) {
      case Layout.Fused fused -> layFused(fused);
      case Layout.Pipelined pipelined -> layPipelined(pipelined);
    };
  }

  private StageLoops layFused(Layout.Fused layout) throws IOException {
    StageLoops loops = loops("fused", layout.loops());
    addStages(loops);
    for (int i = 0; i < layout.loops(); i++) {
      StageLoop loop = loops.loops().get(i);
      wake(i, loop, loop, loop);
      loop.host(
          List.of(
              pipeline.kernels().get(i),
              pipeline.invokers().get(i),
              pipeline.requestHandlers().get(i)));
    }
    return loops;
  }

  private StageLoops layPipelined(Layout.Pipelined layout) throws IOException {
    StageLoops requestLoops = loops("request", layout.requestLoops());
    StageLoops kernelLoops = loops("kernel", layout.kernelLoops());
    StageLoops invokerLoops = loops("invoker", layout.invokerLoops());
    addStages(invokerLoops);
    for (int i = 0; i < layout.kernelLoops(); i++) {
      wakeKernel(i, kernelLoops.loops().get(i));
    }
    for (int i = 0; i < layout.invokerLoops(); i++) {
      pipeline.invocations().get(i).wakes(invokerLoops.loops().get(i));
    }
    for (int i = 0; i < layout.requestLoops(); i++) {
      pipeline.requestHandlers().get(i).replies().wakes(requestLoops.loops().get(i));
    }
    hostEach(kernelLoops, pipeline.kernels());
    hostEach(invokerLoops, pipeline.invokers());
    hostEach(requestLoops, pipeline.requestHandlers());
    return requestLoops;
  }

  private StageLoops loops(String name, int count) {
    StageLoops loops =
        new StageLoops(
            name,
            count,
            settings.transport(),
            settings.clock(),
            settings.waiting(),
            settings.threads());
    groups.add(loops);
    return loops;
  }

  private void addStages(StageLoops invokerLoops) throws IOException {
    InvokerTls tls = InvokerTls.load(settings.trustedCertificates());
    ChannelTypes channels =
        settings.transport().name().equals("epoll") ? ChannelTypes.epoll() : ChannelTypes.nio();
    for (StageLoop loop : invokerLoops.loops()) {
      pipeline.addInvoker(loop, tls, channels);
    }
    pipeline.addRequestHandlers(ancillary, this::readiness);
  }

  private void wake(int index, Wakeup kernel, Wakeup invoker, Wakeup requestHandler) {
    wakeKernel(index, kernel);
    pipeline.invocations().get(index).wakes(invoker);
    pipeline.requestHandlers().get(index).replies().wakes(requestHandler);
  }

  private void wakeKernel(int index, Wakeup loop) {
    Kernel kernel = pipeline.kernels().get(index);
    kernel.requests().wakes(loop);
    kernel.completions().wakes(loop);
  }

  private static void hostEach(StageLoops loops, List<? extends Stage> stages) {
    for (int i = 0; i < stages.size(); i++) {
      loops.loops().get(i).host(List.of(stages.get(i)));
    }
  }

  private Channel listen(StageLoops loops) throws IOException {
    Map<EventLoop, HttpGateway> gateways = new HashMap<>();
    for (int i = 0; i < loops.loops().size(); i++) {
      gateways.put(loops.loops().get(i), new HttpGateway(pipeline.requestHandlers().get(i)));
    }
    try {
      return new ServerBootstrap()
          .group(loops)
          .channel(settings.transport().serverChannel())
          .option(ChannelOption.SO_REUSEADDR, true)
          .option(ChannelOption.SO_BACKLOG, ACCEPT_BACKLOG)
          .childOption(ChannelOption.TCP_NODELAY, true)
          .childOption(ChannelOption.RECVBUF_ALLOCATOR, fairReads())
          .childHandler(new ToGateway(Map.copyOf(gateways)))
          .bind(settings.address())
          .syncUninterruptibly()
          .channel();
    } catch (Exception e) { // Netty throws the checked cause of a failed bind without declaring it
      throw new IOException(
          "expected to listen at " + settings.address() + ", but could not: " + e.getMessage(), e);
    }
  }

  /** A client with a large body takes its turn with the others after a few reads. */
  private static RecvByteBufAllocator fairReads() {
    return new AdaptiveRecvByteBufAllocator().maxMessagesPerRead(READS_PER_TURN);
  }

  /** Hands an accepted connection to the Request Handler of its event loop. */
  private static final class ToGateway extends ChannelInitializer<Channel> {
    private final Map<EventLoop, HttpGateway> gateways;

    ToGateway(Map<EventLoop, HttpGateway> gateways) {
      this.gateways = gateways;
    }

    @Override
    protected void initChannel(Channel channel) {
      HttpGateway gateway = gateways.get(channel.eventLoop());
      if (gateway == null) {
        throw new IllegalStateException("expected a Request Handler on " + channel.eventLoop());
      }
      channel.pipeline().addLast(gateway);
    }
  }

  /** Where clients are listened to. */
  public InetSocketAddress address() {
    return (InetSocketAddress) server.localAddress();
  }

  /** The layout in force. */
  public Layout layout() {
    return settings.layout();
  }

  /** The kernels, for their counters. */
  public List<Kernel> kernels() {
    return List.copyOf(pipeline.kernels());
  }

  /** The Invokers, for their counters. */
  public List<Invoker> invokers() {
    return List.copyOf(pipeline.invokers());
  }

  private List<Readiness.Check> readiness() {
    boolean draining = pipeline.requestHandlers().stream().anyMatch(RequestHandler::isDraining);
    return List.of(
        new Readiness.Check(
            "accepting", !draining, draining ? "the engine is draining" : "starts are accepted"));
  }

  /** Refuses new starts from now on; what is under way goes on. */
  public void drain() {
    pipeline.requestHandlers().forEach(RequestHandler::drain);
  }

  /** Instances under way. */
  public long running() {
    long running = 0;
    for (Kernel kernel : pipeline.kernels()) {
      running += kernel.counters().running();
    }
    return running;
  }

  /** Open connections of clients. */
  public int connections() {
    return pipeline.requestHandlers().stream().mapToInt(RequestHandler::connections).sum();
  }

  /** Requests being answered. */
  public int answering() {
    return pipeline.requestHandlers().stream().mapToInt(RequestHandler::requests).sum();
  }

  /**
   * Completes when every event loop has come round once more: proof that all of them are alive.
   *
   * @return the time it took in nanoseconds, which is how long work waits for the slowest loop
   */
  public CompletableFuture<Long> ping() {
    Clock clock = settings.clock();
    long askedNanos = clock.nanoTime();
    List<CompletableFuture<Void>> rounds = new ArrayList<>();
    for (StageLoops group : groups) {
      for (StageLoop loop : group.loops()) {
        rounds.add(CompletableFuture.runAsync(() -> {}, loop));
      }
    }
    return CompletableFuture.allOf(rounds.toArray(new CompletableFuture<?>[0]))
        .thenApply(all -> clock.nanoTime() - askedNanos);
  }

  /**
   * Stops listening, closes every connection and ends the threads. Instances under way are lost.
   */
  @Override
  public void close() {
    server.close().syncUninterruptibly();
    stopThreads();
  }

  private void stopThreads() {
    List<Future<?>> stopped = new ArrayList<>();
    for (StageLoops group : groups) {
      stopped.add(group.shutdownGracefully(0, STOP_SECONDS, TimeUnit.SECONDS));
    }
    for (Future<?> stop : stopped) {
      if (!stop.awaitUninterruptibly(STOP_SECONDS, TimeUnit.SECONDS)) {
        LOG.warn("event loops did not stop within {} s", STOP_SECONDS);
      }
    }
    ancillary.shutdownNow();
    pipeline.evaluators().close();
  }
}
