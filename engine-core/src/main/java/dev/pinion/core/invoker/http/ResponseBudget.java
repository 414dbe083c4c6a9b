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
  private final SequencedSet<Share> reading = new LinkedHashSet<>();

  /** Connections whose reading is paused. */
  private final SequencedSet<Share> paused = new LinkedHashSet<>();

  /** Connections with a complete response that waits. */
  private final SequencedSet<Share> waiting = new LinkedHashSet<>();

  private long bytes;

  /** A connection whose responses are counted. */
  interface Receiver {
    /** Resumes or pauses reading. */
    void read(boolean on);

    /** Forwards the waiting response. */
    void deliver();
  }

  /** The bytes of one connection's response. */
  static final class Share {
    private final Receiver connection;
    private int bytes;

    Share(Receiver connection) {
      this.connection = connection;
    }

    /** Whether any bytes are counted. */
    boolean isUsed() {
      return bytes > 0;
    }
  }

  /**
   * A budget without responses.
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
  void onBytes(Share share, int more) {
    share.bytes += more;
    bytes += more;
    reading.add(share);
    if (!mayReadOn(share) && paused.add(share)) {
      share.connection.read(false);
    }
  }

  /** Holds a complete response, which is forwarded later. */
  void enqueue(Share share, int more) {
    share.bytes += more;
    bytes += more;
    reading.remove(share);
    if (!paused.remove(share)) {
      share.connection.read(false);
    }
    waiting.add(share);
    readOn();
  }

  /** Removes a connection with its bytes. */
  void release(Share share) {
    if (share.bytes == 0) {
      return;
    }
    bytes -= share.bytes;
    share.bytes = 0;
    waiting.remove(share);
    reading.remove(share);
    if (paused.remove(share)) {
      share.connection.read(true);
    }
    readOn();
  }

  /** Whether a call waits for room, and not for its service. */
  boolean isBlocking(Share share) {
    return paused.contains(share) || waiting.contains(share);
  }

  /** Forwards waiting responses, as long as there is room; returns how many. */
  int doWork() {
    int work = 0;
    while (hasWork()) {
      Share next = waiting.getFirst();
      release(next);
      next.connection.deliver();
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

  private boolean mayReadOn(Share share) {
    return bytes < maxBytes || (waiting.isEmpty() && reading.getFirst().equals(share));
  }

  private void readOn() {
    for (Iterator<Share> each = paused.iterator(); each.hasNext(); ) {
      Share next = each.next();
      if (mayReadOn(next)) {
        each.remove();
        next.connection.read(true);
      }
    }
  }
}
