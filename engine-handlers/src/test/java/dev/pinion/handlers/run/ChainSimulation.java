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
 *
 * <p>CPUs are shared evenly, or like in systems, in time slices: then each message has a thread,
 * which continues with the next message after one, until its slice is over.
 */
final class ChainSimulation {
  static final int CPUS = 8;
  static final double CROWDING = 0.005;
  private static final int MOST_WAITING = 1_000;

  private final ConcurrencyWindow concurrencyWindow;
  private final Random random;
  private final double perSecond;
  private final DoubleSupplier workMillis;
  private final LongToDoubleFunction slowness;
  private final Deque<Double> waiting = new ArrayDeque<>();
  private final List<Job> under = new ArrayList<>();
  private int cpus = CPUS;
  private double crowding = CROWDING;
  private boolean drops;
  private double sliceMillis;
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
   * @param slowness for each second, the factor by which everything takes longer
   */
  ChainSimulation(
      ConcurrencyWindow concurrencyWindow,
      long seed,
      double perSecond,
      DoubleSupplier workMillis,
      LongToDoubleFunction slowness) {
    this.concurrencyWindow = concurrencyWindow;
    this.random = new Random(seed);
    this.perSecond = perSecond;
    this.workMillis = workMillis;
    this.slowness = slowness;
  }

  /**
   * On another machine.
   *
   * @param slower slow-down of all by each message beyond the CPUs
   */
  ChainSimulation on(int otherCpus, double slower) {
    cpus = otherCpus;
    crowding = slower;
    return this;
  }

  /** On a machine where threads run in slices of some milliseconds. */
  ChainSimulation inSlices(double millis) {
    sliceMillis = millis;
    return this;
  }

  /** From now on every message fails for lack of time. */
  ChainSimulation dropping() {
    drops = true;
    return this;
  }

  static double exponential(Random random, double mean) {
    return -Math.log(1 - random.nextDouble()) * mean;
  }

  /** Lets virtual time pass, and measures anew. */
  ChainSimulation run(double seconds) {
    double end = now + seconds;
    done = 0;
    inWindow = 0;
    limitArea = 0;
    measuredSeconds = seconds;
    while (now < end) {
      double speed = speed();
      List<Job> running = running();
      Job first = null;
      double turn = Double.MAX_VALUE;
      for (Job job : running) {
        first = first == null || job.left < first.left ? job : first;
        turn = sliceMillis == 0 ? turn : Math.min(turn, now + job.slice / 1_000);
      }
      double ends = first == null ? Double.MAX_VALUE : now + first.left / 1_000 / speed;
      double next = Math.min(Math.min(ends, turn), Math.min(nextArrival, end));
      limitArea += (next - now) * concurrencyWindow.limit();
      for (Job job : running) {
        job.left -= (next - now) * 1_000 * speed;
        job.slice -= (next - now) * 1_000;
      }
      now = next;
      if (first != null && ends <= next) {
        leave(first);
      } else if (turn <= next) {
        turn();
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

  private List<Job> running() {
    return sliceMillis == 0 ? under : under.subList(0, Math.min(cpus, under.size()));
  }

  /** Threads whose slice is over make room for those that have waited longest. */
  private void turn() {
    for (Job job : List.copyOf(running())) {
      if (job.slice <= 1e-9) {
        under.remove(job);
        job.slice = sliceMillis;
        under.add(job);
      }
    }
  }

  private double speed() {
    int n = under.size();
    double share = n <= cpus || sliceMillis > 0 ? 1 : (double) cpus / n;
    return share / (1 + crowding * Math.max(0, n - cpus)) / slowness.applyAsDouble((long) now);
  }

  private void admit() {
    while (!waiting.isEmpty() && under.size() < concurrencyWindow.limit()) {
      under.add(begun(sliceMillis));
    }
  }

  private Job begun(double slice) {
    Job job = new Job();
    job.left = waiting.remove();
    job.began = now;
    job.slice = slice;
    return job;
  }

  private void leave(Job job) {
    double seconds = now - job.began;
    concurrencyWindow.sample((long) (job.began * 1e9), (long) (seconds * 1e9), under.size(), drops);
    int place = under.indexOf(job);
    under.remove(place);
    if (sliceMillis > 0 && !waiting.isEmpty() && under.size() < concurrencyWindow.limit()) {
      under.add(place, begun(job.slice)); // by the same thread
    }
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
    private double slice;
    private double began;
  }
}
