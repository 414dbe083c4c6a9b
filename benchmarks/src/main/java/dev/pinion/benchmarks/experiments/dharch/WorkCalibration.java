package dev.pinion.benchmarks.experiments.dharch;

import dev.pinion.core.model.Payload;
import dev.pinion.handlers.api.Settings;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/** Determines the amount of work with which a handler takes a given time. Used by one thread. */
final class WorkCalibration {
  // Ciphers and checksums become three times as fast once the optimising compiler has seen them.
  private static final long WARM_UP_NANOS = 2_000_000_000L;
  private static final int ROUNDS = 6;
  private static final long ROUND_NANOS = 80_000_000;
  private static final int LEAST_CALLS = 9;
  private static final int MOST_CALLS = 2_000;

  private WorkCalibration() {}

  /** A candidate under trial; closed after it. */
  static final class Trial implements AutoCloseable {
    private final List<BodyWork> before;
    private final BodyWork work;
    private final byte[] body;

    Trial(BodyWork work, byte[] body) {
      this(List.of(), work, body);
    }

    /**
     * A candidate after other work, which is not measured but leaves the caches as a chain does.
     */
    Trial(List<BodyWork> before, BodyWork work, byte[] body) {
      this.before = before;
      this.work = work;
      this.body = body;
    }

    void run() throws Exception {
      work.of(body);
    }

    long nanos() throws Exception {
      for (BodyWork other : before) {
        other.of(body);
      }
      long begun = System.nanoTime();
      run();
      return System.nanoTime() - begun;
    }

    @Override
    public void close() {
      work.close();
    }
  }

  /** A kind with a size, tried with one message. */
  static IntFunction<Trial> bySetting(WorkFactory kind, byte[] body) {
    return size -> new Trial(kind.work(ofSize(size)), body);
  }

  /** Settings with the amount of work of a kind. */
  static Settings ofSize(int size) {
    return new Settings(Payload.object(Map.of("size", Payload.of(size))), "");
  }

  /**
   * The size for a time, for a handler that has run for a while.
   *
   * @param millis wanted median time of a call
   * @param first first size to try
   * @param trials trial of a size
   */
  static int size(double millis, int first, IntFunction<Trial> trials) throws Exception {
    warmUp(trials.apply(first));
    int size = first;
    for (int round = 0; round < ROUNDS; round++) {
      double factor = Math.clamp(millis * 1e6 / median(trials.apply(size)), 0.05, 20);
      size = (int) Math.clamp(size * factor, 1, WorkFactory.MAX_SIZE);
    }
    return size;
  }

  private static void warmUp(Trial trial) throws Exception {
    long begun = System.nanoTime();
    try (trial) {
      while (System.nanoTime() - begun < WARM_UP_NANOS) {
        trial.run();
      }
    }
  }

  private static double median(Trial trial) throws Exception {
    long[] nanos = new long[MOST_CALLS];
    int calls = 0;
    try (trial) {
      long end = System.nanoTime() + ROUND_NANOS;
      while (calls < MOST_CALLS && (calls < LEAST_CALLS || System.nanoTime() < end)) {
        nanos[calls++] = trial.nanos();
      }
    }
    long[] sorted = Arrays.copyOf(nanos, calls);
    Arrays.sort(sorted);
    return Math.max(1, sorted[calls / 2]);
  }
}
