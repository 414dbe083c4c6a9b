package dev.pinion.core.invoker.http;

import dev.pinion.core.invoker.InvokerCounters;
import dev.pinion.core.invoker.InvokerCounters.Counter;
import java.util.LinkedHashSet;
import java.util.function.BooleanSupplier;

/**
 * Shares {@code invoker.maxConnections} among services. When all are open, a service that needs one
 * replaces the connection unused for longest; when all are in use, a service without any is starved
 * and gets the next free one.
 *
 * <p>While a service is starved no connection is unused.
 */
final class ConnectionBudget {
  private final int maxConnections;
  private final BooleanSupplier closeUnused;
  private final InvokerCounters counters;
  private final LinkedHashSet<Claimant> starved = new LinkedHashSet<>();
  private int open;
  private boolean serving;

  /** A service that needs connections. */
  interface Claimant {
    /** Whether it has a connection, in any state. */
    boolean hasConnections();

    /** Opens the connections that it needs, as far as the limits allow. */
    void grow();
  }

  /**
   * A budget without connections.
   *
   * @param closeUnused closes the connection unused for longest; false when all are in use
   */
  ConnectionBudget(int maxConnections, BooleanSupplier closeUnused, InvokerCounters counters) {
    this.maxConnections = maxConnections;
    this.closeUnused = closeUnused;
    this.counters = counters;
  }

  /** Takes a place for one connection of a pool, if there is one. */
  boolean take(Claimant pool) {
    if (open == maxConnections && !closeUnused.getAsBoolean()) {
      if (!pool.hasConnections()) {
        starved.add(pool);
      }
      return false;
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
  void forget(Claimant pool) {
    starved.remove(pool);
  }
}
