package dev.pinion.broker.binding;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class KroneckerCounterTest {
  private static final int TASKS = 40;

  @Test
  void shouldTakeFractionsOfSquareRootsOfPrimes() {
    int[] primes = {2, 3, 5, 7, 11, 13};
    for (int i = 0; i < primes.length; i++) {
      double fraction = Math.sqrt(primes[i]) % 1;
      double found = (KroneckerCounter.alpha(i) >>> 11) * 0x1p-53;
      assertEquals(fraction, found, 1e-12, "prime " + primes[i]);
    }
  }

  /** Greatest deviation of the count of a share, in calls, after 100 to 10,000 calls. */
  private static double worstDeviation(long alpha, double share) {
    KroneckerCounter counter = new KroneckerCounter(alpha, 0);
    long threshold = WeightedChoice.unsigned(share);
    long hits = 0;
    double worst = 0;
    for (int n = 1; n <= 10_000; n++) {
      hits += Long.compareUnsigned(counter.next(), threshold) < 0 ? 1 : 0;
      if (n >= 100) {
        worst = Math.max(worst, Math.abs(hits - n * share));
      }
    }
    return worst;
  }

  @Test
  void shouldStayNearItsShares() {
    // At every number of calls, not at some; later primes are worse because their roots have larger
    // partial quotients.
    double worstOfFirst = 0;
    double worstOfAll = 0;
    for (int task = 0; task < TASKS; task++) {
      for (double share : new double[] {0.05, 0.1, 0.3, 0.5, 0.77}) {
        double worst = worstDeviation(KroneckerCounter.alpha(task), share);
        worstOfFirst = task < 4 ? Math.max(worstOfFirst, worst) : worstOfFirst;
        worstOfAll = Math.max(worstOfAll, worst);
      }
    }
    System.out.printf(
        "worst deviation from n times a share: %.2f calls for the first four tasks, %.2f for %d%n",
        worstOfFirst, worstOfAll, TASKS);
    assertTrue(worstOfFirst < 5, "found " + worstOfFirst);
    assertTrue(worstOfAll < 30, "found " + worstOfAll + "; chance alone gives about 100");
  }

  @Test
  void shouldBeIndependentBetweenTasks() {
    // given two tasks, each of which halves its invocations
    double worst = 0;
    for (int a = 0; a < 12; a++) {
      for (int b = 0; b < a; b++) {
        worst = Math.max(worst, Math.abs(bothFirst(KroneckerCounter.alpha(a), b) - 0.25));
      }
    }
    double same = Math.abs(bothFirst(KroneckerCounter.alpha(0), 0) - 0.25);

    System.out.printf(
        "both first: off 0.25 by at most %.5f, with one constant by %.5f%n", worst, same);
    assertTrue(worst < 0.005, "found " + worst);
    assertTrue(same > 0.2, "one constant for two tasks ties them together; found " + same);
  }

  private static double bothFirst(long alpha, int other) {
    KroneckerCounter one = new KroneckerCounter(alpha, 0);
    KroneckerCounter two = new KroneckerCounter(KroneckerCounter.alpha(other), 0);
    int both = 0;
    int rounds = 100_000;
    for (int i = 0; i < rounds; i++) {
      boolean first = one.next() >= 0; // the lower half of the unsigned range
      boolean second = two.next() >= 0;
      both += first && second ? 1 : 0;
    }
    return (double) both / rounds;
  }

  @Test
  void shouldVaryLittleInBursts() {
    // The variance of calls among ten with a share of 0.3: 2.1 by chance.
    KroneckerCounter counter = new KroneckerCounter(KroneckerCounter.alpha(0), 1);
    long threshold = WeightedChoice.unsigned(0.3);
    int bursts = 10_000;
    double squares = 0;
    for (int i = 0; i < bursts; i++) {
      int hits = 0;
      for (int j = 0; j < 10; j++) {
        hits += Long.compareUnsigned(counter.next(), threshold) < 0 ? 1 : 0;
      }
      squares += (hits - 3.0) * (hits - 3.0);
    }
    assertTrue(squares / bursts < 0.6, "variance " + squares / bursts);
  }

  @Test
  void shouldGiveEachNumberOnceToRacingThreads() throws InterruptedException {
    KroneckerCounter counter =
        new KroneckerCounter(KroneckerCounter.alpha(0), new Random(7).nextLong());
    int threads = 4;
    int each = 20_000;
    AtomicLongArray numbers = new AtomicLongArray(threads * each);
    Thread[] racing = new Thread[threads];
    for (int t = 0; t < threads; t++) {
      int from = t * each;
      racing[t] =
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int i = 0; i < each; i++) {
                      numbers.set(from + i, counter.next());
                    }
                  });
    }
    for (Thread thread : racing) {
      thread.join();
    }

    long distinct =
        LongStream.range(0, numbers.length()).map(i -> numbers.get((int) i)).distinct().count();
    assertEquals((long) threads * each, distinct);
  }
}
