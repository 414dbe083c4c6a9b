package dev.pinion.core.journal;

/** Counters of a {@link JournalWriter}. Written by its thread, read by any. */
public final class JournalCounters {
  private volatile long records;
  private volatile long bytes;
  private volatile long forces;
  private volatile boolean full;

  JournalCounters() {}

  /** Records appended. */
  public long records() {
    return records;
  }

  /** Bytes of their payloads. */
  public long bytes() {
    return bytes;
  }

  /** Forces to disk. */
  public long forces() {
    return forces;
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

  @SuppressWarnings("NonAtomicVolatileUpdate") // one writing thread
  void onRecord(int size) {
    bytes += size;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // likewise
  void onForce(int group) {
    records += group;
    forces++;
  }
}
