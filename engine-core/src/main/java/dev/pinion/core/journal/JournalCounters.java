package dev.pinion.core.journal;

import dev.pinion.core.metrics.Buckets;
import dev.pinion.core.metrics.Histogram;
import dev.pinion.core.metrics.SingleWriterCounter;

/** Counters of a {@link JournalWriter}. Written by its thread, read by any. */
public final class JournalCounters {
  private final SingleWriterCounter bytes = new SingleWriterCounter();
  private final Histogram groups = new Histogram(Buckets.GROUP);
  private final Histogram forceNanos = new Histogram(Buckets.DISK);
  private volatile boolean full;

  JournalCounters() {}

  /** Records forced to disk. */
  public long records() {
    return groups.sum();
  }

  /** Bytes of the payloads of appended records. */
  public long bytes() {
    return bytes.value();
  }

  /** Forces to disk. */
  public long forces() {
    return groups.count();
  }

  /** Records that shared a force. */
  public Histogram groups() {
    return groups;
  }

  /** Nanoseconds that a force took. */
  public Histogram forceNanos() {
    return forceNanos;
  }

  /** Whether the writer waits for room on the disk. */
  public boolean full() {
    return full;
  }

  /** Sets that there is no room; returns whether that is new. */
  boolean onFull() {
    boolean before = full;
    full = true;
    return !before;
  }

  void onRoom() {
    if (full) {
      full = false;
    }
  }

  void onRecord(int size) {
    bytes.add(size);
  }

  void onForce(int group, long nanos) {
    groups.record(group);
    forceNanos.record(nanos);
  }
}
