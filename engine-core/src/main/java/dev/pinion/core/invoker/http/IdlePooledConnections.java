package dev.pinion.core.invoker.http;

import dev.pinion.core.invoker.TimeoutQueue;
import dev.pinion.core.stage.Stage;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Connections without a call. Each is closed after {@code invoker.idleTimeoutMillis}, or sooner
 * when its service has announced how long it keeps it (field Keep-Alive): up to a second before
 * that, so that no request meets a connection that is being closed.
 *
 * @param <N> a connection
 */
final class IdlePooledConnections<N extends TimeoutQueue.TimeoutNode<N>> {
  private final int timeoutMillis;

  /** One queue for each distinct idle time. */
  private final List<TimeoutQueue<N>> queues = new ArrayList<>(2);

  IdlePooledConnections(int timeoutMillis) {
    this.timeoutMillis = timeoutMillis;
  }

  /**
   * Adds a connection.
   *
   * @param keptSeconds seconds for which its service keeps it, {@link ResponseAggregator#UNTOLD}
   *     when not announced
   */
  void add(N pooledConnection, int keptSeconds) {
    long millis =
        keptSeconds == ResponseAggregator.UNTOLD
            ? timeoutMillis
            : Math.min(Math.max(keptSeconds * 500L, (keptSeconds - 1) * 1_000L), timeoutMillis);
    queue(TimeUnit.MILLISECONDS.toNanos(millis)).add(pooledConnection);
  }

  private TimeoutQueue<N> queue(long timeoutNanos) {
    for (int i = 0; i < queues.size(); i++) {
      if (queues.get(i).timeoutNanos() == timeoutNanos) {
        return queues.get(i);
      }
    }
    TimeoutQueue<N> queue = new TimeoutQueue<>(timeoutNanos);
    queues.add(queue);
    return queue;
  }

  /** Removes a connection, which is in no queue but these; no effect when it is not here. */
  static <N extends TimeoutQueue.TimeoutNode<N>> void remove(N pooledConnection) {
    TimeoutQueue<N> queue = pooledConnection.queue;
    if (queue != null) {
      queue.remove(pooledConnection);
    }
  }

  /** Time since a connection was added, as of the last duty cycle. */
  static <N extends TimeoutQueue.TimeoutNode<N>> long idleNanos(N pooledConnection, long nowNanos) {
    TimeoutQueue<N> queue = pooledConnection.queue;
    return queue == null ? 0 : queue.ageNanos(pooledConnection, nowNanos);
  }

  /** The next connection to close, or null. */
  @Nullable N oldest() {
    N oldest = null;
    for (int i = 0; i < queues.size(); i++) {
      N head = queues.get(i).oldest();
      if (head != null && (oldest == null || isSooner(head, oldest))) {
        oldest = head;
      }
    }
    return oldest;
  }

  private boolean isSooner(N one, N other) {
    return one.started && (!other.started || one.deadlineNanos - other.deadlineNanos < 0);
  }

  /** Removes and returns a connection whose time is up, or null. */
  @Nullable N pollExpired(long nowNanos) {
    for (int i = 0; i < queues.size(); i++) {
      N expired = queues.get(i).pollExpired(nowNanos);
      if (expired != null) {
        return expired;
      }
    }
    return null;
  }

  /** Removes and returns any connection, or null. */
  @Nullable N poll() {
    N first = oldest();
    if (first != null) {
      remove(first);
    }
    return first;
  }

  /** Starts the time of the connections added since the last call. */
  void start(long nowNanos) {
    for (int i = 0; i < queues.size(); i++) {
      queues.get(i).start(nowNanos);
    }
  }

  /** Whether a connection waits for the start of its time. */
  boolean hasUnstarted() {
    for (int i = 0; i < queues.size(); i++) {
      if (queues.get(i).hasUnstarted()) {
        return true;
      }
    }
    return false;
  }

  /** Time at which the next one is to be closed, or {@link Stage#NO_DEADLINE}. */
  long nextDeadlineNanos() {
    long next = Stage.NO_DEADLINE;
    for (int i = 0; i < queues.size(); i++) {
      next = Math.min(next, queues.get(i).nextDeadlineNanos());
    }
    return next;
  }
}
