package dev.pinion.handlers.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.model.Clock;
import dev.pinion.handlers.api.Message;
import dev.pinion.handlers.plan.ChainPlan;
import dev.pinion.handlers.plan.Terms;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Whatever the chain, however its handlers are grouped and by how many workers they are done, and
 * whatever fails: the outcome and the effects are those of the serial run.
 */
class RandomChainsTest {
  private static final Terms ALWAYS = new Terms(null, 2, Terms.SideBySide.ALWAYS);

  private int stopped;
  private int sideBySide;
  private int effects;

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
    try (WorkerPool pool = new WorkerPool(WorkerSettings.parked(3, 0), Clock.system())) {
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
        note(inOrder, seed);
      }
      assertEquals(0, pool.stuck());
    }
    // Else the chains would not show anything.
    System.out.println(
        stopped + " stopped, " + sideBySide + " side by side, " + effects + " effects");
    assertTrue(stopped > chains / 20 && stopped < chains * 19 / 20, stopped + " were stopped");
    assertTrue(sideBySide > chains / 4, sideBySide + " had handlers side by side");
    assertTrue(effects > chains / 4, effects + " left effects");
  }

  private void note(Ended ended, long seed) {
    stopped += ended.outcome instanceof Outcome.Proceed ? 0 : 1;
    effects += ended.ledger.size();
    RandomChain chain = new RandomChain(seed);
    int stages = ChainPlan.auto("random", chain.steps, ALWAYS).stages().size();
    sideBySide += stages < chain.steps.size() ? 1 : 0;
  }

  private static Ended serial(long seed, Function<RandomChain, ChainPlan> layout) {
    RandomChain chain = new RandomChain(seed);
    Outcome outcome = SerialRun.run(layout.apply(chain), message(), Messages.LIMITS);
    return new Ended(outcome, new TreeMap<>(chain.ledger));
  }

  private static Ended parallel(long seed, WorkerPool pool, Function<RandomChain, ChainPlan> layout)
      throws Exception {
    RandomChain random = new RandomChain(seed);
    Chain chain = new Chain(layout.apply(random), pool, Messages.LIMITS);
    Outcome outcome = Messages.through(chain, message());
    chain.close();
    return new Ended(outcome, new TreeMap<>(random.ledger));
  }

  private static Message message() {
    return Messages.of("{\"x\":{\"y\":1},\"z\":[1,2]}");
  }

  private record Ended(Outcome outcome, Map<String, String> ledger) {}
}
