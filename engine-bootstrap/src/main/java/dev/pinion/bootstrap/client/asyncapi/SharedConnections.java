package dev.pinion.bootstrap.client.asyncapi;

import dev.pinion.core.model.ErrorType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Connections of one protocol that tasks share, one for each server and user. An unused one is kept
 * for a while. Any thread.
 *
 * @param <C> kind of connection
 */
final class SharedConnections<C extends MessageConnection> {
  private static final int INITIAL_CAPACITY = 16;
  private static final float LOAD = 0.75f;

  private final int most;
  private final long idleMillis;
  private final ScheduledExecutorService timers;
  private final Map<ConnectionKey, Slot> slots = new LinkedHashMap<>(INITIAL_CAPACITY, LOAD, true);
  private boolean closed;

  /**
   * No connections.
   *
   * @param most most connections at a time
   * @param idleMillis time that an unused one is kept
   */
  SharedConnections(int most, long idleMillis, ScheduledExecutorService timers) {
    this.most = most;
    this.idleMillis = idleMillis;
    this.timers = timers;
  }

  /** Opens a connection; may wait. */
  @FunctionalInterface
  interface Opener<C> {
    C open() throws MessageFailure, InterruptedException;
  }

  /** Place of a connection, which is opened again when it is broken. */
  private final class Slot {
    /** Users; guarded by the whole. */
    int users;

    /** Guarded by this slot. */
    @Nullable C connection;

    synchronized C connected(Opener<C> opener) throws MessageFailure, InterruptedException {
      C known = connection;
      if (known != null && known.isOpen()) {
        return known;
      }
      if (known != null) {
        known.close();
        connection = null;
      }
      C opened = opener.open();
      connection = opened;
      return opened;
    }

    synchronized void close() {
      if (connection != null) {
        connection.close();
        connection = null;
      }
    }
  }

  /** Use of a connection until it is closed, which leaves the connection open. */
  final class Lease implements AutoCloseable {
    private final ConnectionKey key;
    private final Slot slot;
    private final C connection;
    private boolean ended;

    private Lease(ConnectionKey key, Slot slot, C connection) {
      this.key = key;
      this.slot = slot;
      this.connection = connection;
    }

    C connection() {
      return connection;
    }

    @Override
    public void close() {
      synchronized (this) {
        if (ended) {
          return;
        }
        ended = true;
      }
      release(key, slot);
    }
  }

  /**
   * The connection for a key, opened if there is none.
   *
   * @throws MessageFailure when it cannot be opened, or too many are in use
   */
  Lease lease(ConnectionKey key, Opener<C> opener) throws MessageFailure, InterruptedException {
    Slot slot;
    List<Slot> replaced;
    synchronized (this) {
      if (closed) {
        throw new MessageFailure(ErrorType.RUNTIME, "the engine stopped before the call ended");
      }
      slot = slots.computeIfAbsent(key, each -> new Slot());
      slot.users++;
      replaced = replaced();
      if (slots.size() > most) {
        forget(key, slot);
        throw new MessageFailure(
            ErrorType.RUNTIME,
            "expected at most "
                + most
                + " connections in use to servers of messages (messages.maxConnections), found"
                + " more");
      }
    }
    replaced.forEach(Slot::close);
    try {
      return new Lease(key, slot, slot.connected(opener));
    } catch (MessageFailure | InterruptedException | RuntimeException e) {
      synchronized (this) {
        forget(key, slot);
      }
      throw e;
    }
  }

  /** Takes the unused connections out that are too many; those unused for longest first. */
  private List<Slot> replaced() {
    List<Slot> replaced = new ArrayList<>();
    var each = slots.values().iterator();
    while (slots.size() > most && each.hasNext()) {
      Slot slot = each.next();
      if (slot.users == 0) {
        each.remove();
        replaced.add(slot);
      }
    }
    return replaced;
  }

  /** Ends a use that never had a connection. */
  private void forget(ConnectionKey key, Slot slot) {
    slot.users--;
    if (slot.users == 0) {
      slots.remove(key, slot);
    }
  }

  private void release(ConnectionKey key, Slot slot) {
    boolean unused;
    synchronized (this) {
      slot.users--;
      unused = slot.users == 0 && !closed;
    }
    if (unused) {
      try {
        var _ = timers.schedule(() -> closeUnused(key, slot), idleMillis, TimeUnit.MILLISECONDS);
      } catch (RejectedExecutionException e) {
        slot.close();
      }
    }
  }

  private void closeUnused(ConnectionKey key, Slot slot) {
    synchronized (this) {
      if (slot.users > 0 || slots.get(key) != slot) {
        return;
      }
      slots.remove(key);
    }
    slot.close();
  }

  /** Closes every connection. */
  void close() {
    List<Slot> all;
    synchronized (this) {
      closed = true;
      all = List.copyOf(slots.values());
      slots.clear();
    }
    all.forEach(Slot::close);
  }
}
