package dev.pinion.handlers.run;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.function.DoubleSupplier;
import java.util.function.LongToDoubleFunction;

/**
 * Messages that wait for a window and then share eight CPUs, in virtual time.
 *
 * <pre>
 *   open arrivals ──▶ queue of 1,000 ──▶ window ──▶ 8 CPUs, shared, 0.5 % slower for each message beyond 8
 * </pre>
 */
final class Simulation {
  static final int CPUS = 8;
  static final double CROWDING = 0.005;
  private static final int MOST_WAITING = 1_000;

  private final Window window;
  private final Random random;
  private final double perSecond;
  private final DoubleSupplier workMillis;
  private final LongToDoubleFunction slowness;
  private final Deque<Double> waiting = new ArrayDeque<>();
  private final List<Job> under = new ArrayList<>();
  private int cpus = CPUS;
  private double crowding = CROWDING;
  private boolean drops;
  private double now;
  private double nextArrival;

  long done;
  double inWindow;
  double limitArea;
  double measuredSeconds;

  /**
   * A simulation.
   *
   * @param perSecond mean arrivals, exponential
   * @param workMillis milliseconds of a CPU that a message takes
   * @param slowness by the second, how many times longer everything takes
   */
  Simulation(
      Window window,
      long seed,
      double perSecond,
      DoubleSupplier workMillis,
      LongToDoubleFunction slowness) {
    this.window = window;
    this.random = new Random(seed);
    this.perSecond = perSecond;
    this.workMillis = workMillis;
    this.slowness = slowness;
  }

  /**
   * On another machine.
   *
   * @param slower by how much each message beyond the CPUs slows all down
   */
  Simulation on(int otherCpus, double slower) {
    cpus = otherCpus;
    crowding = slower;
    return this;
  }

  /** From now on every message fails for want of time. */
  Simulation dropping() {
    drops = true;
    return this;
  }

  static double exponential(Random random, double mean) {
    return -Math.log(1 - random.nextDouble()) * mean;
  }

  /** Lets virtual time pass, and measures it afresh. */
  Simulation run(double seconds) {
    double end = now + seconds;
    done = 0;
    inWindow = 0;
    limitArea = 0;
    measuredSeconds = seconds;
    while (now < end) {
      double speed = speed();
      Job first = null;
      for (Job job : under) {
        first = first == null || job.left < first.left ? job : first;
      }
      double ends = first == null ? Double.MAX_VALUE : now + first.left / 1_000 / speed;
      double next = Math.min(Math.min(ends, nextArrival), end);
      limitArea += (next - now) * window.limit();
      for (Job job : under) {
        job.left -= (next - now) * 1_000 * speed;
      }
      now = next;
      if (first != null && ends <= next) {
        leave(first);
      } else if (nextArrival <= next) {
        nextArrival = now + exponential(random, 1 / perSecond);
        if (waiting.size() < MOST_WAITING) {
          waiting.add(workMillis.getAsDouble());
        }
      }
      admit();
    }
    return this;
  }

  private double speed() {
    int n = under.size();
    double share = n <= cpus ? 1 : (double) cpus / n;
    return share / (1 + crowding * Math.max(0, n - cpus)) / slowness.applyAsDouble((long) now);
  }

  private void admit() {
    while (!waiting.isEmpty() && under.size() < window.limit()) {
      Job job = new Job();
      job.left = waiting.remove();
      job.began = now;
      under.add(job);
    }
  }

  private void leave(Job job) {
    double seconds = now - job.began;
    window.sample((long) (job.began * 1e9), (long) (seconds * 1e9), under.size(), drops);
    under.remove(job);
    done++;
    inWindow += seconds;
  }

  double perSecond() {
    return done / measuredSeconds;
  }

  double meanMillis() {
    return inWindow / done * 1_000;
  }

  double meanLimit() {
    return limitArea / measuredSeconds;
  }

  private static final class Job {
    private double left;
    private double began;
  }
}
