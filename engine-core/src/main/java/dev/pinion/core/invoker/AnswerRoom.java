package dev.pinion.core.invoker;

import dev.pinion.core.stage.Stage;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.SequencedSet;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Bounds the memory of responses of services in one Invoker, before the kernels have them. A tree
 * may take thirty times its text, so many responses at once would fill the heap.
 *
 * <pre>
 *   body is read ──▶ complete ──▶ handed on, while the heap has room for its tree
 *        │               └── no room: waits, as bytes, in the order of coming
 *        └── more bytes than the bound: the connection is read no further, the oldest excepted
 * </pre>
 *
 * <p>Event loop only.
 */
final class AnswerRoom {
  /** Interval of heap checks while responses wait: other threads free the room. */
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final long maxBytes;
  private final BooleanSupplier heapHasRoom;

  /** Connections that have received a part of a body, in the order of their first parts. */
  private final SequencedSet<Connection> reading = new LinkedHashSet<>();

  /** Connections whose reading is paused. */
  private final SequencedSet<Connection> paused = new LinkedHashSet<>();

  /** Connections with a complete response that waits. */
  private final SequencedSet<Connection> waiting = new LinkedHashSet<>();

  private long bytes;

  /**
   * A room without responses.
   *
   * @param maxBytes bytes of bodies beyond which only one connection is read
   * @param heapHasRoom whether the heap has room for another value
   */
  AnswerRoom(long maxBytes, BooleanSupplier heapHasRoom) {
    this.maxBytes = maxBytes;
    this.heapHasRoom = heapHasRoom;
  }

  /** Whether a complete response is forwarded at once. */
  boolean isOpen() {
    return waiting.isEmpty() && heapHasRoom.getAsBoolean();
  }

  /** Counts more bytes of an incomplete body. */
  void grew(Connection connection, int more) {
    connection.roomBytes += more;
    bytes += more;
    reading.add(connection);
    if (!mayReadOn(connection) && paused.add(connection)) {
      connection.read(false);
    }
  }

  /** Holds a complete response, which is forwarded later. */
  void hold(Connection connection, int more) {
    connection.roomBytes += more;
    bytes += more;
    reading.remove(connection);
    if (!paused.remove(connection)) {
      connection.read(false);
    }
    waiting.add(connection);
    readOn();
  }

  /** Removes a connection with its bytes. */
  void leave(Connection connection) {
    if (connection.roomBytes == 0) {
      return;
    }
    bytes -= connection.roomBytes;
    connection.roomBytes = 0;
    waiting.remove(connection);
    reading.remove(connection);
    if (paused.remove(connection)) {
      connection.read(true);
    }
    readOn();
  }

  /** Whether a call waits for room, and not for its service. */
  boolean holdsUp(Connection connection) {
    return paused.contains(connection) || waiting.contains(connection);
  }

  /** Forwards waiting responses, as long as there is room; returns how many. */
  int doWork() {
    int work = 0;
    while (hasWork()) {
      Connection next = waiting.getFirst();
      leave(next);
      next.handOn();
      work++;
    }
    return work;
  }

  boolean hasWork() {
    return !waiting.isEmpty() && heapHasRoom.getAsBoolean();
  }

  long nextDeadlineNanos(long nowNanos) {
    return waiting.isEmpty() ? Stage.NO_DEADLINE : nowNanos + LOOK_NANOS;
  }

  private boolean mayReadOn(Connection connection) {
    return bytes < maxBytes || (waiting.isEmpty() && reading.getFirst().equals(connection));
  }

  private void readOn() {
    for (Iterator<Connection> each = paused.iterator(); each.hasNext(); ) {
      Connection next = each.next();
      if (mayReadOn(next)) {
        each.remove();
        next.read(true);
      }
    }
  }
}
