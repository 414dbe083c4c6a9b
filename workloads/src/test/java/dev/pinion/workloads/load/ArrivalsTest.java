package dev.pinion.workloads.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.workloads.load.Arrivals.Pattern;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ArrivalsTest {
  private static final long SEED = 7;
  private static final int MANY = 200_000;

  @ParameterizedTest
  @EnumSource
  void shouldHaveItsMeanRateOverAllSources(Pattern pattern) {
    // given
    Arrivals arrivals = new Arrivals(pattern, 10_000);

    for (int source = 0; source < 3; source++) {
      // when
      long[] times = times(arrivals.schedule(source, 3, SEED), MANY);

      // then: a burst and its pause take 200 ms in the mean, so bursty has 300 of them in the time
      double rate = MANY * 1e9 / times[MANY - 1];
      assertEquals(10_000 / 3.0, rate, pattern == Pattern.BURSTY ? 400 : 40, "seed " + SEED);
      assertTrue(
          LongStream.range(1, MANY).allMatch(i -> times[(int) i] >= times[(int) i - 1]),
          "never back");
    }
  }

  @Test
  void shouldSpaceConstantArrivalsOfAllSourcesEqually() {
    Arrivals arrivals = new Arrivals(Pattern.CONSTANT, 4);

    assertEquals(0, arrivals.schedule(0, 2, SEED).nextNanos());
    long[] second = times(arrivals.schedule(1, 2, SEED), 3);

    assertEquals(250_000_000, second[0]);
    assertEquals(750_000_000, second[1]);
    assertEquals(1_250_000_000, second[2]);
  }

  @Test
  void shouldVaryAsItsProcessSays() {
    // ratio of the variance of counts in 10 ms to their mean: 0 constant, 1 Poisson, more when
    // bursty
    assertEquals(0, dispersion(Pattern.CONSTANT), 0.01);
    assertEquals(1, dispersion(Pattern.POISSON), 0.1);
    assertTrue(dispersion(Pattern.BURSTY) > 20, () -> "found " + dispersion(Pattern.BURSTY));
  }

  @Test
  void shouldBurstInAllSourcesAtTheSameTime() {
    // given
    Arrivals arrivals = new Arrivals(Pattern.BURSTY, 20_000);

    // when
    int[] one = counts(times(arrivals.schedule(0, 2, SEED), MANY), 2_000);
    int[] other = counts(times(arrivals.schedule(1, 2, SEED), MANY), 2_000);

    // then
    int together = 0;
    for (int i = 0; i < one.length; i++) {
      together += (one[i] == 0) == (other[i] == 0) ? 1 : 0;
    }
    assertTrue(together > 1_900, "alike in " + together + " of 2000 windows");
  }

  @Test
  void shouldDependOnItsSeedAndSource() {
    Arrivals arrivals = new Arrivals(Pattern.POISSON, 1_000);

    long first = arrivals.schedule(0, 2, SEED).nextNanos();

    assertEquals(first, arrivals.schedule(0, 2, SEED).nextNanos());
    assertNotEquals(first, arrivals.schedule(0, 2, SEED + 1).nextNanos());
    assertNotEquals(first, arrivals.schedule(1, 2, SEED).nextNanos());
  }

  private static double dispersion(Pattern pattern) {
    int[] counts = counts(times(new Arrivals(pattern, 10_000).schedule(0, 1, SEED), MANY), 1_500);
    double mean =
        LongStream.range(0, counts.length).mapToDouble(i -> counts[(int) i]).average().orElse(0);
    double variance =
        LongStream.range(0, counts.length)
            .mapToDouble(i -> Math.pow(counts[(int) i] - mean, 2))
            .average()
            .orElse(0);
    return variance / mean;
  }

  /** Arrivals in each window of 10 ms. */
  private static int[] counts(long[] times, int windows) {
    int[] counts = new int[windows];
    for (long time : times) {
      int window = (int) (time / 10_000_000);
      if (window < windows) {
        counts[window]++;
      }
    }
    return counts;
  }

  private static long[] times(ArrivalSchedule schedule, int count) {
    return LongStream.generate(schedule::nextNanos).limit(count).toArray();
  }
}
