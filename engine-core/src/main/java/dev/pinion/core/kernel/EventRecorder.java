package dev.pinion.core.kernel;

import dev.pinion.core.journal.Journal;
import dev.pinion.core.journal.JournalRecord;
import dev.pinion.core.kernel.step.Instance;
import dev.pinion.core.message.Event;

/** Records the events of journalled instances; the others leave no record. Kernel thread only. */
final class EventRecorder {
  private final Journal journal;
  private final CycleTime time;
  private long records;

  EventRecorder(Journal journal, CycleTime time) {
    this.journal = journal;
    this.time = time;
  }

  /** The time that records carry. */
  CycleTime time() {
    return time;
  }

  /** Records so far, of all instances. */
  long records() {
    return records;
  }

  /** Records an event that takes place now. */
  void record(Instance instance, Event event) {
    append(instance, event, time.nowNanos(), time.epochMillis());
  }

  /** Records with the time of the last event: calls that a replay makes again are bound too. */
  void recordBinding(Instance instance, Event.ServiceBound serviceBound) {
    append(instance, serviceBound, instance.eventNanos(), instance.nowEpochMillis());
  }

  /** Records that an instance found no room for what it holds, at a numbered check. */
  void recordNoRoom(Instance instance, int check) {
    record(instance, new Event.MemoryExceeded(instance.id(), check));
  }

  private void append(Instance instance, Event event, long nowNanos, long epochMillis) {
    if (instance.durability().isJournalled()) {
      records++;
      instance.recorded(
          journal.append(
              new JournalRecord(
                  instance.id(),
                  instance.events(),
                  nowNanos,
                  epochMillis,
                  instance.advances(),
                  event)));
    }
  }
}
