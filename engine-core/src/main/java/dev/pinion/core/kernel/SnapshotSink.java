package dev.pinion.core.kernel;

import dev.pinion.core.journal.SnapshotEntry;

/** Where one kernel's part of one snapshot goes. Kernel thread only. */
public interface SnapshotSink {
  /** Takes an entry; returns whether there was room. */
  boolean offer(SnapshotEntry entry);

  /** The longest entry that is taken; what is longer is divided. */
  int maxEntryBytes();

  /** Whether there is room now. The kernel is woken when there is room again. */
  boolean hasRoom();

  /** Whether nobody wants the rest any more. */
  boolean isAbandoned();

  /** The kernel cannot write its part. */
  void fail(RuntimeException failure);
}
