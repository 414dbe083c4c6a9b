package dev.pinion.core.events;

import dev.pinion.core.spi.EventSubscriber.LoggedEvent;
import java.io.IOException;
import java.util.BitSet;
import java.util.List;

/**
 * The log of events of all replicas: one order, by positions from 1. Used by one thread at a time.
 */
public interface EventLog {
  /** Position of the last event; 0 for none. */
  long end() throws IOException;

  /**
   * Events behind a position, in order.
   *
   * @param most most events
   * @param mostBytes bytes of JSON behind which no more are read
   */
  List<LoggedEvent> read(long after, int most, long mostBytes) throws IOException;

  /** The cursor of each partition: the position up to which its instances have all events. */
  long[] cursors() throws IOException;

  /** A position behind which every event was received since a time. */
  long before(long epochMillis) throws IOException;

  /**
   * Stores how far partitions have come, and which events instances have consumed. Cursors only
   * rise. Events that everyone has come past may be deleted.
   *
   * @param consumed pairs of first and last position
   */
  void save(List<CursorUpdate> cursors, List<Long> consumed, long nowMillis) throws IOException;

  /** Which events were consumed, in any replica, since a mark. */
  ConsumedEvents consumed(long mark) throws IOException;

  /** A new cursor of some partitions. */
  record CursorUpdate(BitSet partitions, long position) {}

  /**
   * Consumed events.
   *
   * @param mark mark for the next question
   * @param pairs pairs of first and last position
   */
  record ConsumedEvents(long mark, List<Long> pairs) {
    /** Copies the list. */
    public ConsumedEvents {
      pairs = List.copyOf(pairs);
    }
  }
}
