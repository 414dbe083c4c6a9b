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
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** The clients of one event loop, and what they share. Used on that loop, but for its making. */
final class LoadLoop {
  private static final int CONNECT_TIMEOUT_MILLIS = 5_000;
  private static final long TIMEOUT_CHECK_MILLIS = 50;

  enum Phase {
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
  private final Tally tally = new Tally();
  private Phase phase = Phase.WARMING_UP;

  /**
   * The clients of a loop.
   *
   * @param bootstrap knows the transport and where the server is
   * @param turns measured requests that may still be sent, shared by all loops
   * @param whenDone called once for each client that has ended
   */
  LoadLoop(
      LoadPlan plan,
      EventLoop loop,
      Bootstrap bootstrap,
      Ticker ticker,
      AtomicLong turns,
      Runnable whenDone) {
    this.plan = plan;
    this.loop = loop;
    this.bootstrap =
        bootstrap.clone(loop).option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_TIMEOUT_MILLIS);
    this.ticker = ticker;
    this.turns = turns;
    this.whenDone = whenDone;
    wires = plan.requests().stream().map(request -> wire(request.bytes())).toArray(ByteBuf[]::new);
  }

  EventLoop eventLoop() {
    return loop;
  }

  Tally tally() {
    return tally;
  }

  void add(ThinkTime thinkTime, int number) {
    clients.add(new LoadClient(this, thinkTime, number % wires.length));
  }

  /** Starts some of the clients and watches over timeouts from now on. */
  void warmUp(int warmUpClients) {
    long timeoutNanos = plan.timeout().toNanos();
    var _ =
        loop.scheduleAtFixedRate(
            () -> {
              long nowNanos = nanoTime();
              clients.forEach(client -> client.checkTimeout(nowNanos, timeoutNanos));
            },
            TIMEOUT_CHECK_MILLIS,
            TIMEOUT_CHECK_MILLIS,
            TimeUnit.MILLISECONDS);
    clients.stream().limit(warmUpClients).forEach(LoadClient::start);
  }

  /** Starts the other clients; from now on answers are measured. */
  void measure() {
    phase = Phase.MEASURING;
    tally.onMeasuringFrom(nanoTime());
    clients.forEach(LoadClient::start);
  }

  /** Ends the measured time; clients end when they await nothing. */
  void end() {
    if (phase == Phase.MEASURING) {
      tally.onMeasuringTo(nanoTime());
    }
    phase = Phase.ENDING;
    clients.forEach(LoadClient::stop);
  }

  boolean isMeasuring() {
    return phase == Phase.MEASURING;
  }

  boolean maySend() {
    return phase != Phase.ENDING;
  }

  /** Takes the right to send a request; false when the plan's count is reached. */
  boolean takeTurn() {
    return phase != Phase.MEASURING
        || plan.count() == Long.MAX_VALUE
        || turns.getAndDecrement() > 0;
  }

  void onRightAnswer(boolean sentMeasured, long latencyNanos) {
    if (sentMeasured && phase == Phase.MEASURING) {
      tally.onMeasured(latencyNanos);
    } else {
      tally.onUnmeasured();
    }
  }

  void onDone() {
    whenDone.run();
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

  /** A direct buffer that sending does not release; it goes with the last reference to it. */
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
