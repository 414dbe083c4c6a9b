package dev.pinion.bootstrap.process;

import java.util.Arrays;

/**
 * How long the latest connections took from being accepted by the parent to being active in a
 * replica, by the machine's monotonic clock, which all processes share. Any thread.
 */
public final class HandoverTimes {
  /** Connections that are looked back at. */
  public static final int LATEST = 10_000;

  private final long[] nanos = new long[LATEST];
  private long count;

  /** One more; a time below zero is taken for none at all. */
  public synchronized void add(long taken) {
    nanos[(int) (count % LATEST)] = Math.max(0, taken);
    count++;
  }

  /**
   * What can be told of them.
   *
   * @param connections how many these are, at most {@value #LATEST}
   * @param medianMicros the median in microseconds, 0 without any
   * @param p99Micros what 99 of 100 do not exceed, 0 without any
   */
  public record Picture(int connections, long medianMicros, long p99Micros) {}

  /**
   * What can be told now.
   *
   * @param most how many to look back at, 1 to {@value #LATEST}
   */
  public synchronized Picture latest(int most) {
    int known = (int) Math.min(count, most);
    long[] sorted = new long[known];
    for (int i = 0; i < known; i++) {
      sorted[i] = nanos[(int) ((count - known + i) % LATEST)];
    }
    Arrays.sort(sorted);
    return new Picture(known, quantile(sorted, 50), quantile(sorted, 99));
  }

  private static long quantile(long[] sorted, int percent) {
    return sorted.length == 0 ? 0 : sorted[(sorted.length - 1) * percent / 100] / 1_000;
  }
}
