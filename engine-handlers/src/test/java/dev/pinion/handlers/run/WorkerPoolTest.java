package dev.pinion.handlers.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.model.Clock;
import dev.pinion.core.model.PauseGrace;
import dev.pinion.handlers.api.AsyncHandler;
import dev.pinion.handlers.api.Declaration;
import dev.pinion.handlers.api.EffectClass;
import dev.pinion.handlers.api.Verdict;
import dev.pinion.handlers.api.View;
import dev.pinion.handlers.plan.ChainOptions;
import dev.pinion.handlers.plan.ChainPlan;
import dev.pinion.handlers.plan.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Handlers that hang, on real threads and by a clock that the test moves. */
@Timeout(60)
class WorkerPoolTest {
  /** So short that the clock may jump over it without a pause of the process being assumed. */
  private static final Duration LIMIT = Duration.ofMillis(50);

  private static final Duration PAUSE = Duration.ofSeconds(36);

  private final ManualClock clock = new ManualClock();
  private final CountDownLatch release = new CountDownLatch(1);
  private final List<String> happened = new CopyOnWriteArrayList<>();

  /**
   * A handler that hangs endlessly the first time, ignores interrupts, and reports its beginning.
   */
  private ScriptedHandler hanging(Declaration declared, CountDownLatch begun, int times) {
    AtomicInteger calls = new AtomicInteger();
    return ScriptedHandler.of(
            declared,
            view -> {
              if (calls.incrementAndGet() <= times) {
                begun.countDown();
                awaitDeaf(release);
              }
              happened.add("handled");
              return Verdict.UNCHANGED;
            })
        .undoing(view -> happened.add("undone"));
  }

  private static void awaitDeaf(CountDownLatch latch) {
    boolean open = false;
    while (!open) {
      try {
        latch.await();
        open = true;
      } catch (InterruptedException e) {
        open = false; // the handler ignores it
      }
    }
  }

  private Outcome afterTheTime(Chain chain, CountDownLatch begun) throws Exception {
    CompletableFuture<Outcome> outcome = Messages.entering(chain, Messages.of("{}"));
    begun.await();
    clock.advance(LIMIT.toNanos() + 1);
    return outcome.get(30, TimeUnit.SECONDS);
  }

