package dev.pinion.core.request;

import org.jspecify.annotations.Nullable;

/**
 * Connections of one handler with nothing under way. When the replica is crowded they are closed,
 * so that new clients get in: first those that have never sent a request, then those that have sent
 * none for longest. Event loop only.
 */
final class SpareConnections {
  /** Connections closed in one turn, so that requests do not wait for it. */
  private static final int CLOSED_PER_TURN = 16;

  private final ClientConnections clients;
  private final ConnectionQueue silent = new ConnectionQueue();
  private final ConnectionQueue idle = new ConnectionQueue();
  private boolean hasMore;
  private long closed;

  SpareConnections(ClientConnections clients) {
    this.clients = clients;
  }

  /**
   * Nothing is under way on a connection.
   *
   * @param heard whether it has ever sent a request
   */
  void idle(Connection connection, boolean heard) {
    (heard ? idle : silent).add(connection);
  }

  /** A request begins; one that has never sent any stays what it is until a whole head is here. */
  void busy(Connection connection) {
    if (connection.place().isIn(idle)) {
      connection.place().leave();
    }
  }

  /** A whole head is here. */
  void heard(Connection connection) {
    if (connection.place().isIn(silent)) {
      connection.place().leave();
    }
  }

  /** Closes some while the replica is crowded; returns how many. */
  int makeRoom(long nowNanos) {
    int now = 0;
    while (now < CLOSED_PER_TURN && clients.areCrowded()) {
      Connection next = next(nowNanos);
      if (next == null) {
        break;
      }
      next.closeNow();
      now++;
    }
    closed += now;
    hasMore = now == CLOSED_PER_TURN;
    return now;
  }

  private @Nullable Connection next(long nowNanos) {
    Connection first = silent.first();
    if (first == null || !first.isSpare(nowNanos)) {
      first = idle.first();
    }
    return first != null && first.isSpare(nowNanos) ? first : null;
  }

  /** Whether the latest turn closed as many as it may. */
  boolean hasMore() {
    return hasMore;
  }

  /** Connections closed so far to make room. */
  long closed() {
    return closed;
  }
}
