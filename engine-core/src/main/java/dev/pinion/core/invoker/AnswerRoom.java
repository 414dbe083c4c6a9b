package dev.pinion.core.invoker;

import dev.pinion.core.stage.Stage;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.SequencedSet;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Bounds what answers of services take of the memory of one Invoker, before the kernels have them.
 * A tree may take thirty times its text, so many answers that come at once would fill the heap.
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
  /** How often the heap is looked at while answers wait: other threads make the room. */
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final long maxBytes;
  private final BooleanSupplier heapHasRoom;

  /** Connections with a part of a body, in the order of their first parts. */
  private final SequencedSet<Connection> reading = new LinkedHashSet<>();

  /** Those that are read no further. */
  private final SequencedSet<Connection> paused = new LinkedHashSet<>();

  /** Those whose answer is complete and waits. */
  private final SequencedSet<Connection> waiting = new LinkedHashSet<>();

  private long bytes;

  /**
   * Nothing on its way.
   *
   * @param maxBytes bytes of bodies beyond which only one connection is read on
   * @param heapHasRoom whether a further value may be made of bytes
   */
  AnswerRoom(long maxBytes, BooleanSupplier heapHasRoom) {
    this.maxBytes = maxBytes;
    this.heapHasRoom = heapHasRoom;
  }

  /** Whether an answer that is complete goes on at once. */
  boolean isOpen() {
    return waiting.isEmpty() && heapHasRoom.getAsBoolean();
  }

  /** A body has grown by so many bytes, and is not complete. */
  void grew(Connection connection, int more) {
    connection.roomBytes += more;
    bytes += more;
    reading.add(connection);
    if (!mayReadOn(connection) && paused.add(connection)) {
      connection.read(false);
    }
  }

  /** An answer is complete and has to wait; it is handed on later. */
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

  /** Nothing is held of a connection any more. */
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

  /** Whether it is the room that a call waits for, and not its service. */
  boolean holdsUp(Connection connection) {
    return paused.contains(connection) || waiting.contains(connection);
  }

  /** Hands on what waits, as long as there is room; returns how much. */
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
