package dev.pinion.core.invoker.http;

import dev.pinion.core.invoker.InvokerCounters;
import dev.pinion.core.invoker.InvokerCounters.Counter;
import java.util.LinkedHashSet;

/**
 * Shares {@code invoker.maxConnections} among services. When all are open, a service that needs one
 * replaces the connection unused for longest; when all are in use, a service without any is starved
 * and gets the next free one.
 *
 * <p>While a service is starved no connection is unused.
 */
final class ConnectionBudget {
  private final int maxConnections;
  private final IdlePooledConnections idle;
  private final InvokerCounters counters;
  private final LinkedHashSet<ServicePool> starved = new LinkedHashSet<>();
  private int open;
  private boolean serving;

  ConnectionBudget(int maxConnections, IdlePooledConnections idle, InvokerCounters counters) {
    this.maxConnections = maxConnections;
    this.idle = idle;
    this.counters = counters;
  }

  /** Takes a place for one connection of a pool, if there is one. */
  boolean take(ServicePool pool) {
    if (open == maxConnections) {
      PooledConnection unused = idle.oldest();
      if (unused == null) {
        if (!pool.hasConnections()) {
          starved.add(pool);
        }
        return false;
      }
      unused.close();
    }
    starved.remove(pool);
    open++;
    counters.increment(Counter.CONNECTIONS);
    return true;
  }

  /** Takes a place for one more socket for a while, if no connection has to be closed for it. */
  boolean takeUnused() {
    if (open >= maxConnections) {
      return false;
    }
    open++;
    counters.increment(Counter.CONNECTIONS);
    return true;
  }

  /** Returns the place of a closed connection. The pool that is starved for longest gets it. */
  void giveBack() {
    open--;
    counters.decrement(Counter.CONNECTIONS);
    if (serving) {
      return; // a connection failed at once; the loop below continues
    }
    serving = true;
    try {
      while (open < maxConnections && !starved.isEmpty()) {
        starved.removeFirst().grow();
      }
    } finally {
      serving = false;
    }
  }

  /** Whether a service waits for a connection of another service. */
  boolean hasStarved() {
    return !starved.isEmpty();
  }

  /** Forgets a pool that needs no connection any more. */
  void forget(ServicePool pool) {
    starved.remove(pool);
  }
}
