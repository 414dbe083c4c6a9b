package dev.pinion.core.journal;

import java.util.List;

/** Records of all kernels that are committed together. The writer's thread only. */
final class CommitTally {
  private final List<KernelJournal> sources;
  private final int[] records;
  private int size;
  private long lastPosition;
  private long committedNanos;

  CommitTally(List<KernelJournal> sources) {
    this.sources = sources;
    this.records = new int[sources.size()];
  }

  /** Adds a record of a kernel. */
  void add(KernelJournal source, long position) {
    records[indexOf(source)]++;
    size++;
    lastPosition = position;
  }

  @SuppressWarnings("ReferenceEquality") // each kernel has one journal
  private int indexOf(KernelJournal source) {
    for (int i = 0; i < records.length; i++) {
      if (sources.get(i) == source) {
        return i;
      }
    }
    throw new IllegalStateException("expected a record of one of the writer's kernels");
  }

  /** Number of records. */
  int size() {
    return size;
  }

  /** Position of its last record; the group is durable with that. */
  long lastPosition() {
    return lastPosition;
  }

  /** Notes when its commit began. */
  void commit(long nowNanos) {
    committedNanos = nowNanos;
  }

  /** Monotonic time at which its commit began. */
  long committedNanos() {
    return committedNanos;
  }

  /** Reports the records to their kernels as durable, and begins the group anew. */
  void publish() {
    for (int i = 0; i < records.length; i++) {
      if (records[i] > 0) {
        sources.get(i).forced(records[i]);
        records[i] = 0;
      }
    }
    size = 0;
  }
}
