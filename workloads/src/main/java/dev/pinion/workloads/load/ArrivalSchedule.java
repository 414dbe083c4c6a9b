package dev.pinion.workloads.load;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/** The times at which requests are due, one after the other. Used by one thread. */
final class ArrivalSchedule {
  /** Rate within a burst, in mean rates. */
  static final int PEAK = 4;

  /** Mean length of a burst. */
  static final int BURST_MILLIS = 50;

  private final LongSupplier next;

  private ArrivalSchedule(LongSupplier next) {
    this.next = next;
  }

  /** Time of the next arrival in ns from the start; never before the previous one. */
  long nextNanos() {
    return next.getAsLong();
  }

  /**
   * Equal gaps.
   *
   * @param phase share of a gap before the first arrival, 0 to 1
   */
  static ArrivalSchedule constant(double gapNanos, double phase) {
    return new ArrivalSchedule(
        new LongSupplier() {
          private long number;

          @Override
          public long getAsLong() {
            return Math.round((number++ + phase) * gapNanos);
          }
        });
  }

  /** Exponential gaps. */
  static ArrivalSchedule poisson(double gapNanos, RandomGenerator random) {
    return new ArrivalSchedule(
        new LongSupplier() {
          private double atNanos;

          @Override
          public long getAsLong() {
            atNanos += exponential(gapNanos, random);
            return (long) atNanos;
          }
        });
  }

  /**
   * Exponential gaps within bursts.
   *
   * @param bursts generates lengths of bursts and pauses only, so that sources may share its seed
   */
  static ArrivalSchedule bursty(double gapNanos, RandomGenerator bursts, RandomGenerator random) {
    double burstNanos = TimeUnit.MILLISECONDS.toNanos(BURST_MILLIS);
    return new ArrivalSchedule(
        new LongSupplier() {
          private double atNanos;
          private double leftNanos = exponential(burstNanos, bursts);

          @Override
          public long getAsLong() {
            double gap = exponential(gapNanos / PEAK, random);
            while (gap > leftNanos) {
              gap -= leftNanos;
              atNanos += leftNanos + exponential((PEAK - 1) * burstNanos, bursts);
              leftNanos = exponential(burstNanos, bursts);
            }
            leftNanos -= gap;
            atNanos += gap;
            return (long) atNanos;
          }
        });
  }

  private static double exponential(double mean, RandomGenerator random) {
    return mean * random.nextExponential();
  }
}
