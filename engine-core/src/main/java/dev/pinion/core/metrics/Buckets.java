package dev.pinion.core.metrics;

/**
 * Buckets of a {@link Histogram}: upper bounds, inclusive and ascending, in the unit that the
 * writer counts in, and the number of those units in the exported one.
 */
public final class Buckets {
  /** From 10 µs to 10 s, in nanoseconds, exported in seconds: forces of a disk. */
  public static final Buckets DISK =
      new Buckets(
          1e9,
          10_000,
          50_000,
          100_000,
          250_000,
          500_000,
          1_000_000,
          2_500_000,
          5_000_000,
          10_000_000,
          25_000_000,
          50_000_000,
          100_000_000,
          250_000_000,
          1_000_000_000,
          10_000_000_000L);

  /** From 1 ms to 10 s, in nanoseconds, exported in seconds: delays of the engine itself. */
  public static final Buckets LATENESS =
      new Buckets(
          1e9,
          1_000_000,
          2_500_000,
          5_000_000,
          10_000_000,
          25_000_000,
          50_000_000,
          100_000_000,
          250_000_000,
          1_000_000_000,
          10_000_000_000L);

  /** From 1 ms to one day, in milliseconds, exported in seconds: tasks. */
  public static final Buckets TASK =
      new Buckets(
          1e3,
          1,
          2,
          5,
          10,
          25,
          50,
          100,
          250,
          500,
          1_000,
          2_500,
          10_000,
          60_000,
          600_000,
          3_600_000,
          86_400_000);

  /** From 1 to 8192: sizes of groups. */
  public static final Buckets GROUP =
      new Buckets(1, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024, 8_192);

  private final double scale;
  private final long[] bounds;

  /**
   * Buckets.
   *
   * @param scale counted units in one exported unit
   * @param bounds the highest value of each bucket, ascending; a further one holds what is above
   */
  public Buckets(double scale, long... bounds) {
    for (int i = 1; i < bounds.length; i++) {
      if (bounds[i] <= bounds[i - 1]) {
        throw new IllegalArgumentException(
            "expected ascending bounds, found " + bounds[i] + " after " + bounds[i - 1]);
      }
    }
    this.scale = scale;
    this.bounds = bounds.clone();
  }

  /** Number of bounds. */
  public int size() {
    return bounds.length;
  }

  /** The bucket of a value. Most values are small, so the lowest bounds are compared first. */
  int of(long value) {
    int bucket = 0;
    while (bucket < bounds.length && value > bounds[bucket]) {
      bucket++;
    }
    return bucket;
  }

  /** An upper bound in the exported unit. */
  double exportedBound(int bucket) {
    return bounds[bucket] / scale;
  }

  /** A sum in the exported unit. */
  double exported(long sum) {
    return sum / scale;
  }
}
