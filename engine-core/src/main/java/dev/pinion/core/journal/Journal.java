package dev.pinion.core.journal;

import org.jspecify.annotations.Nullable;

/**
 * Journal in which one kernel records the events of its instances before it applies them. Replaying
 * an instance's records in order rebuilds its state.
 *
 * <p>Records become durable in the order in which they were appended, so a count identifies them.
 * All methods are called by the kernel's thread and none blocks.
 */
public interface Journal {
  /** A journal that keeps nothing and never waits. */
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

        @Override
        public long readBarrier() {
          return 0;
        }
      };

  /**
   * Appends a record, which becomes durable later.
   *
   * @return number of records appended so far, including this one
   */
  long append(JournalRecord record);

  /** Number of appended records. */
  long appended();

  /** Number of durable records. Never decreases. */
  long durable();

  /**
   * Number of records that must be durable before a client may be told the present state as the
   * latest. That all records so far are durable does not show it where another writer may have
   * taken over meanwhile: such a journal appends a record that only the owner can make durable.
   */
  long readBarrier();

  /** Reason why no more journalled instances may start. */
  enum Rejection {
    /** The writer is behind. */
    BEHIND,
    /** A reader that follows the journal is too far behind. */
    UNREAD,
    /** The disk has no room beyond the reserve for running instances. */
    DISK_FULL
  }

  /** Reason why no more instances may start now, or null when they may. */
  default @Nullable Rejection refusal() {
    return null;
  }

  /** Passes on records that found no room so far; returns how many. */
  default int flush() {
    return 0;
  }
}
