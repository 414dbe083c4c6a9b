package dev.pinion.core.kernel;

import java.util.BitSet;

/**
 * Partitions that are to leave a kernel: from its next duty cycle on it no longer answers for them,
 * drops their instances and abandons their calls and timers. Their next owner continues from the
 * journal.
 */
public final class PartitionRelease {
  private final BitSet partitions;
  private final Runnable onGone;

  /**
   * A departure.
   *
   * @param partitions not changed afterwards
   * @param onGone run once, by the kernel's thread, when nothing of them is in progress any more
   *     and all their records are durable; returns at once
   */
  public PartitionRelease(BitSet partitions, Runnable onGone) {
    this.partitions = (BitSet) partitions.clone();
    this.onGone = onGone;
  }

  /** The partitions; not to be modified. */
  BitSet partitions() {
    return partitions;
  }

  void completed() {
    onGone.run();
  }
}
