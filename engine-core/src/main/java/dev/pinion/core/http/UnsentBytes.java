package dev.pinion.core.http;

import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/**
 * Bytes of the connections of one handler that wait for clients that read slowly. Beyond {@code
 * request.maxUnsentBytes} of all handlers of the replica together, a handler that has more than its
 * even share closes the connection of the client that has read nothing for longest. A single client
 * of a handler may exceed the bound, or a large answer could never be sent. Event loop only.
 */
final class UnsentBytes {
  private final int most;
  private final ClientConnections clients;
  private final ConnectionQueue<ClientConnection> slow = new ConnectionQueue<>();
  private long held;
  private final LongAdder closed = new LongAdder();

  /**
   * Counters without bytes.
   *
   * @param most most bytes of all handlers together
   * @param clients the connections of all handlers
   */
  UnsentBytes(int most, ClientConnections clients) {
    this.most = most;
    this.clients = clients;
    clients.servedByOneMore();
  }

  /**
   * Records the bytes that a connection has to send.
   *
   * @param before its bytes at the previous call
   */
  void changed(ClientConnection connection, long before, long now) {
    held += now - before;
    clients.unsent(now - before);
    if (now == 0) {
      if (connection.queueLink().isIn(slow)) {
        connection.queueLink().leave();
      }
    } else if (now == before) {
      slow.add(connection.queueLink());
    } else {
      slow.addAgain(connection.queueLink());
    }
  }

  /** Closes connections until the bound holds for the others. */
  void keepBound() {
    while (isBeyond() && slow.size() > 1) {
      closed.increment();
      Objects.requireNonNull(slow.first()).closeNow();
    }
  }

  private boolean isBeyond() {
    return clients.unsentBytes() > most && held > most / clients.handlers();
  }

  /** Bytes that wait for clients. */
  long held() {
    return held;
  }

  /** Connections closed so far because their clients read too slowly. Any thread. */
  long closed() {
    return closed.sum();
  }
}
