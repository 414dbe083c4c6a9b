package dev.pinion.core.journal;

/** What a {@link JournalWriter} has written. Written by its thread, read by any. */
public final class JournalCounters {
  private volatile long records;
  private volatile long bytes;
  private volatile long forces;

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
