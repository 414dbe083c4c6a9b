package dev.pinion.bootstrap.admin;

import java.util.Arrays;

/**
 * Times of the latest connections from the accept in the parent to the active channel in a replica,
 * by the machine's monotonic clock, which all processes share. For any thread.
 */
public final class HandoverLatencies {
  /** Number of connections that are remembered. */
  public static final int LATEST = 10_000;

  private final long[] nanos = new long[LATEST];
  private long count;

  /** Adds a time; one below zero counts as zero. */
  public synchronized void add(long taken) {
    nanos[(int) (count % LATEST)] = Math.max(0, taken);
    count++;
  }

  /**
   * Statistics of the times.
   *
   * @param connections number of connections, at most {@value #LATEST}
   * @param medianMicros the median in microseconds, 0 without any
   * @param p99Micros the 99th percentile in microseconds, 0 without any
   */
  public record Percentiles(int connections, long medianMicros, long p99Micros) {}

  /**
   * Current statistics.
   *
   * @param most number of latest connections, 1 to {@value #LATEST}
   */
  public synchronized Percentiles latest(int most) {
    int known = (int) Math.min(count, most);
    long[] sorted = new long[known];
    for (int i = 0; i < known; i++) {
      sorted[i] = nanos[(int) ((count - known + i) % LATEST)];
    }
    Arrays.sort(sorted);
    return new Percentiles(known, quantile(sorted, 50), quantile(sorted, 99));
  }

  private static long quantile(long[] sorted, int percent) {
    return sorted.length == 0 ? 0 : sorted[(sorted.length - 1) * percent / 100] / 1_000;
  }
}
