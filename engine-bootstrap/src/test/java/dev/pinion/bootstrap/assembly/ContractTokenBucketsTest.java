package dev.pinion.bootstrap.assembly;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.metrics.MetricFamilies;
import dev.pinion.core.model.Clock;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Token buckets, with a clock set by hand. */
class ContractTokenBucketsTest {
  private static final long SECOND = 1_000_000_000;
  private static final int BURST = 6;

  @TempDir private Path folder;
  private long nowNanos = 77 * SECOND;
  private final Clock clock =
      new Clock() {
        @Override
        public String scale() {
          return "by hand";
        }

        @Override
        public long nanoTime() {
          return nowNanos;
        }

        @Override
        public long epochMillis() {
          return 0;
        }
      };

  private ContractTokenBuckets shared() throws IOException {
    return ContractTokenBuckets.in(folder.resolve("rates"), BURST, clock);
  }

  private static int within(ContractTokenBuckets buckets, String user, double rate, int starts) {
    int within = 0;
    for (int i = 0; i < starts; i++) {
      within += buckets.take("gold", user, rate) == 0 ? 1 : 0;
    }
    return within;
  }

  @Test
  void shouldTakeTheBurstAtOnceAndThenTheRate() {
    ContractTokenBuckets buckets = ContractTokenBuckets.own(BURST, clock);
    assertEquals(12, within(buckets, "ann", 2, 100), "6 s of 2/s");
    assertEquals(SECOND / 2, buckets.take("gold", "ann", 2));
    nowNanos += SECOND / 2 - 1;
    assertEquals(1, buckets.take("gold", "ann", 2));
    nowNanos += 1;
    assertEquals(1, within(buckets, "ann", 2, 100));
    nowNanos += 3 * SECOND;
    assertEquals(6, within(buckets, "ann", 2, 100));
    nowNanos += 1_000 * SECOND;
    assertEquals(12, within(buckets, "ann", 2, 100), "no more than the burst is saved up");
  }

  @Test
  void shouldTakeOneAtLeastHoweverLowTheRate() {
    ContractTokenBuckets buckets = ContractTokenBuckets.own(BURST, clock);
    assertEquals(1, within(buckets, "ann", 0.01, 10));
    assertEquals(100 * SECOND, buckets.take("gold", "ann", 0.01));
    assertEquals(1, within(buckets, "bob", 1e-9, 10));
    assertEquals(1_000, within(buckets, "eve", 1e12, 1_000), "a nanosecond each at least");
  }

  @Test
  void shouldHoldEveryHolderToItsOwnRate() {
    ContractTokenBuckets buckets = ContractTokenBuckets.own(BURST, clock);
    assertEquals(12, within(buckets, "ann", 2, 100));
    assertEquals(6, within(buckets, "", 1, 100));
    assertEquals(0, buckets.take("silver", "ann", 2));
    nowNanos += SECOND;
    assertEquals(4, within(buckets, "ann", 4, 100), "a higher rate counts from now on");
  }

  /** Like replicas: a token taken by one is missing for the others. */
  @Test
  void shouldShareWithOtherProcesses() throws IOException {
    ContractTokenBuckets one = shared();
    ContractTokenBuckets other = shared();
    assertEquals(5, within(one, "ann", 2, 5));
    assertEquals(7, within(other, "ann", 2, 100));
    assertEquals(0, within(one, "ann", 2, 100));
    assertEquals(12, within(shared(), "bob", 2, 100));
  }

  @Test
  void shouldTakeNoMoreWhenManyTakeAtOnce() throws Exception {
    List<ContractTokenBuckets> replicas = List.of(shared(), shared());
    List<Future<Integer>> taken = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      for (int i = 0; i < 4; i++) {
        ContractTokenBuckets mine = replicas.get(i % 2);
        taken.add(threads.submit(() -> within(mine, "ann", 500, 2_000)));
      }
    }
    int sum = 0;
    for (Future<Integer> each : taken) {
      sum += each.get();
    }
    assertEquals(500 * BURST, sum);
  }

  @Test
  void shouldHoldNobodyWhereThereIsNoRoom() {
    ContractTokenBuckets buckets = ContractTokenBuckets.own(BURST, clock);
    for (int i = 0; i < ContractTokenBuckets.MAX_BUCKETS; i++) {
      buckets.take("gold", "u" + i, 1);
    }
    assertEquals(50, within(buckets, "one more", 1, 50));
    assertEquals(5, within(buckets, "u7", 1, 50), "who has room is held");
    assertTrue(text(buckets).contains("outcome=\"untracked\"} 50.0\n"), text(buckets));
  }

  private static String text(ContractTokenBuckets buckets) {
    MetricFamilies families = new MetricFamilies();
    buckets.addMetrics(families);
    return families.text();
  }

  @Test
  void shouldTellWhatItCounts() {
    ContractTokenBuckets buckets = ContractTokenBuckets.own(BURST, clock);
    assertEquals("", text(buckets));
    within(buckets, "ann", 1, 10);
    buckets.take("basic", "", 1);

    assertEquals(
        """
        # HELP pinion_contract_starts_total Starts by how they are to contracts.
        # TYPE pinion_contract_starts_total counter
        pinion_contract_starts_total{class="basic",outcome="beyond"} 0.0
        pinion_contract_starts_total{class="basic",outcome="untracked"} 0.0
        pinion_contract_starts_total{class="basic",outcome="within"} 1.0
        pinion_contract_starts_total{class="gold",outcome="beyond"} 4.0
        pinion_contract_starts_total{class="gold",outcome="untracked"} 0.0
        pinion_contract_starts_total{class="gold",outcome="within"} 6.0
        """,
        text(buckets));
  }

  /** Random arrivals at the contracted rate rarely exceed it; half as many again do. */
  @Test
  void shouldLetChanceHaveItsWay() {
    ContractTokenBuckets buckets = ContractTokenBuckets.own(BURST, clock);
    Random random = new Random(20301101);
    double[] beyond = new double[2];
    int arrivals = 100_000;
    for (int i = 0; i < 2; i++) {
      double rate = i == 0 ? 20 : 30;
      int within = 0;
      for (int n = 0; n < arrivals; n++) {
        nowNanos += (long) (-Math.log(1 - random.nextDouble()) / rate * SECOND);
        within += buckets.take("gold", "user " + i, 20) == 0 ? 1 : 0;
      }
      beyond[i] = 1 - (double) within / arrivals;
    }
    assertTrue(beyond[0] < 0.01, beyond[0] + " beyond at the contracted rate");
    assertEquals(1 - 20.0 / 30, beyond[1], 0.005, "beyond at half as much again");
  }
}
