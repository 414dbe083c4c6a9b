package dev.pinion.core.http;

import dev.pinion.core.stage.Pace;
import dev.pinion.core.stage.Stage;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Connections of one handler with nothing under way. When the replica is crowded they are closed to
 * make room for new clients: first those that have never sent a request, then those idle for
 * longest. A flood of connections that send nothing does not close those that have sent requests:
 * its connections make room for each other. Event loop only.
 */
public final class IdleClientConnections {
  /** Connections closed in one turn, so that requests do not wait for it. */
  private static final int CLOSED_AT_A_TIME = 2;

  /**
   * Interval between such turns: each handler admits 2,000 new clients a second, so that a flood of
   * connections takes only a part of its loop's time.
   */
  private static final long INTERVAL_NANOS = 1_000_000;

  /** Time after which a connection with nothing under way may be closed to make room. */
  public static final long LEAST_IDLE_MILLIS = 250;

  /**
   * The same for a connection that has sent nothing, while clients wait to be accepted: it waited
   * itself, and its request would have arrived meanwhile.
   */
  public static final long LEAST_SILENT_MILLIS = 50;

  private static final long NANOS_PER_MILLI = 1_000_000;

  private final ClientConnections clients;
  private final ConnectionQueue<ClientConnection> silent = new ConnectionQueue<>();
  private final ConnectionQueue<ClientConnection> idle = new ConnectionQueue<>();
  private final Pace pace = new Pace(INTERVAL_NANOS);
  private long nextNanos = Stage.NO_DEADLINE;
  private final LongAdder closed = new LongAdder();

  public IdleClientConnections(ClientConnections clients) {
    this.clients = clients;
  }

  /**
   * Records that nothing is under way on a connection.
   *
   * @param heard whether it has ever sent a request
   */
  void idle(ClientConnection connection, boolean heard) {
    (heard ? idle : silent).add(connection.queueLink());
  }

  /**
   * Records that a request begins; a silent connection stays silent until a whole head has arrived.
   */
  void busy(ClientConnection connection) {
    if (connection.queueLink().isIn(idle)) {
      connection.queueLink().leave();
    }
  }

  /** Records the first whole head of a connection. */
  void onFirstRequest(ClientConnection connection) {
    clients.onFirstRequest();
    if (connection.queueLink().isIn(silent)) {
      connection.queueLink().leave();
    }
  }

  /** Records that a connection sends its last answer: it closes without being evicted. */
  void closing(ClientConnection connection) {
    if (connection.queueLink().isIn(silent) || connection.queueLink().isIn(idle)) {
      connection.queueLink().leave();
    }
  }

  /**
   * Records that a connection has closed or goes to another replica.
   *
   * @param heard whether it has ever sent a request
   */
  void onClosed(ClientConnection connection, boolean heard) {
    connection.queueLink().leave();
    if (heard) {
      clients.onActiveClosed();
    }
  }

  /** Closes some connections while the replica is crowded, at a pace; returns how many. */
  public int makeRoom(long nowNanos) {
    int now = pace.earliestNanos(nowNanos) == nowNanos ? close(nowNanos) : 0;
    if (now > 0) {
      pace.advance(nowNanos);
    }
    ClientConnection first = clients.areCrowded() ? first(nowNanos) : null;
    nextNanos = first == null ? Stage.NO_DEADLINE : whenSpare(first, nowNanos);
    return now;
  }

  private int close(long nowNanos) {
    int now = 0;
    while (now < CLOSED_AT_A_TIME && clients.areCrowded()) {
      ClientConnection next = next(nowNanos);
      if (next == null) {
        break;
      }
      next.closeNow();
      now++;
    }
    closed.add(now);
    return now;
  }

  private long whenSpare(ClientConnection connection, long nowNanos) {
    long spareNanos = nowNanos + NANOS_PER_MILLI * millisLeft(connection, nowNanos);
    return Math.max(spareNanos, pace.earliestNanos(nowNanos));
  }

  private @Nullable ClientConnection next(long nowNanos) {
    ClientConnection first = first(nowNanos);
    return first != null && millisLeft(first, nowNanos) == 0 ? first : null;
  }

  /** The connection to close next, now or at its time. */
  private @Nullable ClientConnection first(long nowNanos) {
    ClientConnection first = silent.first();
    boolean ready = first != null && millisLeft(first, nowNanos) == 0;
    return !ready && clients.areActiveCrowded() ? idle.first() : first;
  }

  private long millisLeft(ClientConnection connection, long nowNanos) {
    return connection.evictableInMillis(
        nowNanos, clients.haveRoom() ? LEAST_IDLE_MILLIS : LEAST_SILENT_MILLIS);
  }

  /**
   * Time at which the next one may be closed, as of the latest turn; {@link Stage#NO_DEADLINE} for
   * never.
   */
  public long nextNanos() {
    return nextNanos;
  }

  /** Connections closed so far to make room. Any thread. */
  public long closed() {
    return closed.sum();
  }
}
