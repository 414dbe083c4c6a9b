package dev.pinion.bootstrap.placement;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Divides memory. The heap of all replicas together does not depend on their number: a quarter of
 * the memory allowed, or the configured heap.
 */
final class HeapDivision {
  /** Memory assumed where it is unknown. */
  private static final long ASSUMED_MEMORY_BYTES = 2L << 30;

  private final @Nullable Long asked;
  private final long allowed;
  private final long total;
  private final List<String> decisions;

  /**
   * Creates shares.
   *
   * @param asked configured heap, or null
   * @param allowedBytes memory this process may use, 0 when unknown
   * @param decisions receives the decisions
   */
  HeapDivision(@Nullable Long asked, long allowedBytes, List<String> decisions) {
    this.asked = asked;
    this.decisions = decisions;
    if (asked == null && allowedBytes == 0) {
      decisions.add("the size of memory is unknown: 2 GB are assumed");
    }
    this.allowed = allowedBytes == 0 ? ASSUMED_MEMORY_BYTES : allowedBytes;
    this.total = asked == null ? allowed / 4 : asked;
  }

  /**
   * The largest number of replicas, up to a wanted one, that can have the least heap; at least one.
   */
  int affordable(int replicas) {
    int affordable = Math.clamp(total / PlacementPlanner.MIN_HEAP_BYTES, 1, replicas);
    if (affordable < replicas) {
      decisions.add(
          "memory allows "
              + affordable
              + " replicas of at least "
              + megabytes(PlacementPlanner.MIN_HEAP_BYTES)
              + " of heap: neighbouring groups are joined");
    }
    return affordable;
  }

  /**
   * The heap of each replica.
   *
   * @throws IllegalArgumentException when it would be below the minimum
   */
  long share(int replicas) {
    long share = total / replicas;
    if (share >= PlacementPlanner.MIN_HEAP_BYTES) {
      return share;
    }
    long least = replicas * PlacementPlanner.MIN_HEAP_BYTES;
    if (asked != null || (least > allowed && replicas > 1)) {
      throw new IllegalArgumentException(
          "expected a heap of at least "
              + megabytes(PlacementPlanner.MIN_HEAP_BYTES)
              + " for each of "
              + replicas
              + " replicas, found "
              + (asked == null ? megabytes(allowed) + " of memory" : megabytes(total) + " in all"));
    }
    if (replicas > 1) {
      decisions.add(
          "each replica gets the least heap, which together is more than a quarter of the memory");
    }
    return PlacementPlanner.MIN_HEAP_BYTES;
  }

  private static String megabytes(long bytes) {
    return (bytes >> 20) + " MB";
  }
}
