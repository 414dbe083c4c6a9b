package dev.pinion.handlers.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.handlers.api.Declaration;
import dev.pinion.handlers.api.Message;
import dev.pinion.handlers.api.Verdict;
import dev.pinion.handlers.plan.ChainOptions;
import dev.pinion.handlers.plan.ChainPlan;
import dev.pinion.handlers.plan.Step;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * For any chain, any grouping of its handlers, any number of workers, and any failures or
 * time-outs: the outcome and the effects are those of the serial run.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class RandomChainsTest {
  private static final ChainOptions ALWAYS =
      new ChainOptions(null, 2, ChainOptions.SideBySide.ALWAYS);

  private int stopped;
  private int sideBySide;
  private int effects;
  private int oneways;
  private long timeouts;

  /** Moved only by hanging handlers. */
  private final ManualClock clock = new ManualClock();

  @Test
  void shouldEndAsTheSerialRunDoes() throws Exception {
    check(100, Long.getLong("pinion.seed", 20_261_122));
  }

  @Test
  @Tag("long")
  void shouldEndAsTheSerialRunDoesForManyChains() throws Exception {
    check(1_000, Long.getLong("pinion.seed", System.nanoTime()));
  }

  private void check(int chains, long firstSeed) throws Exception {
    System.out.println("random chains from seed " + firstSeed + " on; -Dpinion.seed=N runs others");
    try (WorkerPool pool = new WorkerPool(WorkerSettings.parked(3, 4), clock)) {
      for (long seed = firstSeed; seed < firstSeed + chains; seed++) {
        Ended inOrder = serial(seed, chain -> ChainPlan.inOrder("random", chain.steps, ALWAYS));
        Ended auto = serial(seed, chain -> ChainPlan.auto("random", chain.steps, ALWAYS));
        assertEquals(inOrder, auto, "grouped automatically, seed " + seed);
        assertEquals(
            auto,
            parallel(seed, pool, chain -> ChainPlan.auto("random", chain.steps, ALWAYS)),
            "auto side by side, seed " + seed);
        assertEquals(
            serial(seed, chain -> chain.byHand(ALWAYS)),
            parallel(seed, pool, chain -> chain.byHand(ALWAYS)),
            "by hand, seed " + seed);
        assertEquals(inOrder.outcome, withoutOneways(seed), "oneway handlers, seed " + seed);
        note(inOrder, seed);
      }
      while (pool.stuck() > 0) {
        Thread.onSpinWait(); // until the last hanging one has returned
      }
    }
    // Otherwise the chains would prove nothing.
    System.out.println(
        stopped
            + " stopped, "
            + sideBySide
            + " side by side, "
            + effects
            + " effects, "
            + oneways
            + " oneway handlers, "
            + timeouts
            + " time-outs");
    assertTrue(stopped > chains / 20 && stopped < chains * 19 / 20, stopped + " were stopped");
    assertTrue(sideBySide > chains / 4, sideBySide + " had handlers side by side");
    assertTrue(effects > chains / 4, effects + " left effects");
    assertTrue(oneways > chains / 4, oneways + " oneway handlers");
    assertTrue(timeouts > chains / 4, timeouts + " time-outs");
  }

  private void note(Ended ended, long seed) {
    stopped += ended.outcome instanceof Outcome.Proceed ? 0 : 1;
    effects += ended.ledger.size();
    RandomChain chain = new RandomChain(seed);
    int stages = ChainPlan.auto("random", chain.steps, ALWAYS).stages().size();
    sideBySide += stages < chain.steps.size() ? 1 : 0;
    oneways += (int) chain.steps.stream().filter(RandomChainsTest::isOneway).count();
  }

  private static boolean isOneway(Step step) {
    return step.declaration().oneway();
  }

  private static RandomChain serialChain(long seed) {
    return new RandomChain(
        seed,
        declared -> {
          throw new HandlerTimeoutException(declared.timeout());
        });
  }

  /** The outcome of the message without its oneway handlers. */
  private static Outcome withoutOneways(long seed) {
    RandomChain chain = serialChain(seed);
    chain.steps.removeIf(RandomChainsTest::isOneway);
    return SerialRun.run(
        ChainPlan.inOrder("random", chain.steps, ALWAYS), message(), Messages.LIMITS);
  }

  private static Ended serial(long seed, Function<RandomChain, ChainPlan> layout) {
    RandomChain chain = serialChain(seed);
    Outcome outcome = SerialRun.run(layout.apply(chain), message(), Messages.LIMITS);
    return new Ended(outcome, new TreeMap<>(chain.ledger));
  }

  private Ended parallel(long seed, WorkerPool pool, Function<RandomChain, ChainPlan> layout)
      throws Exception {
    RandomChain random = new RandomChain(seed, this::hang);
    Chain chain = new Chain(layout.apply(random), pool, Messages.LIMITS);
    Outcome outcome = Messages.through(chain, message());
    chain.close();
    random.awaitClosed();
    for (Step step : random.steps) {
      assertTrue(
          !isOneway(step) || "made".equals(random.ledger.getOrDefault(step.name(), "made")),
          "told more than once, seed " + seed + ": " + random.ledger);
    }
    for (StepStatistics each : chain.statistics()) {
      timeouts += each.timeouts();
      assertEquals(0, each.dropped());
    }
    return new Ended(outcome, new TreeMap<>(random.ledger));
  }

  /** Lets the time of a call pass, and ends when it was abandoned. */
  private Verdict hang(Declaration declared) throws InterruptedException {
    clock.advance(declared.timeout().toNanos() + 1);
    new CountDownLatch(1).await();
    return Verdict.UNCHANGED;
  }

  private static Message message() {
    return Messages.of("{\"x\":{\"y\":1},\"z\":[1,2]}");
  }

  private record Ended(Outcome outcome, Map<String, String> ledger) {}
}
