package dev.pinion.handlers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.Payload;
import dev.pinion.handlers.api.Body;
import dev.pinion.handlers.api.Declaration;
import dev.pinion.handlers.api.EffectClass;
import dev.pinion.handlers.api.Handler;
import dev.pinion.handlers.api.Message;
import dev.pinion.handlers.api.MessageId;
import dev.pinion.handlers.api.Point;
import dev.pinion.handlers.api.Slot;
import dev.pinion.handlers.api.Verdict;
import dev.pinion.handlers.api.View;
import dev.pinion.handlers.plan.ChainOptions;
import dev.pinion.handlers.plan.ChainPlan;
import dev.pinion.handlers.plan.Step;
import dev.pinion.handlers.run.CallerRunsWorkers;
import dev.pinion.handlers.run.ChainPrediction;
import dev.pinion.handlers.run.WorkerPool;
import dev.pinion.handlers.run.WorkerSettings;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Times are of a clock that handlers move themselves, so they are exact. */
class ChainExplanationTest {
  private static final long MILLI = 1_000_000;

  private final AtomicLong now = new AtomicLong();
  private final AtomicLong calls = new AtomicLong();
  private final Clock clock =
      new Clock() {
        @Override
        public long nanoTime() {
          return now.get();
        }

        @Override
        public long epochMillis() {
          return 0;
        }

        @Override
        public String scale() {
          return "test";
        }
      };

  private Step taking(String name, long nanos, Declaration declared) {
    return Step.of(
        name,
        new Handler() {
          @Override
          public Declaration declaration() {
            return declared;
          }

          @Override
          public Verdict handle(View message) {
            calls.incrementAndGet();
            now.addAndGet(nanos);
            return Verdict.UNCHANGED;
          }
        });
  }

  private ChainExplanation explain(boolean withEffects, Step... steps) {
    ChainPlan plan = ChainPlan.inOrder("c", List.of(steps), ChainOptions.DEFAULT);
    Message message =
        Message.of(new MessageId(1, 2), Point.REQUEST_IN, Map.of(), Body.of(Payload.NULL));
    try (WorkerPool pool = new WorkerPool(WorkerSettings.parked(2, 0), clock)) {
      return ChainExplanation.of(
          plan,
          message,
          10,
          withEffects,
          new CallerRunsWorkers(clock),
          pool,
          EngineLimits.defaults());
    }
  }

  @Test
  void shouldRecommendWhatPays() {
    // handlers A, B, D and E of the DHArch paper
    ChainExplanation chain =
        explain(
            false,
            taking("a", 2 * MILLI, Declaration.NOTHING),
            taking("b", 2 * MILLI, Declaration.NOTHING),
            taking("d", MILLI / 2, Declaration.NOTHING),
            taking("e", MILLI / 4, Declaration.NOTHING));

    assertEquals(2.0 * MILLI, chain.steps().getFirst().nanos());
    assertEquals(4.75 * MILLI, chain.given().sequentialNanos());
    assertEquals(4.75 * MILLI, chain.given().parallelNanos(), "one after another as it is");
    assertEquals(2.5 * MILLI, chain.best().parallelNanos());
    assertEquals(List.of(List.of(List.of("a", "d"), List.of("b", "e"))), chain.layout());
    assertEquals(1.9, chain.best().speedUp(), 1e-9);
    assertFalse(chain.sequentialIsBest());
  }

  @Test
  void shouldCountTheServiceAsAStage() {
    // the paper's example: T0 = 8, P = 4 handlers of W = 5 each, N = 100
    Declaration each = Declaration.NOTHING.reading(Slot.property("a"));
    Declaration writes = Declaration.NOTHING.writing(Slot.property("a"));
    ChainExplanation alone =
        explain(
            false,
            taking("a", 5 * MILLI, writes),
            taking("b", 5 * MILLI, each),
            taking("c", 5 * MILLI, writes),
            taking("d", 5 * MILLI, each));
    ChainExplanation chain = alone.withService(8.0 * MILLI);

    assertEquals((20 + 99 * 5.0) * MILLI, alone.given().pipelinedNanos(100));
    assertEquals(8.0 * MILLI, chain.serviceNanos());
    assertEquals(28.0 * MILLI, chain.given().sequentialNanos());
    assertEquals(28.0 * MILLI, chain.given().parallelNanos());
    assertEquals(820.0 * MILLI, chain.given().pipelinedNanos(100), "the longest stage decides");
    assertEquals(1, chain.best().stageNanos().stream().filter(it -> it == 8.0 * MILLI).count());
    assertEquals(alone, alone.withService(0));
  }

  @Test
  void shouldLeaveOutEffectsUnlessTheyAreWanted() {
    Step effect = taking("write", MILLI, Declaration.NOTHING.with(EffectClass.ATOMIC));
    ChainExplanation without = explain(false, effect);

    assertEquals(0, calls.get());
    assertEquals(0, without.steps().getFirst().calls());

    assertEquals(10, explain(true, effect).steps().getFirst().calls());
  }

  @Test
  void shouldPreferOneAfterAnotherWhereAHandOverCostsMore() {
    List<List<Double>> tiny = List.of(List.of(1_000.0, 1_000.0));

    assertEquals(2_000, ChainPrediction.of(tiny, 2, 5_000).parallelNanos());
    assertTrue(ChainPrediction.recommended(tiny.getFirst(), 2, 5_000).size() == 1);
  }

  @Test
  void shouldPredictPipelinesOfUnequalStages() {
    // Sum of the stages and, for each further message, the longest one. With the paper's
    // service of 8 ms and four handlers of 5 ms, 100 messages take 820 ms, not 523.
    ChainPrediction paper =
        ChainPrediction.of(
            List.of(List.of(8e6), List.of(5e6), List.of(5e6), List.of(5e6), List.of(5e6)), 1, 0);

    assertEquals(820e6, paper.pipelinedNanos(100));
    assertEquals(28e6, paper.pipelinedNanos(1));
  }
}
