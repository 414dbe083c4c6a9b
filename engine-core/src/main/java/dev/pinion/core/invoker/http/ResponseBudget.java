package dev.pinion.core.invoker.http;

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
final class ResponseBudget {
  /** Interval of heap checks while responses wait: other threads free the room. */
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final long maxBytes;
  private final BooleanSupplier heapHasRoom;

  /** Connections that have received a part of a body, in the order of their first parts. */
  private final SequencedSet<PooledConnection> reading = new LinkedHashSet<>();

  /** Connections whose reading is paused. */
  private final SequencedSet<PooledConnection> paused = new LinkedHashSet<>();

  /** Connections with a complete response that waits. */
  private final SequencedSet<PooledConnection> waiting = new LinkedHashSet<>();

  private long bytes;

  /**
   * A room without responses.
   *
   * @param maxBytes bytes of bodies beyond which only one connection is read
   * @param heapHasRoom whether the heap has room for another value
   */
  ResponseBudget(long maxBytes, BooleanSupplier heapHasRoom) {
    this.maxBytes = maxBytes;
    this.heapHasRoom = heapHasRoom;
  }

  /** Whether a complete response is forwarded at once. */
  boolean hasRoom() {
    return waiting.isEmpty() && heapHasRoom.getAsBoolean();
  }

  /** Counts more bytes of an incomplete body. */
  void onBytes(PooledConnection pooledConnection, int more) {
    pooledConnection.roomBytes += more;
    bytes += more;
    reading.add(pooledConnection);
    if (!mayReadOn(pooledConnection) && paused.add(pooledConnection)) {
      pooledConnection.read(false);
    }
  }

  /** Holds a complete response, which is forwarded later. */
  void enqueue(PooledConnection pooledConnection, int more) {
    pooledConnection.roomBytes += more;
    bytes += more;
    reading.remove(pooledConnection);
    if (!paused.remove(pooledConnection)) {
      pooledConnection.read(false);
    }
    waiting.add(pooledConnection);
    readOn();
  }

  /** Removes a connection with its bytes. */
  void release(PooledConnection pooledConnection) {
    if (pooledConnection.roomBytes == 0) {
      return;
    }
    bytes -= pooledConnection.roomBytes;
    pooledConnection.roomBytes = 0;
    waiting.remove(pooledConnection);
    reading.remove(pooledConnection);
    if (paused.remove(pooledConnection)) {
      pooledConnection.read(true);
    }
    readOn();
  }

  /** Whether a call waits for room, and not for its service. */
  boolean isBlocking(PooledConnection pooledConnection) {
    return paused.contains(pooledConnection) || waiting.contains(pooledConnection);
  }

  /** Forwards waiting responses, as long as there is room; returns how many. */
  int doWork() {
    int work = 0;
    while (hasWork()) {
      PooledConnection next = waiting.getFirst();
      release(next);
      next.deliver();
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

  private boolean mayReadOn(PooledConnection pooledConnection) {
    return bytes < maxBytes || (waiting.isEmpty() && reading.getFirst().equals(pooledConnection));
  }

  private void readOn() {
    for (Iterator<PooledConnection> each = paused.iterator(); each.hasNext(); ) {
      PooledConnection next = each.next();
      if (mayReadOn(next)) {
        each.remove();
        next.read(true);
      }
    }
  }
}
