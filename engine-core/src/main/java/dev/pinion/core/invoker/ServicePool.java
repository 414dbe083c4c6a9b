package dev.pinion.core.invoker;

import dev.pinion.core.invoker.InvokerCounters.Counter;
import dev.pinion.core.model.CallOutcome;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import org.jspecify.annotations.Nullable;

/**
 * The connections to one service. The connection used last is used next, so that a pool shrinks to
 * what it needs; calls wait in the order they came.
 *
 * <p>A connection is opened for each waiting call as far as the limits allow, yet belongs to
 * nobody: whichever connection is ready first serves the call that has waited longest. A connection
 * that cannot be established fails the call that has waited longest.
 */
final class ServicePool {
  private final Origin origin;
  private final String hostField;
  private final Network network;
  private final ArrayDeque<Connection> idle = new ArrayDeque<>();
  private final LinkedHashSet<Exchange> waiting = new LinkedHashSet<>();

  /** Connections of every state. */
  private int open;

  /** Connections being established for whoever waits; those for a retry do not count. */
  private int unclaimed;

  private boolean growing;

  /** Whether a call is about to have a connection, or to wait for one. */
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

  /** Puts a call on a connection, now or later. */
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

  /** The connection used last of those that can be used still; the others are closed. */
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

  /** A waiting call was cancelled. */
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

  /** Opens connections as far as calls wait and the limits allow. */
  void grow() {
    if (growing) {
      return; // a connection failed at once; the loop below goes on
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

  /** A connection is established. */
  void onReady(Connection connection) {
    unclaimed--;
    Exchange next = pollWaiting();
    if (next == null) {
      onFree(connection);
    } else {
      connection.send(next);
    }
  }

  /** A connection has done its work and can do more. */
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
   * A connection could not be established.
   *
   * @param claimant the call it was meant for, or null for whoever waits
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

  /** The call that a connection was being established for is gone: whoever waits may have it. */
  void onUnclaimed() {
    unclaimed++;
  }

  /** A connection has closed. */
  void onClosed(Connection connection) {
    idle.removeFirstOccurrence(connection);
    open--;
    network.budget.giveBack();
    grow();
  }

  /**
   * A connection has closed under a request that may be sent again: on a fresh one in its place.
   */
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
