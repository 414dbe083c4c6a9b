package dev.pinion.bootstrap.profile;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Corrects the weights of samples of allocations.
 *
 * <p>The flight recorder attributes to a sample all bytes that its thread has allocated since the
 * previous sample, which for the first one may be hours ago. So the first sample of a thread that
 * existed before the recording has the average weight of its later ones, and all samples of a
 * thread are scaled to the JVM's count for it from the beginning to the end, if there is one.
 * Samples may come a moment before the first count: a thread counted before the recording had begun
 * existed before. For one recording, used by one thread.
 */
final class AllocationScaling {
  private final Map<Long, Allocator> allocators = new HashMap<>();
  private long begun = Long.MIN_VALUE;

  /** Counts and samples of one thread. */
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
   * Called when the recording has begun, and existing threads were counted.
   *
   * @param nanos time of the call
   */
  void begun(long nanos) {
    begun = nanos;
  }

  /**
   * Adds a count of the JVM.
   *
   * @param nanos time of the count
   * @param bytes bytes allocated by the thread since its start
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

  /** Adds a sample, with its weight by the flight recorder. */
  void sampled(long thread, long nanos, long bytes) {
    Allocator allocator = allocator(thread);
    allocator.sum += bytes;
    allocator.samples++;
    if (nanos < allocator.firstSample) {
      allocator.firstSample = nanos;
      allocator.firstBytes = bytes;
    }
  }

  /** Weight of a sample, once all are known. */
  double weight(long thread, long nanos, long bytes) {
    Allocator allocator = allocator(thread);
    double own = nanos == allocator.firstSample ? allocator.first() : bytes;
    return own * allocator.scale();
  }
}
