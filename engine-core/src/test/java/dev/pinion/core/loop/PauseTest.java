package dev.pinion.core.loop;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.model.Clock;
import dev.pinion.core.stage.Stage;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Field fault 9: after a pause of the process, calls whose responses were in their sockets timed
 * out. A loop reads before its stages enforce deadlines. The pause is a clock that jumps between
 * the I/O of a turn and its stages, while something comes.
 */
@Timeout(60)
class PauseTest {
  private static final Duration PAUSE = Duration.ofSeconds(36);

  private final List<String> happened = new CopyOnWriteArrayList<>();
  private final CountDownLatch judged = new CountDownLatch(1);
  private @Nullable StageLoopGroup loops;

  static Stream<Transport> transports() {
    return StageLoopTest.transports().stream();
  }

  @AfterEach
  void stop() {
    StageLoopGroup started = loops;
    if (started != null) {
      started.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly(10_000);
    }
  }

  /** The system's clock, which jumps ahead once. */
  private static final class JumpingClock implements Clock {
    private final AtomicReference<@Nullable Runnable> meanwhile = new AtomicReference<>();
    private volatile long aheadNanos;

    @Override
    public long nanoTime() {
      Runnable happens = meanwhile.getAndSet(null);
      if (happens != null) {
        happens.run();
        aheadNanos = PAUSE.toNanos();
      }
      return System.nanoTime() + aheadNanos;
    }

    @Override
    public long epochMillis() {
      return 0;
    }

    @Override
    public String scale() {
      return "test";
    }
  }

  /** A clock that stands still until a test moves it. */
  private record StandingClock(AtomicLong nanos) implements Clock {
    @Override
    public long nanoTime() {
      return nanos.get();
    }

    @Override
    public long epochMillis() {
      return 0;
    }

    @Override
    public String scale() {
      return "test";
    }
  }

  /** A clock that advances two seconds at every reading. */
  private record SlowClock(AtomicLong nanos) implements Clock {
    @Override
    public long nanoTime() {
      return nanos.addAndGet(TimeUnit.SECONDS.toNanos(2));
    }

    @Override
    public long epochMillis() {
      return 0;
    }

    @Override
    public String scale() {
      return "test";
    }
  }

  /** A stage that enforces one deadline. */
  private final class Judge extends ProbeStage {
    private volatile long heldUntilNanos = Long.MIN_VALUE;

    @Override
    public int doWork(long nowNanos, long epochMillis) {
      if (nowNanos >= deadlineNanos && nowNanos >= heldUntilNanos) {
        happened.add("judged");
        deadlineNanos = NO_DEADLINE;
        judged.countDown();
      }
      return 0;
    }

    @Override
    public long nextDeadlineNanos() {
      return Math.max(deadlineNanos, heldUntilNanos);
    }

    @Override
    public void onPause(long untilNanos) {
      happened.add("paused");
      heldUntilNanos = untilNanos;
    }
  }

  @ParameterizedTest
  @MethodSource("transports")
  void shouldReadBeforeDeadlinesAreJudged(Transport transport) throws Exception {
    JumpingClock clock = new JumpingClock();
    loops = StageLoopGroup.parked("test", 1, transport, clock, (role, threadKind) -> {});
    StageLoop loop = loops.loops().getFirst();
    Judge judge = new Judge();
    loop.host(List.of(judge));
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      connect(loop, transport, server);
      try (Socket service = server.accept()) {
        judge.deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        clock.meanwhile.set(() -> write(service));
        loop.signal();
        assertTrue(judged.await(30, TimeUnit.SECONDS));
      }
    }
    assertEquals(List.of("read", "paused", "judged"), happened);
  }

  /** Each turn comes after a pause, and deadlines due in it would be deferred for ever. */
  @ParameterizedTest
  @MethodSource("transports")
  void shouldJudgeDeadlinesHoweverSlowItsTurnsAre(Transport transport) throws Exception {
    AtomicLong nanos = new AtomicLong();
    Clock slow = new SlowClock(nanos);
    loops = StageLoopGroup.parked("test", 1, transport, slow, (role, threadKind) -> {});
    StageLoop loop = loops.loops().getFirst();
    Judge judge = new Judge();
    judge.deadlineNanos = 1;
    loop.host(List.of(judge));
    awaitJudgement(loop, judge);
    assertEquals(List.of("paused", "judged"), happened);

    judge.deadlineNanos = nanos.get() + 1;
    awaitJudgement(loop, judge);
    assertEquals(List.of("paused", "judged", "paused", "judged"), happened);
  }

  /** Input of another loop is not there yet when this one has read all of its own. */
  @ParameterizedTest
  @MethodSource("transports")
  void shouldWaitForOtherLoopsAlsoWhenADeadlinePassedJustBeforeTheEnd(Transport transport)
      throws Exception {
    StandingClock clock = new StandingClock(new AtomicLong());
    loops = StageLoopGroup.parked("test", 2, transport, clock, (role, threadKind) -> {});
    StageLoop kernel = loops.loops().get(0);
    StageLoop invoker = loops.loops().get(1);
    Judge judge = new Judge();
    kernel.host(List.of(judge));
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      connect(invoker, transport, server);
      try (Socket service = server.accept()) {
        turn(kernel);
        judge.deadlineNanos = PAUSE.minusMillis(500).toNanos();
        clock.nanos.set(PAUSE.toNanos());
        turn(kernel);
        assertEquals(List.of("paused"), happened);

        write(service);
        await().until(() -> happened.contains("read"));
        clock.nanos.set(PAUSE.plusMillis(499).toNanos());
        turn(kernel);
        assertEquals(List.of("paused", "read"), happened);
        clock.nanos.set(PAUSE.plusMillis(500).toNanos());
        turn(kernel);
        assertEquals(List.of("paused", "read", "judged"), happened);
      }
    }
  }

  /** A thread that had to wait for a CPU did not stand still. */
  @ParameterizedTest
  @CsvSource({"100, judged", "101, paused"})
  void shouldJudgeAtOnceWhatPassedJustNow(long millisAgo, String first) {
    StandingClock clock = new StandingClock(new AtomicLong());
    loops = StageLoopGroup.parked("test", 1, Transport.nio(), clock, (role, threadKind) -> {});
    StageLoop loop = loops.loops().getFirst();
    Judge judge = new Judge();
    loop.host(List.of(judge));
    turn(loop);
    judge.deadlineNanos = PAUSE.minusMillis(millisAgo).toNanos();
    clock.nanos.set(PAUSE.toNanos());
    turn(loop);
    assertEquals(List.of(first), happened);
  }

  private void awaitJudgement(StageLoop loop, Judge judge) {
    for (int turn = 0; turn < 100 && judge.deadlineNanos != Stage.NO_DEADLINE; turn++) {
      turn(loop);
    }
  }

  /** Waits for at least one whole turn. */
  private static void turn(StageLoop loop) {
    long before = loop.turns();
    await()
        .pollInterval(Duration.ofMillis(1))
        .until(
            () -> {
              loop.signal();
              return loop.turns() > before + 1;
            });
  }

  private void connect(StageLoop loop, Transport transport, ServerSocket server) {
    new Bootstrap()
        .group(loop)
        .channel(transport.socketChannel())
        .handler(
            new ChannelInboundHandlerAdapter() {
              @Override
              public void channelRead(ChannelHandlerContext context, Object message) {
                happened.add("read");
                ReferenceCountUtil.release(message);
              }
            })
        .connect(server.getLocalSocketAddress())
        .syncUninterruptibly();
  }

  private static void write(Socket service) {
    try {
      service.getOutputStream().write(1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
