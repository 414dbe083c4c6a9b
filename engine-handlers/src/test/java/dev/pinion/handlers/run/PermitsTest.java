package dev.pinion.handlers.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.model.Clock;
import dev.pinion.core.model.Payload;
import dev.pinion.handlers.api.AsyncHandler;
import dev.pinion.handlers.api.Body;
import dev.pinion.handlers.api.Declaration;
import dev.pinion.handlers.api.Message;
import dev.pinion.handlers.api.MessageId;
import dev.pinion.handlers.api.Point;
import dev.pinion.handlers.api.Slot;
import dev.pinion.handlers.api.Verdict;
import dev.pinion.handlers.api.View;
import dev.pinion.handlers.plan.ChainOptions;
import dev.pinion.handlers.plan.ChainPlan;
import dev.pinion.handlers.plan.ChainStage;
import dev.pinion.handlers.plan.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** However a message ends, its permit is returned once. */
class PermitsTest {
  private static final int WINDOW = 3;
  private static final int EACH = 40;

  /** The fate of a message. */
  private enum Fate {
    PROCEEDS,
    FAILS,
    ANSWERED,
    REFUSED,
    SAYS_NOTHING,
    HANGS,
    REPLIES_TWICE,
    NEVER_REPLIES,
    MEETS
  }

  private static final Declaration FATED =
      Declaration.NOTHING
          .reading(Slot.property("fate"))
          .stopping()
          .mandatory()
          .within(Duration.ofMillis(20));

  private final CyclicBarrier meeting = new CyclicBarrier(WINDOW);

  @Test
  void shouldGiveEveryPermitBackOnceHoweverAMessageEnds() throws Exception {
    try (WorkerPool pool = new WorkerPool(WorkerSettings.parked(WINDOW, 1_000), Clock.system())) {
      Chain chain = chain(pool);
      List<CompletableFuture<Outcome>> all = new ArrayList<>();
      for (int i = 0; i < EACH; i++) {
        for (Fate fate : Fate.values()) {
          boolean slow = fate == Fate.HANGS || fate == Fate.NEVER_REPLIES;
          if (fate != Fate.MEETS && (!slow || i < WINDOW)) {
            all.add(Messages.entering(chain, message(fate)));
          }
        }
      }
      for (CompletableFuture<Outcome> each : all) {
        each.get(30, TimeUnit.SECONDS);
      }
      while (chain.inFlight() > 0) {
        Thread.onSpinWait(); // returned after the exit was called
      }

      assertEquals(0, chain.inFlight());
      assertEquals(0, chain.queued());
      // As many as the window allows meet in their handler, so no permit is lost.
      List<CompletableFuture<Outcome>> together = new ArrayList<>();
      for (int i = 0; i < WINDOW; i++) {
        together.add(Messages.entering(chain, message(Fate.MEETS)));
      }
      for (CompletableFuture<Outcome> each : together) {
        assertTrue(each.get(30, TimeUnit.SECONDS) instanceof Outcome.Proceed);
      }
    }
  }

  private Chain chain(WorkerPool pool) {
    Step oneway =
        ScriptedHandler.of(
                Declaration.NOTHING.withOneway(true),
                view -> {
                  throw new IllegalStateException("nobody waits for this");
                })
            .as("oneway");
    Step sync = ScriptedHandler.of(FATED, this::decide).as("sync");
    Step meet =
        ScriptedHandler.of(
                Declaration.NOTHING.reading(Slot.property("fate")).mandatory(), this::meet)
            .as("meet");
    Step async = Step.of("async", new Replies());
    ChainPlan plan =
        new ChainPlan(
            "fates",
            List.of(
                new ChainStage(List.of(oneway, sync)),
                new ChainStage(List.of(async)),
                new ChainStage(List.of(meet))),
            new ChainOptions(null, WINDOW, ChainOptions.SideBySide.NEVER));
    return new Chain(plan, pool, Messages.LIMITS);
  }

  private static Fate fate(View view) {
    return Fate.valueOf(view.property("fate", ""));
  }

  @SuppressWarnings({"NullAway", "DataFlowIssue"}) // garbage on purpose
  private Verdict decide(View view) throws Exception {
    return switch (fate(view)) {
      case FAILS -> throw new IllegalStateException("fails");
      case ANSWERED -> new Verdict.Answer(200, new TreeMap<>(), Body.EMPTY);
      case REFUSED -> Verdict.refuse("https://example.com/p", "No", 403, "no");
      case SAYS_NOTHING -> null;
      case HANGS -> {
        new CountDownLatch(1).await(); // until it is interrupted
        yield Verdict.UNCHANGED;
      }
      default -> Verdict.UNCHANGED;
    };
  }

  private Verdict meet(View view) throws Exception {
    if (fate(view) == Fate.MEETS) {
      meeting.await(20, TimeUnit.SECONDS);
    }
    return Verdict.UNCHANGED;
  }

  private static Message message(Fate fate) {
    return Message.of(
        new MessageId(1, 2), Point.REQUEST_IN, Map.of("fate", fate.name()), Body.of(Payload.NULL));
  }

  private record Replies() implements AsyncHandler {
    @Override
    public Declaration declaration() {
      return FATED;
    }

    @Override
    public void begin(View view, Reply reply) {
      if (fate(view) == Fate.NEVER_REPLIES) {
        return;
      }
      reply.done(Verdict.UNCHANGED);
      if (fate(view) == Fate.REPLIES_TWICE) {
        reply.done(Verdict.UNCHANGED);
        reply.failed(new IllegalStateException("too late"));
      }
    }
  }
}
