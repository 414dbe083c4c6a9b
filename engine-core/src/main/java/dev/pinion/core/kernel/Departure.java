package dev.pinion.core.kernel;

import java.util.BitSet;

/**
 * Partitions that are to leave a kernel: from its next duty cycle on it answers nothing about them,
 * drops their instances and lets go of what is under way for them. Whoever owns them next goes on
 * from the journal.
 */
public final class Departure {
  private final BitSet partitions;
  private final Runnable onGone;

  /**
   * A departure.
   *
   * @param partitions not changed afterwards
   * @param onGone run once, by the kernel's thread, when nothing of them is under way any more and
   *     everything that was recorded of them is durable; returns at once
   */
  public Departure(BitSet partitions, Runnable onGone) {
    this.partitions = (BitSet) partitions.clone();
    this.onGone = onGone;
  }

  /** The partitions; not to be changed. */
  BitSet partitions() {
    return partitions;
  }

  void gone() {
    onGone.run();
  }
}
