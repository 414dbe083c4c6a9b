package dev.pinion.handlers.run;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import java.util.function.DoubleSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The adaptive window against the best fixed one, in virtual time from fixed seeds. */
class AdaptiveWindowTest {
  private static final long SEED = 4;
  private static final int MOST = 4 * Simulation.CPUS;
  private static final double CAPACITY = 800;

  private static DoubleSupplier exponential(double meanMillis) {
    Random random = new Random(SEED);
    return () -> Simulation.exponential(random, meanMillis);
  }

  private static Simulation adaptive(double perSecond, DoubleSupplier work) {
    return new Simulation(
        new AdaptiveWindow(Simulation.CPUS, MOST), SEED, perSecond, work, second -> 1);
  }

  private static Simulation fixed(double perSecond, DoubleSupplier work) {
    return new Simulation(Window.fixed(Simulation.CPUS), SEED, perSecond, work, second -> 1);
  }

  @Test
  void shouldDoNearlyWhatTheBestFixedWindowDoesInOverload() {
    Simulation best = fixed(1.5 * CAPACITY, exponential(10)).run(300);
    Simulation alone = fixed(0.05 * CAPACITY, exponential(10)).run(300);

    Simulation adaptive = adaptive(1.5 * CAPACITY, exponential(10)).run(300);

    told("1.5 times the capacity", adaptive, best);
    assertTrue(adaptive.perSecond() >= 0.93 * best.perSecond());
    assertTrue(adaptive.meanMillis() <= 3 * alone.meanMillis());
  }

  @Test
  void shouldLetEverythingThroughBelowCapacity() {
    Simulation adaptive = adaptive(0.9 * CAPACITY, exponential(10)).run(300);

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

  private static void hourOfOverload(double seconds) {
    Simulation best = fixed(1.5 * CAPACITY, exponential(10)).run(300);
    Simulation adaptive = adaptive(1.5 * CAPACITY, exponential(10)).run(seconds).run(60);

    told("after " + seconds + " s of overload", adaptive, best);
    assertTrue(adaptive.meanLimit() <= MOST);
    assertTrue(adaptive.perSecond() >= 0.93 * best.perSecond());
  }

  @Test
  void shouldRecoverWithinHalfAMinuteFromAStepThatWasSlower() {
    AdaptiveWindow window = new AdaptiveWindow(Simulation.CPUS, MOST);
    Simulation step =
        new Simulation(
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

    Simulation best = fixed(1.5 * CAPACITY, bimodal).run(300);
    Simulation adaptive = adaptive(1.5 * CAPACITY, bimodal).run(300);

    told("1 ms or 91 ms", adaptive, best);
    assertTrue(adaptive.perSecond() >= 0.85 * best.perSecond());
  }

  @Test
  void shouldBearHandlersOfTenthsOfMicroseconds() {
    Simulation best = fixed(150_000, exponential(0.08)).run(5);
    Simulation adaptive = adaptive(150_000, exponential(0.08)).run(5);

    told("80 us", adaptive, best);
    assertTrue(adaptive.perSecond() >= 0.93 * best.perSecond());
  }

  @Test
  void shouldLetFewMessagesThroughAtOnce() {
    Simulation seldom = adaptive(5, exponential(10)).run(300);

    assertTrue(seldom.meanMillis() < 12, "" + seldom.meanMillis());
    assertTrue(seldom.meanLimit() >= 1);
  }

  @Test
  void shouldShrinkWhenEverythingTakesTooLong() {
    AdaptiveWindow window = new AdaptiveWindow(MOST, MOST);
    new Simulation(window, SEED, CAPACITY, exponential(10), second -> 1).dropping().run(120);

    assertTrue(window.limit() <= MOST / 4, "" + window.limit());
  }

  private static void told(String what, Simulation adaptive, Simulation best) {
    System.out.printf(
        "%s: %.0f/s with a mean limit of %.1f; fixed %.0f/s%n",
        what, adaptive.perSecond(), adaptive.meanLimit(), best.perSecond());
  }
}
