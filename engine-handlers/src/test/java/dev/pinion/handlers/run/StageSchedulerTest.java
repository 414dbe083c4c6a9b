package dev.pinion.handlers.run;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.pinion.core.model.Clock;
import dev.pinion.handlers.api.Declaration;
import dev.pinion.handlers.api.Verdict;
import dev.pinion.handlers.api.Work;
import dev.pinion.handlers.plan.ChainOptions;
import dev.pinion.handlers.plan.ChainPlan;
import dev.pinion.handlers.plan.ChainStage;
import dev.pinion.handlers.plan.Step;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * Whether the steps of a stage go to several workers. By a clock that each reading moves by 10 us.
 */
class StageSchedulerTest {
  /** Time between two looks at the clock, at which idle workers look too. */
  private static final long LOOK = 100;

  private final AtomicLong now = new AtomicLong();
  private final Clock clock =
      new Clock() {
        @Override
        public long nanoTime() {
          return now.addAndGet(LOOK);
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
    return ScriptedHandler.of(
            declared,
            view -> {
              now.addAndGet(nanos);
              return Verdict.UNCHANGED;
            })
        .as(name);
  }

  private int[][] bins(ChainOptions.SideBySide sideBySide, int messages, Step... steps)
      throws Exception {
    try (WorkerPool pool = new WorkerPool(WorkerSettings.parked(2, 0), clock)) {
      ChainPlan plan =
          new ChainPlan(
              "c", List.of(new ChainStage(List.of(steps))), new ChainOptions(null, 1, sideBySide));
      Chain chain = new Chain(plan, pool, Messages.LIMITS);
      for (int i = 0; i < messages; i++) {
        Messages.through(chain, Messages.of("{}"));
      }
      while (chain.inFlight() > 0) {
        Thread.onSpinWait(); // returned after the exit was called
      }
      return chain.bins(0);
    }
  }

  @Test
  void shouldHandOverWhatPaysOnceItIsMeasured() throws Exception {
    Step a = taking("a", 2_000_000, Declaration.NOTHING);
    Step b = taking("b", 2_000_000, Declaration.NOTHING);

    assertEquals(1, bins(ChainOptions.SideBySide.AUTO, 7, a, b).length, "not measured yet");
    assertEquals(2, bins(ChainOptions.SideBySide.AUTO, 8, a, b).length);
  }

  @Test
  void shouldKeepTinyStepsOnOneWorker() throws Exception {
    Step a = taking("a", 0, Declaration.NOTHING);
    Step b = taking("b", 0, Declaration.NOTHING);

    assertEquals(1, bins(ChainOptions.SideBySide.AUTO, 100, a, b).length);
    assertEquals(2, bins(ChainOptions.SideBySide.ALWAYS, 0, a, b).length, "unless told otherwise");
  }

  @Test
  void shouldNotHandOverCheapStepsOrWhenTold() throws Exception {
    Step a = taking("a", 2_000_000, Declaration.NOTHING);
    Step cheap = taking("cheap", 2_000_000, Declaration.NOTHING.with(Work.CHEAP));

    assertEquals(1, bins(ChainOptions.SideBySide.AUTO, 10, a, cheap).length);
    assertEquals(
        1,
        bins(ChainOptions.SideBySide.NEVER, 10, a, taking("b", 2_000_000, Declaration.NOTHING))
            .length);
  }

  @Test
  void shouldLeaveOnewayStepsToOthers() throws Exception {
    Step oneway = taking("oneway", 0, Declaration.NOTHING.withOneway(true));

    assertArrayEquals(
        new int[][] {{1}},
        bins(ChainOptions.SideBySide.ALWAYS, 0, oneway, taking("a", 0, Declaration.NOTHING)));
    assertEquals(0, bins(ChainOptions.SideBySide.ALWAYS, 1, oneway).length);
  }
}
