package dev.pinion.core.kernel;

import dev.pinion.core.journal.SnapshotEntry;
import dev.pinion.core.kernel.step.codec.RecoveryException;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Partitions that move to a kernel, with their state as entries of a snapshot that are durable
 * already. The kernel restores them between its other work and then owns the partitions.
 */
public final class PartitionAcquisition {
  private final BitSet partitions;
  private final Deque<SnapshotEntry> entries;
  private final Function<KernelState, EntryRestorer> restorers;
  private final Runnable onSettled;
  private final FailureListener onFailure;

  /** Callback for entries that no kernel of this engine wrote. */
  public interface FailureListener {
    /** Reports the failure; the arrival is half done, so the engine must end. */
    void failed(RecoveryException reason);
  }

  /**
   * An arrival.
   *
   * @param partitions not changed afterwards
   * @param entries their state, times on the scale of this process
   * @param restorers makes the restorer of the entries
   * @param onSettled run once, by the kernel's thread, when all of it is restored; returns at once
   * @param onFailure receives a failure instead
   */
  public PartitionAcquisition(
      BitSet partitions,
      List<SnapshotEntry> entries,
      Function<KernelState, EntryRestorer> restorers,
      Runnable onSettled,
      FailureListener onFailure) {
    this.partitions = (BitSet) partitions.clone();
    this.entries = new ArrayDeque<>(entries);
    this.restorers = restorers;
    this.onSettled = onSettled;
    this.onFailure = onFailure;
  }

  /** The partitions; not to be modified. */
  BitSet partitions() {
    return partitions;
  }

  /** A restorer of the entries. */
  EntryRestorer restorer(KernelState kernel) {
    return restorers.apply(kernel);
  }

  /** Removes and returns the next entry; null when there is none. */
  @Nullable SnapshotEntry poll() {
    return entries.poll();
  }

  boolean isLoaded() {
    return entries.isEmpty();
  }

  void completed() {
    onSettled.run();
  }

  void failed(RecoveryException reason) {
    onFailure.failed(reason);
  }
}
