package dev.pinion.core.kernel;

import dev.pinion.core.journal.SnapshotEntry;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Partitions that come to a kernel, with their state as entries of a snapshot that are durable
 * already. The kernel takes them up between its other work and then answers for the partitions.
 */
public final class Arrival {
  private final BitSet partitions;
  private final Deque<SnapshotEntry> entries;
  private final Runnable onSettled;
  private final Failure onFailure;

  /** Hears that entries are not what a kernel of this engine wrote. */
  public interface Failure {
    /** The kernel stands in the middle of the arrival; end the engine. */
    void failed(RecoveryException reason);
  }

  /**
   * An arrival.
   *
   * @param partitions not changed afterwards
   * @param entries their state, times on the scale of this process
   * @param onSettled run once, by the kernel's thread, when all of it was taken up; returns at once
   * @param onFailure hears of a failure instead
   */
  public Arrival(
      BitSet partitions, List<SnapshotEntry> entries, Runnable onSettled, Failure onFailure) {
    this.partitions = (BitSet) partitions.clone();
    this.entries = new ArrayDeque<>(entries);
    this.onSettled = onSettled;
    this.onFailure = onFailure;
  }

  /** The partitions; not to be changed. */
  BitSet partitions() {
    return partitions;
  }

  /** The next entry, which is taken out; null when there is none. */
  @Nullable SnapshotEntry poll() {
    return entries.poll();
  }

  boolean isTakenUp() {
    return entries.isEmpty();
  }

  void settled() {
    onSettled.run();
  }

  void failed(RecoveryException reason) {
    onFailure.failed(reason);
  }
}
