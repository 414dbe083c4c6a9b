package dev.pinion.core.journal;

import java.util.ArrayList;
import java.util.List;

/**
 * A journal in memory, for tests and simulation: records are durable at once, unless a test defers
 * that. Single-threaded.
 *
 * <p>Bounded: a record beyond the capacity is an error, because a journal must not drop records.
 */
public final class InMemoryJournal implements Journal {
  private final int capacity;
  private final List<JournalRecord> records = new ArrayList<>();
  private boolean forcesAtOnce = true;
  private boolean fenced;
  private long durable;

  /** An empty journal for so many records. */
  public InMemoryJournal(int capacity) {
    this.capacity = capacity;
  }

  @Override
  public long append(JournalRecord record) {
    if (records.size() == capacity) {
      throw new IllegalStateException(
          "expected at most " + capacity + " journal records, found one more");
    }
    records.add(record);
    if (forcesAtOnce) {
      force();
    }
    return records.size();
  }

  @Override
  public long appended() {
    return records.size();
  }

  @Override
  public long durable() {
    return durable;
  }

  /** The appended records, or none that can become durable after another writer took over. */
  @Override
  public long readBarrier() {
    return fenced ? Long.MAX_VALUE : records.size();
  }

  /**
   * Has another writer take over, of which this one does not learn: records until now may still
   * become durable, and be reported late.
   */
  public void fence() {
    forcesAtOnce = false;
    fenced = true;
  }

  /** Makes later records durable only after {@link #force}. */
  public void waitForForce() {
    forcesAtOnce = false;
  }

  /** Makes later records durable when they are appended. */
  public void forceAtOnce() {
    forcesAtOnce = true;
    force();
  }

  /** Makes the appended records durable. */
  public void force() {
    durable = records.size();
  }

  /** Appended records, in order. */
  public List<JournalRecord> records() {
    return List.copyOf(records);
  }
}
