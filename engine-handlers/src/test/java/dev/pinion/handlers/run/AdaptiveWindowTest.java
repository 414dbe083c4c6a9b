package dev.pinion.handlers.run;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import java.util.function.DoubleSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The adaptive window against the best fixed one, in virtual time from fixed seeds. */
class AdaptiveWindowTest {
  private static final long SEED = 4;
  private static final int MOST = 4 * ChainSimulation.CPUS;
  private static final int UNBOUNDED = 200;
  private static final double CAPACITY = 800;

  private static DoubleSupplier exponential(double meanMillis) {
    Random random = new Random(SEED);
    return () -> ChainSimulation.exponential(random, meanMillis);
  }

  private static ChainSimulation adaptive(double perSecond, DoubleSupplier work) {
    return new ChainSimulation(
        AdaptiveWindow.ofComputing(ChainSimulation.CPUS, MOST), SEED, perSecond, work, second -> 1);
  }

  private static ChainSimulation fixed(double perSecond, DoubleSupplier work) {
    return new ChainSimulation(
        ConcurrencyWindow.fixed(ChainSimulation.CPUS), SEED, perSecond, work, second -> 1);
  }

  @Test
  void shouldDoNearlyWhatTheBestFixedWindowDoesInOverload() {
    ChainSimulation best = fixed(1.5 * CAPACITY, exponential(10)).run(300);
    ChainSimulation alone = fixed(0.05 * CAPACITY, exponential(10)).run(300);

    ChainSimulation adaptive = adaptive(1.5 * CAPACITY, exponential(10)).run(300);

    told("1.5 times the capacity", adaptive, best);
    assertTrue(adaptive.perSecond() >= 0.93 * best.perSecond());
    assertTrue(adaptive.meanMillis() <= 3 * alone.meanMillis());
  }

  @Test
  void shouldLetEverythingThroughBelowCapacity() {
    ChainSimulation adaptive = adaptive(0.9 * CAPACITY, exponential(10)).run(300);

    assertTrue(adaptive.perSecond() >= 0.97 * 0.9 * CAPACITY, "" + adaptive.perSecond());
  }

  @Test
  @Tag("long")
  void shouldNotDriftInAnHourOfOverload() {
    hourOfOverload(3_600);
  }

  @Test
  void shouldNotDriftInTenMinutesOfOverload() {
    hourOfOverload(600);
  }

  @Test
  @Tag("long")
  void shouldStayBelowFourTimesTheCpusInAnHourWithoutABoundThatWouldKeepIt() {
    unboundedOverload(3_600);
  }

  @Test
  void shouldStayBelowFourTimesTheCpusWithoutABoundThatWouldKeepIt() {
    unboundedOverload(600);
  }

  private static void unboundedOverload(double seconds) {
    AdaptiveWindow window = AdaptiveWindow.ofComputing(ChainSimulation.CPUS, UNBOUNDED);
    ChainSimulation adaptive = overloaded(window).run(seconds).run(60);
    ChainSimulation best = fixed(1.5 * CAPACITY, exponential(10)).run(300);

    told("after " + seconds + " s, at most " + UNBOUNDED, adaptive, best);
    assertTrue(adaptive.meanLimit() <= MOST, "" + adaptive.meanLimit());
    assertTrue(adaptive.perSecond() >= 0.93 * best.perSecond());
  }

  private static ChainSimulation overloaded(ConcurrencyWindow concurrencyWindow) {
    return new ChainSimulation(
        concurrencyWindow, SEED, 1.5 * CAPACITY, exponential(10), second -> 1);
  }

  /**
   * The use of the floor, the guard and the short queue: machines of other sizes, messages of equal
   * and of very different length, and handlers that interfere with each other ten times as much.
   * The window for messages that wait, which has none of these, is printed for comparison.
   */
  @ParameterizedTest
  @CsvSource({
    "2, 0.005, 0.97",
    "2, 0.1, 0.93",
    "8, 0.005, 0.95",
    "8, 0.1, 0.93",
    "32, 0.005, 0.95",
    "32, 0.1, 0.93"
  })
  void shouldBeNearTheBestFixedWindowOnOtherMachines(int cpus, double crowding, double near) {
    for (String work : List.of("exponential", "constant", "bimodal")) {
      ChainSimulation best = on(cpus, crowding, ConcurrencyWindow.fixed(cpus), work);
      int most = 4 * cpus;
      ChainSimulation adaptive = on(cpus, crowding, AdaptiveWindow.ofComputing(cpus, most), work);
      ChainSimulation plain = on(cpus, crowding, AdaptiveWindow.ofWaiting(cpus, most), work);

      String what = cpus + " CPUs, " + 100 * crowding + " % slower each, " + work;
      told(what, adaptive, best);
      told(what + ", plain Vegas", plain, best);
      assertTrue(adaptive.perSecond() >= near * best.perSecond(), what);
    }
  }

  private static ChainSimulation on(
      int cpus, double crowding, ConcurrencyWindow concurrencyWindow, String work) {
    Random random = new Random(SEED);
    DoubleSupplier millis =
        switch (work) {
          case "constant" -> () -> 10;
          case "bimodal" -> () -> random.nextInt(10) == 0 ? 91 : 1;
          default -> () -> ChainSimulation.exponential(random, 10);
        };
    return new ChainSimulation(concurrencyWindow, SEED, 150 * cpus, millis, second -> 1)
        .on(cpus, crowding)
        .run(15)
        .run(15);
  }

