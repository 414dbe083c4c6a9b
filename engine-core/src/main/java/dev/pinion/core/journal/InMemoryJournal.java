package dev.pinion.core.journal;

import dev.pinion.core.message.KernelEvent;
import dev.pinion.core.model.InstanceId;
import java.util.ArrayList;
import java.util.List;

/**
 * A journal in memory, for tests and simulation. Single-threaded.
 *
 * <p>Bounded: a record beyond the capacity is an error, because a journal that forgets is none.
 */
public final class InMemoryJournal implements Journal {
  private final int capacity;
  private final List<Entry> entries = new ArrayList<>();

  /**
   * A recorded event.
   *
   * @param id the instance concerned
   * @param epochMillis wall-clock time at which it was applied
   * @param advances how far the instance had come; see {@link Journal#append}
   * @param event the event
   */
  public record Entry(InstanceId id, long epochMillis, long advances, KernelEvent event) {}

  /** An empty journal for so many records. */
  public InMemoryJournal(int capacity) {
    this.capacity = capacity;
  }

  @Override
  public void append(InstanceId id, long epochMillis, long advances, KernelEvent event) {
    if (entries.size() == capacity) {
      throw new IllegalStateException(
          "expected at most " + capacity + " journal records, found one more");
    }
    entries.add(new Entry(id, epochMillis, advances, event));
  }

  /** What was recorded, in order. */
  public List<Entry> entries() {
    return List.copyOf(entries);
  }
}
