package dev.pinion.core.invoker;

import dev.pinion.core.invoker.InvokerCounters.Counter;
import dev.pinion.core.model.CallOutcome;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import org.jspecify.annotations.Nullable;

/**
 * Connections to one service. The connection used last is used next, so that a pool shrinks to its
 * need; calls wait in the order they came.
 *
 * <p>A connection is opened for each waiting call as far as the limits allow, but belongs to none
 * of them: the connection that is ready first serves the call that has waited longest. A connection
 * that cannot be established fails the call that has waited longest.
 */
final class ServicePool {
  private final Origin origin;
  private final String hostField;
  private final Network network;
  private final ArrayDeque<Connection> idle = new ArrayDeque<>();
  private final LinkedHashSet<Exchange> waiting = new LinkedHashSet<>();

  /** Number of connections in every state. */
  private int open;

  /**
   * Number of connections being established for any waiting call; those for a retry do not count.
   */
  private int unclaimed;

  private boolean growing;

  /** Whether a call is about to get a connection, or to wait for one. */
  private boolean lending;

  ServicePool(Origin origin, Network network) {
    this.origin = origin;
    this.hostField = origin.hostField();
    this.network = network;
  }

  Origin origin() {
    return origin;
  }

  String hostField() {
    return hostField;
  }

  boolean hasConnections() {
    return open > 0;
  }

  /** Assigns a connection to a call, now or later. */
  void submit(Exchange exchange) {
    Connection connection = pollUsable();
    if (connection != null) {
      connection.send(exchange);
      return;
    }
    waiting.addLast(exchange);
    network.counters.increment(Counter.WAITING);
    grow();
  }

  /** The most recently used connection that is still usable; the others are closed. */
  private @Nullable Connection pollUsable() {
    lending = true;
    try {
      Connection connection = idle.pollLast();
      while (connection != null && !connection.isUsable()) {
        connection.close();
        connection = idle.pollLast();
      }
      return connection;
    } finally {
      lending = false;
    }
  }

  /** Removes a waiting call that was cancelled. */
  void forget(Exchange exchange) {
    if (waiting.remove(exchange)) {
      network.counters.decrement(Counter.WAITING);
      dropIfUnused();
    }
  }

  /** Opens a connection for the first call to come, unless there is one or none may be opened. */
  void openAhead() {
    if (open == 0 && network.budget.take(this)) {
      open++;
      unclaimed++;
      new Connection(this, network, null).connect();
    } else {
      dropIfUnused();
    }
  }

  /** Opens connections for waiting calls, as far as the limits allow. */
  void grow() {
    if (growing) {
      return; // a connection failed at once; the loop below continues
    }
    growing = true;
    try {
      while (unclaimed < waiting.size()
          && open < network.limits.maxConnectionsPerService()
          && network.budget.take(this)) {
        open++;
        unclaimed++;
        new Connection(this, network, null).connect();
      }
    } finally {
      growing = false;
    }
    dropIfUnused();
  }

  /** Handles an established connection. */
  void onReady(Connection connection) {
    unclaimed--;
    Exchange next = pollWaiting();
    if (next == null) {
      onFree(connection);
    } else {
      connection.send(next);
    }
  }

  /** Handles a connection that is free again. */
  void onFree(Connection connection) {
    if (network.budget.hasStarved() || connection.isTooOld()) {
      connection.close();
      return;
    }
    Exchange next = pollWaiting();
    if (next == null) {
      idle.addLast(connection);
      network.idle.add(connection, connection.keptSeconds());
    } else {
      connection.send(next);
    }
  }

  /**
   * Handles a connection that could not be established.
   *
   * @param claimant the call it was intended for, or null for any waiting call
   */
  void onConnectFailed(@Nullable Exchange claimant, CallOutcome failure) {
    Exchange failed = claimant;
    if (claimant == null) {
      unclaimed--;
      failed = pollWaiting();
    }
    open--;
    if (failed != null) {
      failed.end(failure);
    }
    network.budget.giveBack();
    grow();
  }

  /**
   * Offers a connection in progress to any waiting call: the call that it was intended for has
   * ended.
   */
  void onUnclaimed() {
    unclaimed++;
  }

  /** Handles a closed connection. */
  void onClosed(Connection connection) {
    idle.removeFirstOccurrence(connection);
    open--;
    network.budget.giveBack();
    grow();
  }

  /** Retries the request of a closed connection on a fresh one in its place. */
  void replace(Exchange retry) {
    network.counters.increment(Counter.RETRIED);
    network.resent.tell(retry.call(), network.nowNanos());
    new Connection(this, network, retry).connect();
  }

  private @Nullable Exchange pollWaiting() {
    if (waiting.isEmpty()) {
      return null;
    }
    network.counters.decrement(Counter.WAITING);
    return waiting.removeFirst();
  }

  private void dropIfUnused() {
    if (waiting.isEmpty() && !lending) {
      network.budget.forget(this);
      if (open == 0) {
        network.drop(this);
      }
    }
  }
}
