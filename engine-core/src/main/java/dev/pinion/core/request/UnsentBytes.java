package dev.pinion.core.request;

import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/**
 * What waits for clients that read slowly, of the connections of one handler. Beyond {@code
 * request.maxUnsentBytes} of all handlers of the replica together, a handler that has more than its
 * even share of them hangs up on the client that has taken nothing for longest. A single client of
 * a handler may exceed the bound, or a large answer could never be had. Event loop only.
 */
final class UnsentBytes {
  private final int most;
  private final ClientConnections clients;
  private final ConnectionQueue slow = new ConnectionQueue();
  private long held;
  private final LongAdder closed = new LongAdder();

  /**
   * Nothing yet.
   *
   * @param most bytes of all handlers together
   * @param clients the connections of all handlers
   */
  UnsentBytes(int most, ClientConnections clients) {
    this.most = most;
    this.clients = clients;
    clients.servedByOneMore();
  }

  /**
   * A connection has so many bytes to send now.
   *
   * @param before what it had when it last said so
   */
  void changed(Connection connection, long before, long now) {
    held += now - before;
    clients.unsent(now - before);
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
    while (isBeyond() && slow.size() > 1) {
      closed.increment();
      Objects.requireNonNull(slow.first()).closeNow();
    }
  }

  private boolean isBeyond() {
    return clients.unsentBytes() > most && held > most / clients.handlers();
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
