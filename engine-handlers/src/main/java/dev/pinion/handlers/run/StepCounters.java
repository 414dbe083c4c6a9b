package dev.pinion.handlers.run;

import java.util.concurrent.atomic.LongAdder;

/** Counters of one step of a chain. Written by workers, read by any thread. */
final class StepCounters {
  private static final double WEIGHT = 1.0 / 16;

  final LongAdder calls = new LongAdder();
  final LongAdder nanos = new LongAdder();
  final LongAdder failures = new LongAdder();
  final LongAdder timeouts = new LongAdder();
  final LongAdder repeats = new LongAdder();
  final LongAdder skipped = new LongAdder();
  final LongAdder stops = new LongAdder();
  final LongAdder undone = new LongAdder();
  final LongAdder undoFailures = new LongAdder();
  final LongAdder late = new LongAdder();
  final LongAdder dropped = new LongAdder();

  // Updates may be lost in races, which a moving mean tolerates.
  private volatile double recentNanos;
  private volatile int seen;

  /** Counts a finished call of the handler. */
  void called(long callNanos) {
    calls.increment();
    nanos.add(callNanos);
    int before = seen;
    recentNanos =
        before == 0
            ? callNanos
            : recentNanos + (callNanos - recentNanos) * Math.max(WEIGHT, 1.0 / (before + 1));
    if (before < 1 / WEIGHT) {
      seen = before + 1;
    }
  }

  /** Moving mean of the time of a call, in nanoseconds. */
  double recentNanos() {
    return recentNanos;
  }

  /** Whether {@link #recentNanos} has enough calls. */
  boolean isMeasured() {
    return seen >= 8;
  }

  StepStatistics statistics(String name) {
    return new StepStatistics(
        name,
        calls.sum(),
        nanos.sum(),
        Math.round(recentNanos),
        failures.sum(),
        timeouts.sum(),
        repeats.sum(),
        skipped.sum(),
        stops.sum(),
        undone.sum(),
        undoFailures.sum(),
        late.sum(),
        dropped.sum());
  }
}
