package dev.pinion.core.request;

import dev.pinion.core.stage.Stage;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Connections of one handler with nothing under way. When the replica is crowded they are closed,
 * so that new clients get in: first those that have never sent a request, then those that have sent
 * none for longest. Who has sent requests is not closed for a flood of connections that send none:
 * these make room for each other. Event loop only.
 */
final class SpareConnections {
  /** Connections closed at a time, so that requests do not wait for it. */
  private static final int CLOSED_AT_A_TIME = 2;

  /**
   * Time from one time to the next: each handler lets 2,000 new clients a second in, so that a
   * flood of connections has a part of its loop's time only.
   */
  private static final long INTERVAL_NANOS = 1_000_000;

  /** Time after which a connection with nothing under way may be closed to make room. */
  static final long LEAST_IDLE_MILLIS = 250;

  /**
   * The same for a connection from which nothing has come, while clients wait to be accepted: it
   * waited itself, and its request would have come meanwhile.
   */
  static final long LEAST_SILENT_MILLIS = 50;

  private static final long NANOS_PER_MILLI = 1_000_000;

  private final ClientConnections clients;
  private final ConnectionQueue silent = new ConnectionQueue();
  private final ConnectionQueue idle = new ConnectionQueue();
  private final Pace pace = new Pace(INTERVAL_NANOS);
  private long nextNanos = Stage.NO_DEADLINE;
  private final LongAdder closed = new LongAdder();

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

  /** The first whole head of a connection is here. */
  void heard(Connection connection) {
    clients.heard();
    if (connection.place().isIn(silent)) {
      connection.place().leave();
    }
  }

  /** A connection sends its last answer: it closes by itself, and nobody need wait for it. */
  void closing(Connection connection) {
    if (connection.place().isIn(silent) || connection.place().isIn(idle)) {
      connection.place().leave();
    }
  }

  /**
   * A connection has closed or goes to another replica.
   *
   * @param heard whether it has ever sent a request
   */
  void left(Connection connection, boolean heard) {
    connection.place().leave();
    if (heard) {
      clients.heardHasLeft();
    }
  }

  /** Closes some while the replica is crowded, at a pace; returns how many. */
  int makeRoom(long nowNanos) {
    int now = pace.earliestNanos(nowNanos) == nowNanos ? close(nowNanos) : 0;
    if (now > 0) {
      pace.advance(nowNanos);
    }
    Connection first = clients.areCrowded() ? first(nowNanos) : null;
    nextNanos = first == null ? Stage.NO_DEADLINE : whenSpare(first, nowNanos);
    return now;
  }

  private int close(long nowNanos) {
    int now = 0;
    while (now < CLOSED_AT_A_TIME && clients.areCrowded()) {
      Connection next = next(nowNanos);
      if (next == null) {
        break;
      }
      next.closeNow();
      now++;
    }
    closed.add(now);
    return now;
  }

  private long whenSpare(Connection connection, long nowNanos) {
    long spareNanos = nowNanos + NANOS_PER_MILLI * millisLeft(connection, nowNanos);
    return Math.max(spareNanos, pace.earliestNanos(nowNanos));
  }

  private @Nullable Connection next(long nowNanos) {
    Connection first = first(nowNanos);
    return first != null && millisLeft(first, nowNanos) == 0 ? first : null;
  }

  /** The one that is closed next, now or once its time has come. */
  private @Nullable Connection first(long nowNanos) {
    Connection first = silent.first();
    boolean ready = first != null && millisLeft(first, nowNanos) == 0;
    return !ready && clients.areCrowdedByHeard() ? idle.first() : first;
  }

  private long millisLeft(Connection connection, long nowNanos) {
    return connection.spareInMillis(
        nowNanos, clients.haveRoom() ? LEAST_IDLE_MILLIS : LEAST_SILENT_MILLIS);
  }

  /**
   * When the next one may be closed, as of the latest turn; {@link Stage#NO_DEADLINE} for never.
   */
  long nextNanos() {
    return nextNanos;
  }

  /** Connections closed so far to make room. Any thread. */
  long closed() {
    return closed.sum();
  }
}
