package dev.pinion.core.engine;

import dev.pinion.core.api.RequestHandler;
import dev.pinion.core.api.port.Readiness;
import dev.pinion.core.invoker.Invoker;
import dev.pinion.core.invoker.InvokerCounters;
import dev.pinion.core.invoker.http.ClientTls;
import dev.pinion.core.kernel.Kernel;
import dev.pinion.core.loop.StageLoop;
import dev.pinion.core.loop.StageLoopGroup;
import dev.pinion.core.metrics.MetricFamilies;
import dev.pinion.core.model.Clock;
import dev.pinion.core.settings.EngineSettings;
import dev.pinion.core.settings.ListenSpec;
import dev.pinion.core.settings.StageLayout;
import dev.pinion.core.stage.AncillaryThreadFactory;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running engine: the pipeline of one replica on its event loops, listening for clients once it
 * holds its partitions.
 *
 * <p>Starts and stops as one. All methods may be called by any thread except the engine's own.
 */
public final class Engine implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Engine.class);
  private static final int EVALUATOR_THREADS = 1;
  private static final int DEPLOYMENTS_WAITING = 64;
  private static final long STOP_SECONDS = 5;
  private static final long HISTORIAN_SECONDS = 60;

  private final EngineSettings settings;
  private final ExecutorService ancillary;
  private final ExecutorService historians;
  private volatile Readiness others = Readiness.ALWAYS;
  private final Pipeline pipeline;
  private final StartCapacity startLimits;
  private final ConnectionWarmUp ahead;
  private final ParentConnectionReturn parentConnectionReturn = new ParentConnectionReturn();
  private final EngineLoops loops;
  private final Listeners listeners;
  private final int warmedUp;
  private final Runnable scheduleListener;

  /**
   * Starts an engine.
   *
   * @throws IOException when it cannot listen on the address or the trusted certificates cannot be
   *     read
   */
  public static Engine start(EngineSettings settings) throws IOException {
    return new Engine(settings);
  }

  private Engine(EngineSettings settings) throws IOException {
    this.settings = settings;
    settings.around().serve(settings.definitions());
    this.ancillary =
        new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(DEPLOYMENTS_WAITING),
            new AncillaryThreadFactory("deployer", settings.threads()));
    settings.graphs().prepareOn(ancillary);
    this.historians = historians(settings);
    this.pipeline = new Pipeline(settings, EVALUATOR_THREADS);
    this.startLimits =
        StartCapacity.of(
            pipeline.kernels(),
            pipeline.heap(),
            pipeline.safeStore(),
            settings.limits().kernel(),
            settings.clock());
    this.ahead = ConnectionWarmUp.of(settings);
    this.loops = new EngineLoops(settings, pipeline);
    this.scheduleListener = loops::wakeKernels;
    try {
      ClientTls tls = ClientTls.load(settings.trustedCertificates());
      pipeline.recover();
      loops.lay((request, invoker) -> addStages(request, invoker, tls), ahead);
      pipeline.feedEvents();
      settings.graphs().addScheduleListener(scheduleListener);
      ahead.await();
      this.listeners =
          Listeners.open(settings, loops.request(), pipeline.requestHandlers(), pipeline.clients());
      this.warmedUp = warmUpLoops(tls);
      LOG.debug("calls of the warm-up of the event loops: {}", warmedUp);
      openToClients();
      ancillary.execute(tls::prepare);
    } catch (IOException | RuntimeException e) {
      stopThreads();
      throw e;
    }
  }

  /** Threads that are created on demand and end when idle. */
  private static ExecutorService historians(EngineSettings settings) {
    int readers = settings.limits().history().readers();
    ThreadPoolExecutor threads =
        new ThreadPoolExecutor(
            readers,
            readers,
            HISTORIAN_SECONDS,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(settings.limits().history().maxQuestions()),
            new AncillaryThreadFactory("history", settings.threads()));
    threads.allowCoreThreadTimeOut(true);
    return threads;
  }

  /**
   * If warming up is enabled, every loop performs once the work that clients will cause.
   *
   * @return number of successful calls
   */
  private int warmUpLoops(ClientTls tls) {
    if (settings.limits().start().warmUpMillis() == 0) {
      return 0;
    }
    return new EventLoopWarmUp(
            loops.request().loops(),
            loops.invoker().loops(),
            loop -> pipeline.caller(loop, tls, new InvokerCounters()),
            EventLoopWarmUp.PATIENCE)
        .run(listeners::openForWarmUp);
  }

  /** Successful calls of the warm-up of the event loops. */
  int warmedUpLoops() {
    return warmedUp;
  }

  private void addStages(StageLoopGroup requestLoops, StageLoopGroup invokerLoops, ClientTls tls) {
    for (StageLoop loop : invokerLoops.loops()) {
      pipeline.addInvoker(loop, tls);
    }
    pipeline.addRequestHandlers(
        requestLoops.loops(), ancillary, historians, this::readiness, parentConnectionReturn);
    SafeStore safeStore = pipeline.safeStore();
    if (safeStore != null) {
      safeStore.start();
    }
  }

  /** The address that clients connect to. */
  public InetSocketAddress address() {
    return listeners.address();
  }

  /** The layout in force. */
  public StageLayout layout() {
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
    List<Readiness.Check> checks = new ArrayList<>();
    checks.add(
        new Readiness.Check(
            "accepting",
            !draining,
            true,
            draining ? "the engine is draining" : "the engine takes requests"));
    SafeStore safeStore = pipeline.safeStore();
    if (safeStore != null) {
      checks.addAll(safeStore.checks());
    }
    checks.addAll(startLimits.checks());
    checks.addAll(others.checks());
    return checks;
  }

  /** Adds the readiness of other parts. Any thread. */
  public void addReadiness(Readiness known) {
    this.others = known;
  }

  /** Adds the present metrics. Any thread. */
  public void addMetrics(MetricFamilies families) {
    EngineMetrics.add(pipeline, settings.limits(), families);
  }

  /** Whether starts are refused because the disk is full. Any thread. */
  public boolean isDiskFull() {
    SafeStore safeStore = pipeline.safeStore();
    return safeStore != null && !safeStore.hasRoom();
  }

  /**
   * The limit for which starts have been refused for so long that the replica is not ready; null
   * for none. Call it about once a second: it is known only while it is polled. Any thread.
   */
  public @Nullable String refusingLimit() {
    return startLimits.refusing();
  }

  /**
   * From now on refuses starts, or sends them to other replicas; work under way continues.
   * Connections from the parent are returned when nothing is under way on them.
   */
  public void drain() {
    listeners.stopAccepting();
    if (settings.entrance().acceptMode() == ListenSpec.AcceptMode.HANDOVER) {
      SocketAddress parent =
          settings
              .transport()
              .unixAddress()
              .apply(settings.entrance().replicaGroup().returnSocket());
      parentConnectionReturn.open(loops.request().loops().getFirst(), parent);
    }
    pipeline.requestHandlers().forEach(RequestHandler::drain);
  }

  /** Whether nothing is under way any more, and there is no connection for another replica. */
  public boolean isDrained() {
    return unfinished() == 0
        && answering() == 0
        && !listeners.isAccepting()
        && (!parentConnectionReturn.open() || connections() == 0)
        && parentConnectionReturn.underWay() == 0;
  }

  /** Answers clients that wait for instances: the engine ends before those do. */
  public void endWaits() {
    pipeline.requestHandlers().forEach(RequestHandler::endWaits);
    for (StageLoop loop : loops.request().loops()) {
      loop.signal();
    }
  }

  /**
   * Instances that would be lost if the engine ended now, and calls that would be made again.
   * Instances that are journalled and only wait are neither: they continue in the next engine.
   */
  private int unfinished() {
    return pipeline.kernels().stream().mapToInt(kernel -> kernel.counters().unfinished()).sum();
  }

  /**
   * Opens the entrance for clients as soon as this replica is assigned its own slot and has all its
   * data: otherwise nothing could be started. An engine that has them at its start does so then.
   *
   * @return whether the entrance is open
   * @throws IOException when it cannot listen on the address
   */
  public boolean openToClients() throws IOException {
    SafeStore safeStore = pipeline.safeStore();
    boolean complete = safeStore == null || safeStore.holdsItsSlot();
    if (complete) {
      listeners.letClientsIn();
    }
    return complete;
  }

  /** Whether the partitions here are exactly those last assigned to this replica. */
  public boolean isSettled() {
    SafeStore safeStore = pipeline.safeStore();
    return safeStore == null || safeStore.isSettled();
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
    return pipeline.requests();
  }

  /**
   * Completes when every event loop has run once more: proof that all of them are alive.
   *
   * @return queueing delay in nanoseconds: the wait for the slowest loop, or the longest wait of a
   *     start for a kernel since the last ping, whichever is longer
   */
  public CompletableFuture<Long> ping() {
    Clock clock = settings.clock();
    long askedNanos = clock.nanoTime();
    return loops
        .round()
        .thenApply(all -> Math.max(clock.nanoTime() - askedNanos, longestWaitNanos()));
  }

  private long longestWaitNanos() {
    return pipeline.requestHandlers().stream()
        .mapToLong(RequestHandler::drainLongestWaitNanos)
        .max()
        .orElse(0);
  }

  /**
   * Stops listening, closes every connection and ends the threads. Journalled instances under way
   * continue when the journal is opened again; others are lost.
   */
  @Override
  public void close() {
    listeners.close();
    parentConnectionReturn.close();
    stopThreads();
  }

  private void stopThreads() {
    settings.graphs().removeScheduleListener(scheduleListener);
    pipeline.kernels().forEach(Kernel::freeze); // the end of an instance from here on is no failure
    boolean all = loops.stop(STOP_SECONDS);
    ancillary.shutdownNow();
    historians.shutdownNow();
    settings.around().close();
    pipeline.evaluators().close();
    pipeline.programs().close();
    pipeline.credentials().close();
    settings.protocols().close();
    closeSafeStore(all);
  }

  private void closeSafeStore(boolean kernelsStopped) {
    SafeStore safeStore = pipeline.safeStore();
    if (safeStore != null) {
      try {
        safeStore.close(kernelsStopped);
      } catch (IOException e) {
        LOG.error("the journal could not be closed; it is checked when it is opened again", e);
      }
    }
  }
}