  /**
   * Systems run threads in time slices, in which one thread processes many short messages: most of
   * them then take no longer than alone, however many others are suspended in the middle of theirs.
   */
  @ParameterizedTest
  @CsvSource({"2, 0.02", "2, 0.15", "8, 0.02", "8, 0.1", "16, 0.1"})
  @Tag("long")
  void shouldSeeMessagesThatWaitForASliceOfTime(int cpus, double crowding) {
    slices(cpus, crowding, 12);
  }

  @Test
  void shouldSeeForAWhileMessagesThatWaitForASliceOfTime() {
    slices(2, 0.15, 6);
  }

  private static void slices(int cpus, double crowding, double seconds) {
    for (double slice : new double[] {3, 20}) {
      for (String work : List.of("exponential", "constant")) {
        ChainSimulation best =
            sliced(cpus, crowding, slice, ConcurrencyWindow.fixed(cpus), work).run(seconds);
        ConcurrencyWindow concurrencyWindow = AdaptiveWindow.ofComputing(cpus, 64);
        ChainSimulation adaptive =
            sliced(cpus, crowding, slice, concurrencyWindow, work).run(seconds);

        String what = cpus + " CPUs, slices of " + slice + " ms, " + crowding + ", " + work;
        told(what, adaptive, best);
        assertTrue(adaptive.perSecond() >= 0.93 * best.perSecond(), what);
      }
    }
  }

  /** Handlers that wait without declaring it: then more messages than CPUs increase throughput. */
  @Test
  void shouldGrowWhereMoreMessagesDoMore() {
    AdaptiveWindow window = AdaptiveWindow.ofComputing(8, 64);
    ChainSimulation adaptive =
        new ChainSimulation(window, SEED, 4_800, () -> 10, second -> 1)
            .on(32, 0.005) // as if three quarters of the time were waiting
            .run(20)
            .run(20);

    System.out.printf("limit %.1f from 8, %.0f/s%n", adaptive.meanLimit(), adaptive.perSecond());
    assertTrue(adaptive.perSecond() >= 0.8 * 3_200, "" + adaptive.perSecond());
  }

  /** Messages of 0.2 ms, at 1.5 times the capacity. */
  private static ChainSimulation sliced(
      int cpus, double crowding, double slice, ConcurrencyWindow concurrencyWindow, String work) {
    Random random = new Random(SEED);
    DoubleSupplier millis =
        work.equals("constant") ? () -> 0.2 : () -> ChainSimulation.exponential(random, 0.2);
    return new ChainSimulation(concurrencyWindow, SEED, 7_500 * cpus, millis, second -> 1)
        .on(cpus, crowding)
        .inSlices(slice)
        .run(1);
  }

  private static void hourOfOverload(double seconds) {
    ChainSimulation best = fixed(1.5 * CAPACITY, exponential(10)).run(300);
    ChainSimulation adaptive = adaptive(1.5 * CAPACITY, exponential(10)).run(seconds).run(60);

    told("after " + seconds + " s of overload", adaptive, best);
    assertTrue(adaptive.meanLimit() <= MOST);
    assertTrue(adaptive.perSecond() >= 0.93 * best.perSecond());
  }

  @Test
  void shouldRecoverWithinHalfAMinuteFromAStepThatWasSlower() {
    AdaptiveWindow window = AdaptiveWindow.ofComputing(ChainSimulation.CPUS, MOST);
    ChainSimulation step =
        new ChainSimulation(
            window,
            SEED,
            1.5 * CAPACITY,
            exponential(10),
            second -> second >= 120 && second < 240 ? 3 : 1);
    step.run(120);
    double before = step.perSecond();
    step.run(120);
    double slow = step.perSecond();
    step.run(30).run(60);

    System.out.printf("before %.0f/s, slow %.0f/s, again %.0f/s%n", before, slow, step.perSecond());
    assertTrue(slow >= 0.8 * before / 3, "a third of the speed, and the CPUs in use");
    assertTrue(step.perSecond() >= 0.93 * before, "again " + step.perSecond());
  }

  @Test
  void shouldBearTwoKindsOfMessages() {
    Random random = new Random(SEED);
    DoubleSupplier bimodal = () -> random.nextInt(10) == 0 ? 91 : 1;

    ChainSimulation best = fixed(1.5 * CAPACITY, bimodal).run(300);
    ChainSimulation adaptive = adaptive(1.5 * CAPACITY, bimodal).run(300);

    told("1 ms or 91 ms", adaptive, best);
    assertTrue(adaptive.perSecond() >= 0.93 * best.perSecond());
  }

  @Test
  void shouldBearHandlersOfTenthsOfMicroseconds() {
    ChainSimulation best = fixed(150_000, exponential(0.08)).run(5);
    ChainSimulation adaptive = adaptive(150_000, exponential(0.08)).run(5);

    told("80 us", adaptive, best);
    assertTrue(adaptive.perSecond() >= 0.93 * best.perSecond());
  }

  @Test
  void shouldLetFewMessagesThroughAtOnce() {
    ChainSimulation seldom = adaptive(5, exponential(10)).run(300);

    assertTrue(seldom.meanMillis() < 12, "" + seldom.meanMillis());
    assertTrue(seldom.meanLimit() >= 1);
  }

  @Test
  void shouldShrinkWhenEverythingTakesTooLong() {
    AdaptiveWindow window = AdaptiveWindow.ofWaiting(MOST, MOST);
    new ChainSimulation(window, SEED, CAPACITY, exponential(10), second -> 1).dropping().run(120);

    assertTrue(window.limit() <= MOST / 4, "" + window.limit());
  }

  private static void told(String what, ChainSimulation adaptive, ChainSimulation best) {
    System.out.printf(
        "%s: %.0f/s with a mean limit of %.1f; fixed %.0f/s%n",
        what, adaptive.perSecond(), adaptive.meanLimit(), best.perSecond());
  }
}
