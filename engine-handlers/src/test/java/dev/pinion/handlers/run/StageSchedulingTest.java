package dev.pinion.handlers.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * {@code sideBySide: auto} for given times: it stays with one worker wherever no distribution of
 * the steps would pay, and any other choice pays. All distributions are tried here.
 */
class StageSchedulingTest {
  private static final long SEED = Long.getLong("pinion.seed", 5);
  private static final int STAGES = 3_000;
  private static final double WORTH_WHILE = 0.9;

  private final Random random = new Random(SEED);

  @Test
  void shouldStayWithOneWorkerWhereNothingElsePays() {
    int alone = 0;
    for (int i = 0; i < STAGES; i++) {
      double[] times = times();
      int workers = 1 + random.nextInt(3);
      long handOver = (long) Math.pow(10, 2 + 3 * random.nextDouble());
      StageSchedule chosen = StageSchedule.best(times, workers, handOver);
      String what = "seed " + SEED + ": " + Arrays.toString(times) + " ns, " + workers + " workers";
      double sequential = Arrays.stream(times).sum();

      double best = bestOfAll(times, workers, handOver);
      if (best >= WORTH_WHILE * sequential) {
        assertEquals(1, chosen.batches().size(), what + ", hand-over " + handOver);
        alone++;
      } else if (chosen.batches().size() > 1) {
        double takes = takes(chosen.batches(), times, handOver);
        assertTrue(takes < WORTH_WHILE * sequential, what + ": " + chosen);
        assertEquals(takes, chosen.nanos(), 1e-3, what);
      }
    }
    assertTrue(alone > STAGES / 10 && alone < STAGES * 9 / 10, "both happen: " + alone);
  }

  /** Handlers of 1 us with the hand-over cost of parked workers; then those of the paper. */
  @Test
  void shouldChooseOneAfterAnotherForTinyHandlersAndSideBySideForThoseOfThePaper() {
    double[] tiny = {1_000, 1_000, 1_000, 1_000, 1_000};
    double[] paper = {2_000_000, 2_000_000, 500_000, 300_000, 200_000};
    for (long handOver : new long[] {5_000, 10_000, 20_000, 100_000}) {
      assertEquals(1, StageSchedule.best(tiny, 2, handOver).batches().size());
      assertEquals(2, StageSchedule.best(paper, 2, handOver).batches().size());
    }
  }

  private double[] times() {
    double[] times = new double[2 + random.nextInt(4)];
    for (int i = 0; i < times.length; i++) {
      times[i] = Math.pow(10, 2 + 4 * random.nextDouble()); // 100 ns to 1 ms
    }
    return times;
  }

  /** The shortest time of all distributions, including one worker alone. */
  private static double bestOfAll(double[] times, int workers, long handOver) {
    double best = Double.MAX_VALUE;
    int ways = (int) Math.pow(workers, times.length);
    for (int way = 0; way < ways; way++) {
      double[] busy = new double[workers];
      for (int i = 0, rest = way; i < times.length; i++, rest /= workers) {
        busy[rest % workers] += times[i];
      }
      for (int worker = 1; worker < workers; worker++) {
        busy[worker] += busy[worker] > 0 ? handOver : 0;
      }
      best = Math.min(best, Arrays.stream(busy).max().orElseThrow());
    }
    return best;
  }

  private static double takes(List<List<Integer>> bins, double[] times, long handOver) {
    double longest = 0;
    for (int i = 0; i < bins.size(); i++) {
      double own = bins.get(i).stream().mapToDouble(step -> times[step]).sum();
      longest = Math.max(longest, own + (i == 0 ? 0 : handOver));
    }
    return longest;
  }
}
