package dev.pinion.workloads.load;

import dev.pinion.workloads.transport.NettyTransport;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.Ticker;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Loads a server according to a {@link LoadPlan}, and checks every response. In the closed model
 * each client waits for its response before it thinks and sends again, so a server that stalls also
 * stalls its clients; in the open model requests arrive at a given rate. Latencies count from when
 * a request was due, so that neither a late generator nor one without free clients hides any wait.
 */
public final class LoadGenerator {
  private static final long PROGRESS_MILLIS = 250;

  private final LoadPlan plan;
  private final LoadProgress progress;
  private final Ticker ticker = Ticker.systemTicker();
  private final List<LoadLoop> loops = new ArrayList<>();
  private final CountDownLatch clientsAtWork;

  private LoadGenerator(LoadPlan plan, LoadProgress progress) {
    this.plan = plan;
    this.progress = progress;
    this.clientsAtWork = new CountDownLatch(plan.clients());
  }

  /**
   * Runs a plan to its end on separate threads.
   *
   * @throws InterruptedException when interrupted; clients are stopped at once then
   */
  public static LoadResult run(LoadPlan plan) throws InterruptedException {
    return run(plan, LoadProgress.NONE);
  }

  /** Runs a plan and reports its progress. */
  public static LoadResult run(LoadPlan plan, LoadProgress progress) throws InterruptedException {
    NettyTransport nettyTransport = NettyTransport.best();
    EventLoopGroup group = nettyTransport.loops(plan.threads(), "load");
    try {
      LoadGenerator generator = new LoadGenerator(plan, progress);
      generator.prepare(nettyTransport, group);
      return generator.run();
    } finally {
      group.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly(2, TimeUnit.SECONDS);
    }
  }

  private void prepare(NettyTransport nettyTransport, EventLoopGroup group) {
    LoadRequest first = plan.requests().getFirst();
    Bootstrap bootstrap =
        new Bootstrap()
            .channel(nettyTransport.clientChannel())
            .option(ChannelOption.TCP_NODELAY, true)
            .remoteAddress(first.uri().getHost(), first.port());
    AtomicLong turns = new AtomicLong(plan.count());
    for (int i = 0; i < plan.threads(); i++) {
      loops.add(
          new LoadLoop(plan, group.next(), bootstrap, ticker, turns, clientsAtWork::countDown, i));
    }
    SplittableRandom random = new SplittableRandom(plan.seed());
    for (int i = 0; i < plan.clients(); i++) {
      ThinkTime thinkTime = new ThinkTime(plan.thinkTime().toNanos(), random.split());
      loops.get(i % loops.size()).add(thinkTime, i);
    }
  }

  private LoadResult run() throws InterruptedException {
    if (plan.warmUp().isZero()) {
      // Measuring starts first: nothing can become due between the two.
      onEach(
          loop -> {
            loop.measure();
            loop.warmUp(0);
          });
    } else {
      int each = Math.ceilDiv(plan.warmUpClients(), loops.size());
      onEach(loop -> loop.warmUp(each));
      await("warming up", plan.warmUp().toNanos());
      onEach(LoadLoop::measure);
    }
    await("measuring", plan.duration().toNanos());
    onEach(LoadLoop::end);
    awaitLastAnswers();
    return result();
  }

  /** Waits for a time, or until the last client has ended, and reports the progress meanwhile. */
  private void await(String step, long nanos) throws InterruptedException {
    long startNanos = ticker.nanoTime();
    long leftNanos = nanos;
    while (leftNanos > 0) {
      reportProgress(step, 1 - (double) leftNanos / nanos);
      long waitNanos = Math.min(leftNanos, TimeUnit.MILLISECONDS.toNanos(PROGRESS_MILLIS));
      if (clientsAtWork.await(waitNanos, TimeUnit.NANOSECONDS)) {
        return;
      }
      leftNanos = nanos - (ticker.nanoTime() - startNanos);
    }
  }

  private void reportProgress(String step, double fraction) throws InterruptedException {
    if (!progress.equals(LoadProgress.NONE)) {
      LoadResult soFar = result();
      progress.onProgress(
          fraction,
          String.format(
              Locale.ROOT,
              "%s, %,d answers, %,d errors",
              step,
              soFar.allAnswers(),
              soFar.errorCount()));
    }
  }

  private void awaitLastAnswers() throws InterruptedException {
    long patienceNanos = plan.timeout().plusSeconds(10).toNanos();
    if (!clientsAtWork.await(patienceNanos, TimeUnit.NANOSECONDS)) {
      throw new IllegalStateException(
          "expected every client to end within its timeout, found "
              + clientsAtWork.getCount()
              + " still at work");
    }
  }

  private LoadResult result() throws InterruptedException {
    LoadResult sum = null;
    for (LoadLoop loop : loops) {
      LoadResult one = call(loop, () -> loop.tally().result());
      sum = sum == null ? one : sum.plus(one);
    }
    if (sum == null) {
      throw new IllegalStateException("expected at least one loop, found none");
    }
    return sum;
  }

  /** On all loops at once: the action of one must not delay the next. */
  private void onEach(Consumer<LoadLoop> action) throws InterruptedException {
    List<Future<?>> begun = new ArrayList<>();
    for (LoadLoop loop : loops) {
      begun.add(loop.eventLoop().submit(() -> action.accept(loop)));
    }
    for (Future<?> each : begun) {
      ended(each);
    }
  }

  private static <T> T call(LoadLoop loop, Callable<T> action) throws InterruptedException {
    return ended(loop.eventLoop().submit(action));
  }

  private static <T> T ended(Future<T> action) throws InterruptedException {
    try {
      return action.get();
    } catch (ExecutionException failed) {
      throw new IllegalStateException("expected a load loop to continue", failed.getCause());
    }
  }
}
