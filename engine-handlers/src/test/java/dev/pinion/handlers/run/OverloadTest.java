package dev.pinion.handlers.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.model.Clock;
import dev.pinion.core.model.Payload;
import dev.pinion.handlers.api.Body;
import dev.pinion.handlers.api.Message;
import dev.pinion.handlers.api.MessageId;
import dev.pinion.handlers.api.Point;
import dev.pinion.handlers.plan.ChainOptions;
import dev.pinion.handlers.plan.ChainPlan;
import dev.pinion.handlers.plan.Step;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Chains at 1.5 times their capacity, of handlers that do real work and interfere with each other.
 * Windows are measured alternately, the adaptive one among fixed ones.
 *
 * <pre>
 *   1.5 x capacity ──▶ queue of 100 ──▶ window ──▶ 16 workers ──▶ one of four states, optimistically
 * </pre>
 */
class OverloadTest {
  private static final int WORKERS = 16;
  private static final int BLOCKS = 48;
  private static final int QUEUE = 100;
  private static final double FLOOD = 20_000;
  private static final double OVERLOAD = 1.5;
  private static final double NEAR = 0.93;
  private static final long ROOM = 24L << 20;
  private static final int CPUS = Runtime.getRuntime().availableProcessors();

  private final WorkerPool pool = new WorkerPool(WorkerSettings.parked(WORKERS, 0), Clock.system());
  private final Offered adaptive = new Offered(ChainOptions.ADAPTIVE);
  private final List<Offered> fixed =
      List.of(new Offered(1), new Offered(CPUS), new Offered(2 * CPUS), new Offered(WORKERS));

  @AfterEach
  void close() {
    pool.close();
  }

  @Test
  void shouldStartInOrderOfArrivalAndKeepWhatItAccepted() {
    overload(2, 500, 250);
  }

  /**
   * The adaptive window for five minutes, each fixed one for 30 seconds, in 15 rounds: a ratio of
   * rates, on an otherwise idle machine.
   */
  @Test
  @Tag("long")
  void shouldStayFlatAndInOrderForFiveMinutes() {
    overload(15, 20_000, 2_000);

    assertTrue(adaptive.refused > 1_000, "hardly any overload: " + adaptive);
    double best = fixed.stream().mapToDouble(Offered::perSecond).max().orElseThrow();
    System.out.printf(
        "adaptive to the best fixed window: %.3f (wanted %.2f)%n",
        adaptive.perSecond() / best, NEAR);
    assertTrue(adaptive.perSecond() >= NEAR * best, adaptive + " beside " + fixed);
  }

  /**
   * Overloads all alternately.
   *
   * @param adaptiveMillis time of the adaptive window in each round
   * @param fixedMillis time of each other one
   */
  private void overload(int rounds, long adaptiveMillis, long fixedMillis) {
    Offered cpus = fixed.get(1);
    cpus.offer(FLOOD, fixedMillis); // warms up
    cpus.forget();
    cpus.offer(FLOOD, fixedMillis);
    double capacity = cpus.perSecond();
    cpus.forget();
    long memory = 0;
    for (int round = 0; round < rounds; round++) {
      adaptive.offer(OVERLOAD * capacity, adaptiveMillis);
      for (Offered each : fixed) {
        each.offer(OVERLOAD * capacity, fixedMillis);
        capacity = Math.max(capacity, each.perSecond()); // on a machine with other load
      }
      memory = round == 0 ? heldBytes() : memory;
    }
    long grown = heldBytes() - memory;
    List<Offered> all = new ArrayList<>(fixed);
    all.add(adaptive);
    System.out.printf("offered %.0f/s; memory %+d KiB; ", OVERLOAD * capacity, grown / 1_024);
    all.forEach(each -> System.out.print(each + "; "));
    System.out.println();
    assertTrue(grown < ROOM, "grown by " + grown + " B");
    for (Offered each : all) {
      assertTrue(each.refused > 0, "no overload: " + each);
      assertEquals(each.accepted, each.done.get(), each + " lost messages");
    }
    assertEquals(0, fixed.getFirst().work.farthest(), "window 1 out of order");
    for (Offered each : all) {
      assertTrue(each.work.ahead() < each.atWork(), "out of order: " + each);
    }
  }

  private static long heldBytes() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  /** A chain with a window, and the messages offered to it. */
  private final class Offered {
    private final int window;
    private final Contention work = new Contention(BLOCKS);
    private final Chain chain;
    private final AtomicLong done = new AtomicLong();
    private long accepted;
    private long refused;
    private long doneInTime;
    private long nanos;

    Offered(int window) {
      this.window = window;
      this.chain =
          new Chain(
              ChainPlan.inOrder(
                  "overload",
                  List.of(Step.of("work", work)),
                  new ChainOptions(null, window, ChainOptions.SideBySide.AUTO)),
              pool,
              Messages.LIMITS.with(Map.of("handlers.maxQueued", QUEUE)));
    }

    /** Offers messages at a rate, with a full queue at the beginning; then lets them all pass. */
    void offer(double perSecond, long millis) {
      for (long before = refused; refused == before; ) {
        enter();
      }
      long begun = System.nanoTime();
      long end = begun + TimeUnit.MILLISECONDS.toNanos(millis);
      long before = done.get();
      double gap = 1e9 / perSecond;
      double due = begun;
      for (long now = begun; now < end; now = System.nanoTime()) {
        for (; due <= now; due += gap) {
          enter();
        }
        LockSupport.parkNanos(500_000);
      }
      doneInTime += done.get() - before;
      nanos += System.nanoTime() - begun;
      while (chain.inFlight() > 0 || chain.queued() > 0) {
        LockSupport.parkNanos(1_000_000); // bounded by the queue
      }
    }

    private void enter() {
      Message message =
          Message.of(
              new MessageId(1, accepted),
              Point.REQUEST_IN,
              Map.of("n", Long.toString(accepted)),
              Body.of(Payload.NULL));
      boolean[] room = {true};
      chain.enter(
          message,
          room,
          (told, outcome) -> {
            if (outcome instanceof Outcome.Overloaded) {
              told[0] = false; // called on this thread, before enter returns
            } else {
              done.incrementAndGet();
            }
          });
      if (room[0]) {
        accepted++;
      } else {
        refused++;
      }
    }

    /** Most messages that may be at work at the same time. */
    int atWork() {
      return window == ChainOptions.ADAPTIVE ? WORKERS : Math.min(window, WORKERS);
    }

    void forget() {
      doneInTime = 0;
      nanos = 0;
    }

    double perSecond() {
      return doneInTime * 1e9 / nanos;
    }

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "window %s: %.0f/s, %d accepted, %d times full, farthest %d, ahead of %d",
          window == ChainOptions.ADAPTIVE ? "adaptive, now " + chain.windowSize() : "" + window,
          perSecond(),
          accepted,
          refused,
          work.farthest(),
          work.ahead());
    }
  }
}
