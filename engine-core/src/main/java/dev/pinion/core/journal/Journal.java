package dev.pinion.core.journal;

import org.jspecify.annotations.Nullable;

/**
 * Where one kernel records the events of its instances before it applies them. Replaying an
 * instance's records in order rebuilds its state.
 *
 * <p>Records are durable in the order in which they were appended, so a count tells which. All
 * methods are called by the kernel's thread and none blocks.
 */
public interface Journal {
  /** Keeps nothing, and has nothing to wait for. */
  Journal NONE =
      new Journal() {
        @Override
        public long append(JournalRecord record) {
          return 0;
        }

        @Override
        public long appended() {
          return 0;
        }

        @Override
        public long durable() {
          return Long.MAX_VALUE;
        }
      };

  /**
   * Takes a record on its way to the disk.
   *
   * @return how many records were appended so far, this one included
   */
  long append(JournalRecord record);

  /** How many records were appended so far. */
  long appended();

  /** How many records are durable. Never decreases. */
  long durable();

  /** Why no more instances may be started that are journalled. */
  enum Refusal {
    /** The writer is behind. */
    BEHIND,
    /** Who follows the journal has too much to read yet. */
    UNREAD,
    /** There is no room on the disk beyond what is kept for instances under way. */
    DISK_FULL
  }

  /** Why no more instances may be started now, or null when they may. */
  default @Nullable Refusal refusal() {
    return null;
  }

  /** Passes on what found no room so far; returns how many records were passed on. */
  default int flush() {
    return 0;
  }
}
