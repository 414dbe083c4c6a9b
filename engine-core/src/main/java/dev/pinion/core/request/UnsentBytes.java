package dev.pinion.core.request;

import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/**
 * What waits for clients that read slowly, of all connections of one handler together. Beyond
 * {@code request.maxUnsentBytes} the client that has taken nothing for longest is hung up on; a
 * single one may exceed it, or a large answer could never be had. Event loop only.
 */
final class UnsentBytes {
  private final int most;
  private final ConnectionQueue slow = new ConnectionQueue();
  private long held;
  private final LongAdder closed = new LongAdder();

  UnsentBytes(int most) {
    this.most = most;
  }

  /**
   * A connection has so many bytes to send now.
   *
   * @param before what it had when it last said so
   */
  void changed(Connection connection, long before, long now) {
    held += now - before;
    if (now == 0) {
      if (connection.place().isIn(slow)) {
        connection.place().leave();
      }
    } else if (now == before) {
      slow.add(connection);
    } else {
      slow.addAgain(connection);
    }
  }

  /** Closes connections until the others keep to the bound. */
  void keepBound() {
    while (held > most && slow.size() > 1) {
      closed.increment();
      Objects.requireNonNull(slow.first()).closeNow();
    }
  }

  /** Bytes that wait. */
  long held() {
    return held;
  }

  /** Connections closed so far because their clients read too slowly. Any thread. */
  long closed() {
    return closed.sum();
  }
}
