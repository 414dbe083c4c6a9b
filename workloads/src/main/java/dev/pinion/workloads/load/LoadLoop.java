package dev.pinion.workloads.load;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Ticker;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/**
 * The clients of one event loop, and their shared state. Used on that loop, except for its
 * creation.
 */
final class LoadLoop {
  private static final int CONNECT_TIMEOUT_MILLIS = 5_000;
  private static final long TIMEOUT_CHECK_MILLIS = 50;
  private static final long LAG_CHECK_MILLIS = 10;

  private enum Phase {
    WARMING_UP,
    MEASURING,
    ENDING
  }

  private final LoadPlan plan;
  private final EventLoop loop;
  private final Bootstrap bootstrap;
  private final Ticker ticker;
  private final AtomicLong turns;
  private final Runnable whenDone;
  private final ByteBuf[] wires;
  private final List<LoadClient> clients = new ArrayList<>();
  private final LoopStatistics loopStatistics = new LoopStatistics();
  private final Pacing pacing;
  private Phase phase = Phase.WARMING_UP;
  private long measuringFromNanos;

  /**
   * The clients of a loop.
   *
   * @param bootstrap bootstrap with the transport and the server's address
   * @param turns measured requests that may still be sent, shared by all loops
   * @param whenDone called once for each client that has ended
   * @param number number of this loop, from 0
   */
  LoadLoop(
      LoadPlan plan,
      EventLoop loop,
      Bootstrap bootstrap,
      Ticker ticker,
      AtomicLong turns,
      Runnable whenDone,
      int number) {
    this.plan = plan;
    this.loop = loop;
    this.bootstrap =
        bootstrap.clone(loop).option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_TIMEOUT_MILLIS);
    this.ticker = ticker;
    this.turns = turns;
    this.whenDone = whenDone;
    wires = plan.requests().stream().map(request -> wire(request.bytes())).toArray(ByteBuf[]::new);
    pacing = pacing(number);
  }

  private Pacing pacing(int number) {
    Arrivals arrivals = plan.arrivals();
    if (arrivals == null) {
      return new ThinkPacing(this, clients);
    }
    ArrivalSchedule schedule = arrivals.schedule(number, plan.threads(), plan.seed());
    return new ArrivalPacing(this, clients, schedule, plan.timeout().toNanos());
  }

  EventLoop eventLoop() {
    return loop;
  }

  LoopStatistics tally() {
    return loopStatistics;
  }

  Pacing pacing() {
    return pacing;
  }

  void add(ThinkTime thinkTime, int number) {
    clients.add(new LoadClient(this, thinkTime, plan.iterations(), number % wires.length));
  }

  /** Starts to send, and to watch timeouts and its own lag. */
  void warmUp(int warmUpClients) {
    long timeoutNanos = plan.timeout().toNanos();
    every(
        TIMEOUT_CHECK_MILLIS,
        _ -> {
          long nowNanos = nanoTime();
          clients.forEach(client -> client.checkTimeout(nowNanos, timeoutNanos));
        });
    every(LAG_CHECK_MILLIS, dueNanos -> onLag(nanoTime() - dueNanos));
    pacing.warmUp(warmUpClients);
  }

  /** Starts measuring responses. */
  void measure() {
    phase = Phase.MEASURING;
    measuringFromNanos = nanoTime();
    loopStatistics.onMeasuringFrom(measuringFromNanos, cpuNanos());
    pacing.measure();
  }

  /** Ends the measured time; clients end when they await nothing. */
  void end() {
    if (phase == Phase.MEASURING) {
      loopStatistics.onMeasuringTo(
          nanoTime(), cpuNanos()); // closing thousands of connections takes time
    }
    pacing.end();
    phase = Phase.ENDING;
  }

  boolean isMeasuring() {
    return phase == Phase.MEASURING;
  }

  /** Whether a request due then is measured; called when it is sent. */
  boolean isMeasuredAt(long dueNanos) {
    return isMeasuring() && dueNanos - measuringFromNanos >= 0;
  }

  /** Takes the right to send a measured request; false when the plan's count is reached. */
  boolean takeTurn() {
    return plan.count() == Long.MAX_VALUE || turns.getAndDecrement() > 0;
  }

  /**
   * In the closed model responses after the end are not measured, because only waiting clients
   * would contribute. In the open model they are: leaving out the slowest ones would hide them.
   */
  void onRightAnswer(boolean sentMeasured, long latencyNanos) {
    if (isMeasuring()) {
      loopStatistics.onInTime();
    }
    if (!sentMeasured || (plan.arrivals() == null && !isMeasuring())) {
      loopStatistics.onUnmeasured();
    } else {
      loopStatistics.onMeasured(latencyNanos, !isMeasuring());
    }
  }

  /** Records the delay of a scheduled action. */
  void onLag(long nanos) {
    if (isMeasuring()) {
      loopStatistics.onLag(nanos);
    }
  }

  void onDone() {
    whenDone.run();
  }

  private void every(long millis, LongConsumer action) {
    long periodNanos = TimeUnit.MILLISECONDS.toNanos(millis);
    long startNanos = nanoTime();
    AtomicLong ticks = new AtomicLong();
    var _ =
        loop.scheduleAtFixedRate(
            () -> action.accept(startNanos + ticks.incrementAndGet() * periodNanos),
            periodNanos,
            periodNanos,
            TimeUnit.NANOSECONDS);
  }

  /** Processor time of this loop's thread so far; called on it. */
  private static long cpuNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  LoadRequest request(int number) {
    return plan.requests().get(number);
  }

  int requestAfter(int number) {
    return number + 1 == wires.length ? 0 : number + 1;
  }

  ByteBuf wire(int number) {
    return wires[number].duplicate();
  }

  ChannelFuture connect(LoadConnection connection) {
    return bootstrap
        .clone()
        .handler(
            new ChannelInitializer<SocketChannel>() {
              @Override
              protected void initChannel(SocketChannel channel) {
                channel.pipeline().addLast(new HttpResponseDecoder(), connection);
              }
            })
        .connect();
  }

  /** A direct buffer that sending does not release; it is freed with the last reference to it. */
  private static ByteBuf wire(byte[] bytes) {
    ByteBuffer direct = ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
    return Unpooled.unreleasableBuffer(Unpooled.wrappedBuffer(direct));
  }

  Future<?> schedule(Runnable action, long nanos) {
    return loop.schedule(action, nanos, TimeUnit.NANOSECONDS);
  }

  long nanoTime() {
    return ticker.nanoTime();
  }
}
