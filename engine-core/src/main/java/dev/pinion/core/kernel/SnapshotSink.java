package dev.pinion.core.kernel;

import dev.pinion.core.journal.SnapshotEntry;

/** Receiver of one kernel's part of one snapshot. Kernel thread only. */
public interface SnapshotSink {
  /** Accepts an entry; returns whether there was room. */
  boolean offer(SnapshotEntry entry);

  /** Length of the longest accepted entry; a longer state is divided. */
  int maxEntryBytes();

  /** Whether there is room now. The kernel is woken when room becomes free. */
  boolean hasRoom();

  /** Whether the rest is no longer wanted. */
  boolean isAbandoned();

  /** Reports that the kernel cannot write its part. */
  void fail(RuntimeException failure);
}