  private static void until(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      Thread.onSpinWait(); // bounded by the time of the test
    }
  }

  @Test
  void shouldAnswerForAHandlerThatHangsAndReplaceItsWorker() throws Exception {
    try (WorkerPool pool = new WorkerPool(WorkerSettings.parked(1, 4), clock)) {
      CountDownLatch begun = new CountDownLatch(1);
      Chain chain =
          Messages.chain(
              pool, hanging(Declaration.NOTHING.mandatory().within(LIMIT), begun, 1).as("slow"));

      Outcome.Refused refused = assertInstanceOf(Outcome.Refused.class, afterTheTime(chain, begun));
      assertEquals(504, refused.problem().status());
      assertEquals(1, pool.stuck());
      assertEquals(2, pool.threads());

      // the next message finds a worker, and the lost one ends when it returns
      assertInstanceOf(Outcome.Proceed.class, Messages.through(chain, Messages.of("{}")));
      release.countDown();
      until(() -> pool.stuck() == 0 && pool.threads() == 1);
      until(() -> chain.statistics().getFirst().late() == 1);
      assertEquals(1, chain.statistics().getFirst().timeouts());
      until(() -> chain.inFlight() == 0); // returned after the exit was called
    }
  }

  @Test
  void shouldGoOnWithTheNextMessageWithoutWakingAnotherWorker() throws Exception {
    try (WorkerPool pool = new WorkerPool(WorkerSettings.parked(4, 0), clock)) {
      CountDownLatch begun = new CountDownLatch(1);
      ScriptedHandler handler =
          ScriptedHandler.of(
              Declaration.NOTHING.mandatory(),
              view -> {
                begun.countDown();
                awaitDeaf(release);
                happened.add(Thread.currentThread().getName());
                return Verdict.UNCHANGED;
              });
      Chain chain =
          new Chain(
              ChainPlan.inOrder(
                  "one",
                  List.of(Step.of("a", handler)),
                  new ChainOptions(null, 1, ChainOptions.SideBySide.NEVER)),
              pool,
              Messages.LIMITS);
      List<CompletableFuture<Outcome>> outcomes = new ArrayList<>();
      outcomes.add(Messages.entering(chain, Messages.of("{}")));
      begun.await();
      for (int i = 0; i < 50; i++) {
        outcomes.add(Messages.entering(chain, Messages.of("{}")));
      }
      release.countDown();
      for (CompletableFuture<Outcome> outcome : outcomes) {
        assertInstanceOf(Outcome.Proceed.class, outcome.get(30, TimeUnit.SECONDS));
      }
      assertEquals(1, Set.copyOf(happened).size(), () -> "workers " + happened);
    }
  }

  @Test
  void shouldRepeatOnAnotherWorkerOnlyWhatHasNoEffect() throws Exception {
    try (WorkerPool pool = new WorkerPool(WorkerSettings.parked(1, 4), clock)) {
      CountDownLatch begun = new CountDownLatch(1);
      Chain stateless =
          Messages.chain(
              pool,
              hanging(Declaration.NOTHING.mandatory().within(LIMIT).retried(1), begun, 1).as("a"));
      assertInstanceOf(Outcome.Proceed.class, afterTheTime(stateless, begun));

      CountDownLatch again = new CountDownLatch(1);
      Declaration atomic =
          Declaration.NOTHING.mandatory().within(LIMIT).retried(1).with(EffectClass.ATOMIC);
      Chain other = Messages.chain(pool, hanging(atomic, again, 1).as("a"));
      assertInstanceOf(Outcome.Refused.class, afterTheTime(other, again));
      release.countDown();
    }
  }

  @Test
  void shouldUndoWhatComesBackLate() throws Exception {
    try (WorkerPool pool = new WorkerPool(WorkerSettings.parked(1, 4), clock)) {
      CountDownLatch begun = new CountDownLatch(1);
      Declaration quasi = Declaration.NOTHING.with(EffectClass.QUASI_ATOMIC).within(LIMIT);
      Chain chain = Messages.chain(pool, hanging(quasi, begun, 1).as("a"));

      assertInstanceOf(Outcome.Proceed.class, afterTheTime(chain, begun));
      assertEquals(List.of(), happened);

      release.countDown();
      until(() -> pool.stuck() == 0);
      assertEquals(List.of("handled", "undone"), happened);
    }
  }

  @Test
  void shouldUndoWhatComesBackLateOnAHandlerThatIsStillThereAndUninterrupted() throws Exception {
    try (WorkerPool pool = new WorkerPool(WorkerSettings.parked(1, 4), clock)) {
      CountDownLatch begun = new CountDownLatch(1);
      List<Boolean> interrupted = new CopyOnWriteArrayList<>();
      AtomicInteger closedBefore = new AtomicInteger();
      Declaration quasi = Declaration.NOTHING.with(EffectClass.QUASI_ATOMIC).within(LIMIT);
      AtomicReference<ScriptedHandler> self = new AtomicReference<>();
      ScriptedHandler handler =
          ScriptedHandler.of(
                  quasi,
                  view -> {
                    begun.countDown();
                    until(() -> release.getCount() == 0); // stays interrupted
                    return Verdict.UNCHANGED;
                  })
              .undoing(
                  view -> {
                    interrupted.add(Thread.interrupted());
                    closedBefore.set(self.get().closed.get());
                  });
      self.set(handler);
      Chain chain = Messages.chain(pool, handler.as("a"));
      assertInstanceOf(Outcome.Proceed.class, afterTheTime(chain, begun));
      chain.close();
      assertEquals(0, handler.closed.get(), "its worker is still in it");

      release.countDown();
      until(() -> handler.closed.get() == 1);
      assertEquals(List.of(false), interrupted);
      assertEquals(0, closedBefore.get());
    }
  }

  @Test
  void shouldReplaceNoMoreWorkersThanAllowedUntilTheyAreBack() throws Exception {
    try (WorkerPool pool = new WorkerPool(WorkerSettings.parked(1, 1), clock)) {
      for (int i = 1; i <= 2; i++) {
        CountDownLatch begun = new CountDownLatch(1);
        Chain chain =
            Messages.chain(pool, hanging(Declaration.NOTHING.within(LIMIT), begun, 1).as("a"));
        CompletableFuture<Outcome> outcome = Messages.entering(chain, Messages.of("{}"));
        begun.await();
        clock.advance(LIMIT.toNanos() + 1);
        int stuck = i;
        until(() -> pool.stuck() == stuck);
        if (i == 1) {
          assertInstanceOf(Outcome.Proceed.class, outcome.get(30, TimeUnit.SECONDS));
        } else { // not replaced: no other can continue
          assertFalse(outcome.isDone());
        }
        assertEquals(2, pool.threads());
      }
      release.countDown();
      until(() -> pool.stuck() == 0);
      assertInstanceOf(
          Outcome.Proceed.class,
          Messages.through(
              Messages.chain(
                  pool, ScriptedHandler.of(Declaration.NOTHING, v -> Verdict.UNCHANGED).as("b")),
              Messages.of("{}")));
      assertEquals(1, pool.threads());
    }
  }

  @Test
  void shouldNotKeepAWorkerForAHandlerThatRepliesLater() throws Exception {
    try (WorkerPool pool = new WorkerPool(WorkerSettings.parked(1, 0), clock)) {
      CompletableFuture<AsyncHandler.Reply> asked = new CompletableFuture<>();
      Chain chain = Messages.chain(pool, Step.of("remote", later(asked)));
      CompletableFuture<Outcome> outcome = Messages.entering(chain, Messages.of("{}"));
      AsyncHandler.Reply reply = asked.get(30, TimeUnit.SECONDS);

      // the only worker is free for others
      assertInstanceOf(
          Outcome.Proceed.class,
          Messages.through(
              Messages.chain(
                  pool, ScriptedHandler.of(Declaration.NOTHING, v -> Verdict.UNCHANGED).as("b")),
              Messages.of("{}")));

      reply.done(Verdict.UNCHANGED);
      reply.failed(new IllegalStateException("a second reply"));
      assertInstanceOf(Outcome.Proceed.class, outcome.get(30, TimeUnit.SECONDS));
    }
  }

  @Test
  void shouldGiveUpAHandlerThatNeverReplies() throws Exception {
    try (WorkerPool pool = new WorkerPool(WorkerSettings.parked(1, 0), clock)) {
      CompletableFuture<AsyncHandler.Reply> asked = new CompletableFuture<>();
      Chain chain = Messages.chain(pool, Step.of("remote", later(asked)));
      CompletableFuture<Outcome> outcome = Messages.entering(chain, Messages.of("{}"));
      AsyncHandler.Reply reply = asked.get(30, TimeUnit.SECONDS);

      clock.advance(LIMIT.toNanos() + 1);

      assertInstanceOf(Outcome.Refused.class, outcome.get(30, TimeUnit.SECONDS));
      reply.done(Verdict.UNCHANGED);
      until(() -> chain.statistics().getFirst().late() == 1); // handled by a worker
      assertEquals(0, pool.stuck());
    }
  }

  /** Lets the watching thread see that time has jumped; no other reads the clock meanwhile. */
  private void standStill() {
    clock.advance(PAUSE.toNanos());
    awaitLook();
  }

  private void awaitLook() {
    int reads = clock.reads();
    until(() -> clock.reads() >= reads + 2);
  }

  @Test // Field fault 9: after a pause, work that handlers had done meanwhile counted as late
  void shouldTakeRepliesThatCameWhileTheProcessStoodStill() throws Exception {
    try (WorkerPool pool = new WorkerPool(WorkerSettings.parked(1, 0), clock)) {
      CompletableFuture<AsyncHandler.Reply> asked = new CompletableFuture<>();
      CompletableFuture<AsyncHandler.Reply> silent = new CompletableFuture<>();
      CompletableFuture<Outcome> answered =
          Messages.entering(
              Messages.chain(pool, Step.of("remote", later(asked))), Messages.of("{}"));
      CompletableFuture<Outcome> unanswered =
          Messages.entering(
              Messages.chain(pool, Step.of("remote", later(silent))), Messages.of("{}"));
      AsyncHandler.Reply reply = asked.get(30, TimeUnit.SECONDS);
      silent.get(30, TimeUnit.SECONDS);
      awaitLook();

      standStill();
      reply.done(Verdict.UNCHANGED);
      assertInstanceOf(Outcome.Proceed.class, answered.get(30, TimeUnit.SECONDS));

      // and a handler silent for a second more is abandoned
      clock.advance(PauseGrace.MOST_NANOS - 1);
      awaitLook();
      assertFalse(unanswered.isDone());
      clock.advance(1);
      assertInstanceOf(Outcome.Refused.class, unanswered.get(30, TimeUnit.SECONDS));
    }
  }

  @Test // Field fault 9
  void shouldKeepAWorkerThatHadNoCpuWhileTheProcessStoodStill() throws Exception {
    try (WorkerPool pool = new WorkerPool(WorkerSettings.parked(1, 4), clock)) {
      CountDownLatch begun = new CountDownLatch(1);
      Chain chain =
          Messages.chain(
              pool, hanging(Declaration.NOTHING.mandatory().within(LIMIT), begun, 1).as("slow"));
      CompletableFuture<Outcome> outcome = Messages.entering(chain, Messages.of("{}"));
      begun.await();
      awaitLook();

      standStill();
      release.countDown();
      assertInstanceOf(Outcome.Proceed.class, outcome.get(30, TimeUnit.SECONDS));
      assertEquals(0, pool.stuck());
      assertEquals(1, pool.threads());
    }
  }

  private static AsyncHandler later(CompletableFuture<AsyncHandler.Reply> asked) {
    return new AsyncHandler() {
      @Override
      public Declaration declaration() {
        return Declaration.NOTHING.mandatory().within(LIMIT);
      }

      @Override
      public void begin(View message, Reply reply) {
        asked.complete(reply);
      }
    };
  }

  @Test
  void shouldPutAWorkerInThePlaceOfALostOne() throws Exception {
    for (int maxStuck : new int[] {0, 1}) {
      List<String> started = new CopyOnWriteArrayList<>();
      CountDownLatch begun = new CountDownLatch(1);
      WorkerSettings settings =
          new WorkerSettings(2, 0, maxStuck, () -> started.add(Thread.currentThread().getName()));
      try (WorkerPool pool = new WorkerPool(settings, clock)) {
        until(() -> started.size() == 2);
        AtomicReference<String> lost = new AtomicReference<>();
        ScriptedHandler hangs =
            ScriptedHandler.of(
                Declaration.NOTHING.within(LIMIT),
                view -> {
                  lost.set(Thread.currentThread().getName());
                  begun.countDown();
                  new CountDownLatch(1).await(); // until it is interrupted
                  return Verdict.UNCHANGED;
                });
        afterTheTime(Messages.chain(pool, hangs.as("slow")), begun);

        until(() -> started.size() == 3); // at once, or when the lost one returns
        assertEquals(Set.of("handlers-0", "handlers-1"), Set.copyOf(started));
        assertEquals(lost.get(), started.getLast(), "its CPU is the replacement's");
      }
    }
  }

  @Test
  void shouldParkWorkersThatHaveSpunForAWhile() throws Exception {
    List<Thread> started = new CopyOnWriteArrayList<>();
    WorkerSettings settings =
        new WorkerSettings(1, 10, 0, () -> started.add(Thread.currentThread()));
    try (WorkerPool pool = new WorkerPool(settings, clock)) {
      until(() -> started.size() == 1);
      Thread worker = started.getFirst();
      assertSpins(worker);
      parksInTime(worker);

      CountDownLatch ran = new CountDownLatch(1);
      pool.execute(ran::countDown);
      assertTrue(ran.await(30, TimeUnit.SECONDS));
      assertSpins(worker);
      parksInTime(worker);
    }
  }

  private void parksInTime(Thread worker) {
    until(
        () -> {
          clock.advance(TimeUnit.MILLISECONDS.toNanos(10));
          return worker.getState() == Thread.State.WAITING;
        });
  }

  private static void assertSpins(Thread worker) {
    for (int look = 0; look < 10_000; look++) {
      assertEquals(Thread.State.RUNNABLE, worker.getState());
    }
  }

  @Test
  void shouldMeasureWhatAHandOverCosts() {
    try (WorkerPool pool = new WorkerPool(WorkerSettings.spinning(1, 0), Clock.system())) {
      assertTrue(pool.handoffNanos() > 0 && pool.handoffNanos() < 1_000_000_000);
    }
  }
}
