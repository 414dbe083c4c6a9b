package dev.pinion.bootstrap.profile;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Corrects the weights of samples of allocations.
 *
 * <p>The flight recorder gives a sample all bytes that its thread has allocated since the sample
 * before, which for the first one may be hours ago. So the first sample of a thread that was there
 * before weighs what its later ones do on the average, and all of a thread are scaled to what the
 * JVM counted for it from the beginning to the end, where it did. Samples may come a moment before
 * the first count: a thread that was counted until the recording had begun was there before. For
 * one recording and thread.
 */
final class AllocationScale {
  private final Map<Long, Allocator> allocators = new HashMap<>();
  private long begun = Long.MIN_VALUE;

  /** What is known of one thread. */
  private final class Allocator {
    private long firstSample = Long.MAX_VALUE;
    private long firstBytes;
    private double sum;
    private int samples;
    private long begin = Long.MAX_VALUE;
    private long beginBytes;
    private long end = Long.MIN_VALUE;
    private long endBytes;

    boolean wasThereBefore() {
      return begin <= Math.max(firstSample, begun);
    }

    /** The weight of the first sample. */
    double first() {
      if (!wasThereBefore()) {
        return firstBytes;
      }
      return samples > 1 ? (sum - firstBytes) / (samples - 1) : 1;
    }

    double scale() {
      double weighed = sum - firstBytes + first();
      boolean counted = wasThereBefore() && end > begin;
      return counted && weighed > 0 ? (endBytes - beginBytes) / weighed : 1;
    }
  }

  private Allocator allocator(long thread) {
    return Objects.requireNonNull(allocators.computeIfAbsent(thread, _ -> new Allocator()));
  }

  /**
   * The recording had begun, and what was there then had been counted.
   *
   * @param nanos when
   */
  void begun(long nanos) {
    begun = nanos;
  }

  /**
   * The JVM has counted.
   *
   * @param nanos when
   * @param bytes what the thread had allocated since its start
   */
  void counted(long thread, long nanos, long bytes) {
    Allocator allocator = allocator(thread);
    if (nanos < allocator.begin) {
      allocator.begin = nanos;
      allocator.beginBytes = bytes;
    }
    if (nanos > allocator.end) {
      allocator.end = nanos;
      allocator.endBytes = bytes;
    }
  }

  /** A sample, with the weight that the flight recorder gives it. */
  void sampled(long thread, long nanos, long bytes) {
    Allocator allocator = allocator(thread);
    allocator.sum += bytes;
    allocator.samples++;
    if (nanos < allocator.firstSample) {
      allocator.firstSample = nanos;
      allocator.firstBytes = bytes;
    }
  }

  /** The weight of a sample, once all are known. */
  double weight(long thread, long nanos, long bytes) {
    Allocator allocator = allocator(thread);
    double own = nanos == allocator.firstSample ? allocator.first() : bytes;
    return own * allocator.scale();
  }
}
