package dev.pinion.core.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.pinion.core.model.Clock;
import dev.pinion.core.stage.Lane;
import dev.pinion.core.stage.ThreadSetup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;

/** Real loops on every transport, asleep and spinning. */
@Timeout(60)
class StageLoopTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** Longer than any test, so that spinning loops continue. */
  private static final int HOUR_MILLIS = 3_600_000;

  /** Spin time of loops that go to sleep. */
  private static final int SPIN_MILLIS = 10;

  /** Chances for each kind of loop to sleep through a message. */
  private static final int WAKE_UPS = 10_000;

  private static final Logger LOG = (Logger) LoggerFactory.getLogger(StageLoop.class);

  private final List<String> prepared = Collections.synchronizedList(new ArrayList<>());
  private @Nullable StageLoopGroup loops;

  static Stream<Arguments> kinds() {
    List<Arguments> kinds = new ArrayList<>();
    for (Transport transport : transports()) {
      for (IdleStrategy idleStrategy : IdleStrategy.values()) {
        kinds.add(Arguments.of(transport, idleStrategy));
      }
    }
    return kinds.stream();
  }

  static List<Transport> transports() {
    Transport best = Transport.best();
    return best.name().equals("nio") ? List.of(best) : List.of(best, Transport.nio());
  }

  /** Silences the log of stages that fail on purpose. */
  @BeforeEach
  void silence() {
    LOG.setLevel(Level.OFF);
  }

  @AfterEach
  void speak() {
    LOG.setLevel(null);
  }

  @AfterEach
  void stop() {
    StageLoopGroup started = loops;
    if (started != null) {
      started.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly(10_000);
    }
  }

  private StageLoop start(Transport transport, IdleStrategy idleStrategy) {
    ThreadSetup setup =
        (role, threadKind) ->
            prepared.add(role + " " + threadKind + " on " + Thread.currentThread().getName());
    StageLoopGroup made =
        new StageLoopGroup("test", 1, transport, Clock.system(), idleStrategy, HOUR_MILLIS, setup);
    loops = made;
    return made.loops().get(0);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void shouldPrepareItsThreadAndRunItsStagesOnIt(Transport transport, IdleStrategy idleStrategy) {
    StageLoop loop = start(transport, idleStrategy);
    ProbeStage probeStage = new ProbeStage();
    assertEquals(List.of(), prepared, "no thread before there are stages");
    loop.host(List.of(probeStage));

    await(() -> !probeStage.thread.get().isEmpty());
    assertEquals("test-0", probeStage.thread.get());
    assertEquals(List.of("test-0 CRITICAL on test-0"), prepared);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void shouldLoseNoWakeUp(Transport transport, IdleStrategy idleStrategy) throws Exception {
    StageLoop loop = start(transport, idleStrategy);
    Semaphore answers = new Semaphore(0);
    ProbeStage probeStage =
        new ProbeStage() {
          @Override
          public int doWork(long nowNanos, long epochMillis) {
            int work = super.doWork(nowNanos, epochMillis);
            answers.release(work);
            return work;
          }
        };
    probeStage.lane.attach(loop);
    loop.host(List.of(probeStage));

    // one message at a time, so that the loop is about to fall asleep whenever one comes
    for (int i = 0; i < WAKE_UPS; i++) {
      assertTrue(probeStage.lane.offer(i));
      assertTrue(answers.tryAcquire(PATIENCE.toSeconds(), TimeUnit.SECONDS), "message " + i);
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void shouldHandOverBetweenStagesOfOneLoopWithoutWaking(
      Transport transport, IdleStrategy idleStrategy) {
    StageLoop loop = start(transport, idleStrategy);
    ProbeStage first = new ProbeStage();
    // the second stage works after the first and offers backwards
    AtomicInteger left = new AtomicInteger(1_000);
    ProbeStage second =
        new ProbeStage() {
          @Override
          public int doWork(long nowNanos, long epochMillis) {
            if (left.get() > 0 && first.lane.isEmpty()) {
              left.decrementAndGet();
              first.lane.offer(1);
            }
            return super.doWork(nowNanos, epochMillis);
          }
        };
    loop.host(List.of(first, second));

    await(() -> first.taken.get() == 1_000);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void shouldWakeForADeadline(Transport transport, IdleStrategy idleStrategy) {
    StageLoop loop = start(transport, idleStrategy);
    ProbeStage probeStage = new ProbeStage();
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(50);
    probeStage.deadlineNanos = deadline;
    loop.host(List.of(probeStage));

    await(() -> probeStage.firedNanos != 0);
    assertTrue(probeStage.firedNanos >= deadline, "not early");
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void shouldLookAgainByItselfUnlessItSleeps(Transport transport, IdleStrategy idleStrategy) {
    StageLoop loop = start(transport, idleStrategy);
    loop.host(List.of(new ProbeStage()));
    await(() -> loop.turns() > 0);

    if (idleStrategy == IdleStrategy.YIELD || idleStrategy == IdleStrategy.SPIN) {
      await(() -> loop.turns() > 10_000);
    } else {
      assertTrue(loop.turns() < 100, "turns: " + loop.turns());
    }
  }

  @ParameterizedTest
  @MethodSource("transports")
  void shouldSleepUntilItsDeadline(Transport transport) {
    StageLoop loop = start(transport, IdleStrategy.PARK);
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(300);
    // NIO waits for whole milliseconds and polls for the rest of the last one
    long lastMillisecond = deadline - TimeUnit.MILLISECONDS.toNanos(1);
    AtomicInteger early = new AtomicInteger();
    ProbeStage probeStage =
        new ProbeStage() {
          @Override
          public int doWork(long nowNanos, long epochMillis) {
            if (nowNanos < lastMillisecond) {
              early.incrementAndGet();
            }
            return super.doWork(nowNanos, epochMillis);
          }
        };
    probeStage.deadlineNanos = deadline;
    loop.host(List.of(probeStage));

    await(() -> probeStage.firedNanos != 0);
    assertTrue(early.get() < 20, "turns before the last millisecond: " + early.get());
  }

  @ParameterizedTest
  @MethodSource("transports")
  void shouldSleepWhileThereIsNothingToDo(Transport transport) {
    StageLoop loop = start(transport, IdleStrategy.PARK);
    ProbeStage probeStage = new ProbeStage();
    probeStage.lane.attach(loop);
    loop.host(List.of(probeStage));
    for (int i = 1; i <= 10; i++) {
      int number = i;
      probeStage.lane.offer(i);
      await(() -> probeStage.taken.get() == number);
    }

    assertTrue(loop.turns() < 200, "turns: " + loop.turns());
  }

  @ParameterizedTest
  @MethodSource("transports")
  void shouldMoveAnEarlierDeadlineForward(Transport transport) {
    StageLoop loop = start(transport, IdleStrategy.PARK);
    ProbeStage probeStage = new ProbeStage();
    probeStage.deadlineNanos = System.nanoTime() + TimeUnit.HOURS.toNanos(1);
    loop.host(List.of(probeStage));
    await(() -> loop.turns() > 0);
    probeStage.deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(20);
    loop.signal();

    await(() -> probeStage.firedNanos != 0);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void shouldGoOnWithAStageThatThrows(Transport transport, IdleStrategy idleStrategy) {
    StageLoop loop = start(transport, idleStrategy);
    AtomicInteger failures = new AtomicInteger();
    ProbeStage failing =
        new ProbeStage() {
          @Override
          public int doWork(long nowNanos, long epochMillis) {
            int work = super.doWork(nowNanos, epochMillis);
            if (work > 0) {
              if (failures.incrementAndGet() == 2) {
                throw new OutOfMemoryError("of direct memory, on purpose"); // field fault 6
              }
              throw new IllegalStateException("on purpose");
            }
            return work;
          }
        };
    ProbeStage other = new ProbeStage();
    failing.lane.attach(loop);
    other.lane.attach(loop);
    loop.host(List.of(failing, other));
    for (int i = 1; i <= 3; i++) {
      int number = i;
      failing.lane.offer(i);
      other.lane.offer(i);
      await(() -> failures.get() == number && other.taken.get() == number);
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void shouldCloseEachStageOnce(Transport transport, IdleStrategy idleStrategy) {
    StageLoop loop = start(transport, idleStrategy);
    ProbeStage first = new ProbeStage();
    ProbeStage failing =
        new ProbeStage() {
          @Override
          public void onClose() {
            super.onClose();
            throw new IllegalStateException("on purpose");
          }
        };
    ProbeStage last = new ProbeStage();
    loop.host(List.of(first, failing, last));
    await(() -> loop.turns() > 0);
    assertEquals(0, first.closed.get());
    stop();

    assertTrue(loop.isTerminated());
    for (ProbeStage probeStage : List.of(first, failing, last)) {
      assertEquals(1, probeStage.closed.get());
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void shouldRunTasksBesideItsStages(Transport transport, IdleStrategy idleStrategy)
      throws Exception {
    StageLoop loop = start(transport, idleStrategy);
    loop.host(List.of(new ProbeStage()));
    CountDownLatch ran = new CountDownLatch(2);
    loop.execute(ran::countDown);
    Future<?> scheduled = loop.schedule(ran::countDown, 10, TimeUnit.MILLISECONDS);

    assertTrue(ran.await(PATIENCE.toSeconds(), TimeUnit.SECONDS));
    assertTrue(scheduled.isDone() || scheduled.get() == null);
  }

  @ParameterizedTest
  @EnumSource(
      value = IdleStrategy.class,
      names = {"YIELD", "SPIN"})
  void shouldSleepAfterAWhileWithoutWork(IdleStrategy idleStrategy) {
    AtomicLong nanos = new AtomicLong(1_000);
    StageLoopGroup made =
        new StageLoopGroup(
            "tired",
            1,
            Transport.best(),
            still(nanos),
            idleStrategy,
            SPIN_MILLIS,
            ThreadSetup.NONE);
    loops = made;
    StageLoop loop = made.loops().get(0);
    ProbeStage probeStage = new ProbeStage();
    probeStage.lane.attach(loop);
    loop.host(List.of(probeStage));
    await(() -> loop.turns() > 10_000);

    nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(SPIN_MILLIS) - 1);
    goesOn(loop);
    nanos.incrementAndGet();
    sleeps(loop);

    probeStage.lane.offer(1);
    await(() -> probeStage.taken.get() == 1);
    goesOn(loop);
    nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(SPIN_MILLIS));
    sleeps(loop);
  }

  private static void goesOn(StageLoop loop) {
    long before = loop.turns();
    await(() -> loop.turns() > before + 10_000);
  }

  /**
   * Checks that each wake-up is a turn or two, with none between them: a spinning loop has many.
   */
  private static void sleeps(StageLoop loop) {
    long before = loop.turns();
    for (int i = 0; i < 10; i++) {
      long turns = loop.turns();
      loop.signal();
      await(() -> loop.turns() > turns);
    }
    assertTrue(loop.turns() < before + 100, "turns: " + (loop.turns() - before));
  }

  private static Clock still(AtomicLong nanos) {
    return new Clock() {
      @Override
      public String scale() {
        return "test";
      }

      @Override
      public long nanoTime() {
        return nanos.get();
      }

      @Override
      public long epochMillis() {
        return 77;
      }
    };
  }

  @ParameterizedTest
  @MethodSource("transports")
  void shouldTellStagesTheTimeOfItsClock(Transport transport) {
    AtomicLong nanos = new AtomicLong(1_000);
    StageLoopGroup made =
        StageLoopGroup.parked("still", 1, transport, still(nanos), ThreadSetup.NONE);
    loops = made;
    ProbeStage probeStage = new ProbeStage();
    AtomicLong epoch = new AtomicLong();
    ProbeStage watching =
        new ProbeStage() {
          @Override
          public int doWork(long nowNanos, long epochMillis) {
            epoch.set(epochMillis);
            return super.doWork(nowNanos, epochMillis);
          }
        };
    probeStage.deadlineNanos = 5_000;
    made.loops().get(0).host(List.of(probeStage, watching));
    await(() -> epoch.get() == 77);
    assertEquals(0, probeStage.firedNanos);
    nanos.set(6_000);
    made.loops().get(0).signal();

    await(() -> probeStage.firedNanos == 6_000);
  }

  @ParameterizedTest
  @MethodSource("transports")
  void shouldNumberItsLoops(Transport transport) {
    StageLoopGroup made =
        StageLoopGroup.parked("many", 3, transport, Clock.system(), ThreadSetup.NONE);
    loops = made;
    List<ProbeStage> probes = new ArrayList<>();
    for (StageLoop loop : made.loops()) {
      ProbeStage probeStage = new ProbeStage();
      probes.add(probeStage);
      loop.host(List.of(probeStage));
      await(() -> !probeStage.thread.get().isEmpty());
    }

    assertEquals(
        List.of("many-0", "many-1", "many-2"),
        probes.stream().map(probeStage -> probeStage.thread.get()).toList());
    assertFalse(made.isShuttingDown());
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void shouldHandOverBetweenLoops(Transport transport, IdleStrategy idleStrategy) {
    StageLoopGroup made =
        new StageLoopGroup(
            "pair", 2, transport, Clock.system(), idleStrategy, HOUR_MILLIS, ThreadSetup.NONE);
    loops = made;
    int rounds = 10_000;
    AtomicInteger last = new AtomicInteger();
    Relay there = new Relay(rounds, last);
    Relay back = new Relay(rounds, last);
    there.next = back.lane;
    back.next = there.lane;
    there.lane.attach(made.loops().get(0));
    back.lane.attach(made.loops().get(1));
    made.loops().get(0).host(List.of(there));
    made.loops().get(1).host(List.of(back));

    // from a thread that is no loop
    assertTrue(there.lane.offer(1));
    await(() -> last.get() == rounds);

    // from a task of a loop, after the duty cycles of its turn
    last.set(0);
    made.loops().get(0).execute(() -> assertTrue(back.lane.offer(1)));
    await(() -> last.get() == rounds);
  }

  /** A stage that forwards each number as the next one, up to a limit. */
  private static final class Relay extends ProbeStage {
    private final int limit;
    private final AtomicInteger last;
    private @Nullable Lane<Integer> next;

    Relay(int limit, AtomicInteger last) {
      this.limit = limit;
      this.last = last;
    }

    @Override
    public int doWork(long nowNanos, long epochMillis) {
      return lane.drain(
          number -> {
            if (number == limit) {
              last.set(number);
            } else {
              assertTrue(Objects.requireNonNull(next).offer(number + 1));
            }
          },
          16);
    }
  }

  private static void await(java.util.concurrent.Callable<Boolean> condition) {
    Awaitility.await().atMost(PATIENCE).pollInterval(Duration.ofMillis(1)).until(condition);
  }
}
