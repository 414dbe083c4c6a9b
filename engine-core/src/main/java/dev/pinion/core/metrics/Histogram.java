package dev.pinion.core.metrics;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Counts of observed values in fixed buckets. One thread writes, any thread reads; an observation
 * allocates nothing and takes no lock. A reader may see an observation in its bucket and not yet in
 * the sum.
 */
public final class Histogram {
  private static final VarHandle COUNT = MethodHandles.arrayElementVarHandle(long[].class);

  private final Buckets buckets;
  private final long[] counts;
  private final SingleWriterCounter sum = new SingleWriterCounter();

  /** An empty histogram. */
  public Histogram(Buckets buckets) {
    this.buckets = buckets;
    this.counts = new long[buckets.size() + 1];
  }

  /**
   * Counts a value. Writing thread only.
   *
   * @param value in the unit of the buckets' bounds; a negative one counts as 0
   */
  public void record(long value) {
    long counted = Math.max(0, value);
    int bucket = buckets.of(counted);
    COUNT.setOpaque(counts, bucket, counts[bucket] + 1);
    sum.add(counted);
  }

  /** The buckets. */
  public Buckets buckets() {
    return buckets;
  }

  /** Values in a bucket, from 0; the last bucket holds those above the highest bound. */
  public long count(int bucket) {
    return (long) COUNT.getOpaque(counts, bucket);
  }

  /** Number of all values. Any thread. */
  public long count() {
    long all = 0;
    for (int i = 0; i < counts.length; i++) {
      all += count(i);
    }
    return all;
  }

  /** Sum of all values, in the unit of the buckets' bounds. Any thread. */
  public long sum() {
    return sum.value();
  }
}
