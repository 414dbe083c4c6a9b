package dev.pinion.core.kernel;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/**
 * Compares the cost of work of two sizes, by bytes allocated and by processor time. Rounds
 * alternate between both sizes and the best ratio counts, so that a busy machine changes nothing;
 * what is quadratic shows in every round.
 */
final class LinearWork {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private static final int ROUNDS = 3;

  /** Bytes that linear work of the large size may take, beside as much work of the small size. */
  private static final double MOST_BYTES = 1.3;

  /** The same of time: what is large fits no cache. */
  private static final double MOST_TIME = 3;

  private LinearWork() {}

  private record Cost(long bytes, long nanos) {
    static Cost of(int times, Runnable work) {
      long bytes = THREADS.getCurrentThreadAllocatedBytes();
      long nanos = THREADS.getCurrentThreadCpuTime();
      for (int i = 0; i < times; i++) {
        work.run();
      }
      long used = THREADS.getCurrentThreadCpuTime() - nanos;
      return new Cost(THREADS.getCurrentThreadAllocatedBytes() - bytes, used);
    }
  }

  /** Bytes that this thread allocates for work. */
  static long allocatedBy(Runnable work) {
    return Cost.of(1, work).bytes;
  }

  /**
   * Requires that work of a large size costs little more than as much work of a small size.
   *
   * @param factor how many times as large it is
   */
  static void assertLinear(int factor, Runnable small, Runnable large) {
    small.run(); // classes are loaded
    large.run();
    double bytes = Double.MAX_VALUE;
    double time = Double.MAX_VALUE;
    for (int i = 0; i < ROUNDS; i++) {
      Cost many = Cost.of(factor, small);
      Cost one = Cost.of(1, large);
      bytes = Math.min(bytes, (double) one.bytes / many.bytes);
      time = Math.min(time, (double) one.nanos / Math.max(1, many.nanos));
    }
    assertTrue(bytes < MOST_BYTES, "bytes of linear work, times " + bytes);
    assertTrue(time < MOST_TIME, "processor time of linear work, times " + time);
  }
}
