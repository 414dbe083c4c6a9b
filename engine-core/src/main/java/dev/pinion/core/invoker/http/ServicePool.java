package dev.pinion.core.invoker.http;

import dev.pinion.core.invoker.InvokerCounters.Counter;
import dev.pinion.core.model.call.CallOutcome;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Connections to one service. The connection used last is used next, so that a pool shrinks to its
 * need; calls wait in the order they came.
 *
 * <p>A connection is opened for each waiting call as far as the limits allow, but belongs to none
 * of them: the connection that is ready first serves the call that has waited longest. A connection
 * that cannot be established fails the call that has waited longest.
 */
final class ServicePool
    implements CallExchange.CallPlace,
        ConnectionBudget.Claimant,
        ConnectionOwner<PooledConnection> {
  private final Origin origin;
  private final String hostField;
  private final ConnectionContext connectionContext;
  private final ConnectionQueues queues;
  private final Consumer<ServicePool> onUnused;
  private final ArrayDeque<PooledConnection> idle = new ArrayDeque<>();
  private final LinkedHashSet<CallExchange> waiting = new LinkedHashSet<>();

  /** Number of connections in every state. */
  private int open;

  /**
   * Number of connections being established for any waiting call; those for a retry do not count.
   */
  private int unclaimed;

  private boolean growing;

  /** Whether a call is about to get a connection, or to wait for one. */
  private boolean lending;

  /**
   * A pool without connections.
   *
   * @param onUnused told when it has neither connections nor calls any more
   */
  ServicePool(
      Origin origin,
      ConnectionContext connectionContext,
      ConnectionQueues queues,
      Consumer<ServicePool> onUnused) {
    this.origin = origin;
    this.queues = queues;
    this.onUnused = onUnused;
    this.hostField = origin.hostField();
    this.connectionContext = connectionContext;
  }

  @Override
  public Origin origin() {
    return origin;
  }

  @Override
  public String hostField() {
    return hostField;
  }

  @Override
  public boolean hasConnections() {
    return open > 0;
  }

  /** Assigns a connection to a call, now or later. */
  void submit(CallExchange callExchange) {
    PooledConnection pooledConnection = pollUsable();
    if (pooledConnection != null) {
      pooledConnection.send(callExchange);
      return;
    }
    waiting.addLast(callExchange);
    connectionContext.counters.increment(Counter.WAITING);
    grow();
  }

  /** The most recently used connection that is still usable; the others are closed. */
  private @Nullable PooledConnection pollUsable() {
    lending = true;
    try {
      PooledConnection pooledConnection = idle.pollLast();
      while (pooledConnection != null && !pooledConnection.isUsable()) {
        pooledConnection.close();
        pooledConnection = idle.pollLast();
      }
      return pooledConnection;
    } finally {
      lending = false;
    }
  }

  /** Removes a waiting call that was cancelled. */
  @Override
  public void abandon(CallExchange cancelled) {
    if (waiting.remove(cancelled)) {
      connectionContext.counters.decrement(Counter.WAITING);
      dropIfUnused();
    }
  }

  @Override
  public boolean wasHeldUp() {
    return false;
  }

  @Override
  public String awaits() {
    return "a connection to " + origin;
  }

  /** Opens a connection for the first call to come, unless there is one or none may be opened. */
  void openAhead() {
    if (open == 0 && connectionContext.budget.take(this)) {
      open++;
      unclaimed++;
      connect(null);
    } else {
      dropIfUnused();
    }
  }

  private void connect(@Nullable CallExchange claimant) {
    new PooledConnection(this, connectionContext, queues.connecting, queues.races, claimant)
        .connect();
  }

  /** Opens connections for waiting calls, as far as the limits allow. */
  @Override
  public void grow() {
    if (growing) {
      return; // a connection failed at once; the loop below continues
    }
    growing = true;
    try {
      while (unclaimed < waiting.size()
          && open < connectionContext.limits.maxConnectionsPerService()
          && connectionContext.budget.take(this)) {
        open++;
        unclaimed++;
        connect(null);
      }
    } finally {
      growing = false;
    }
    dropIfUnused();
  }

  @Override
  public void onReady(PooledConnection pooledConnection) {
    unclaimed--;
    CallExchange next = pollWaiting();
    if (next == null) {
      onFree(pooledConnection);
    } else {
      pooledConnection.send(next);
    }
  }

  @Override
  public void onFree(PooledConnection pooledConnection) {
    if (connectionContext.budget.hasStarved() || pooledConnection.isTooOld()) {
      pooledConnection.close();
      return;
    }
    CallExchange next = pollWaiting();
    if (next == null) {
      idle.addLast(pooledConnection);
      queues.idle.add(pooledConnection, pooledConnection.keptSeconds());
    } else {
      pooledConnection.send(next);
    }
  }

  @Override
  public void onConnectFailed(@Nullable CallExchange claimant, CallOutcome failure) {
    CallExchange failed = claimant;
    if (claimant == null) {
      unclaimed--;
      failed = pollWaiting();
    }
    open--;
    if (failed != null) {
      failed.end(failure);
    }
    connectionContext.budget.giveBack();
    grow();
  }

  @Override
  public void onUnclaimed() {
    unclaimed++;
  }

  @Override
  public void onClosed(PooledConnection pooledConnection) {
    idle.removeFirstOccurrence(pooledConnection);
    open--;
    connectionContext.budget.giveBack();
    grow();
  }

  @Override
  public void replace(CallExchange retry) {
    connectionContext.counters.increment(Counter.RETRIED);
    connectionContext.resent.log(retry.call(), connectionContext.nowNanos());
    connect(retry);
  }

  private @Nullable CallExchange pollWaiting() {
    if (waiting.isEmpty()) {
      return null;
    }
    connectionContext.counters.decrement(Counter.WAITING);
    return waiting.removeFirst();
  }

  private void dropIfUnused() {
    if (waiting.isEmpty() && !lending) {
      connectionContext.budget.forget(this);
      if (open == 0) {
        onUnused.accept(this);
      }
    }
  }
}
