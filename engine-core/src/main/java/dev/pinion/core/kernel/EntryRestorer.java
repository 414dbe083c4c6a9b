package dev.pinion.core.kernel;

import dev.pinion.core.kernel.step.codec.RecoveryException;

/** Restores the entries of a snapshot into a kernel that runs. Kernel thread only. */
public interface EntryRestorer {
  /**
   * Restores an entry.
   *
   * @param offsetNanos offset to add to its monotonic times
   * @return whether it was new; false when records contain it as well
   * @throws RecoveryException when no kernel wrote it
   */
  boolean restoreEntry(int partition, byte kind, byte[] bytes, long offsetNanos)
      throws RecoveryException;

  /** Whether parts of a state are missing. */
  boolean isInPartialState();

  /**
   * Ends the restoration: what was under way begins again.
   *
   * @return number of calls made again
   */
  int finish(long nowNanos);
}
