package dev.pinion.bootstrap.history;

import dev.pinion.bootstrap.history.publish.SubscriptionStore;
import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.instance.HistoryEvent.EventKind;
import dev.pinion.handlers.sql.SqlDatabase;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Puts notices of handlers into the outbox of events for subscribers, beside the events of the
 * history. Notices before the history has created its tables wait for them. For any thread; one at
 * a time writes.
 */
public final class NoticeOutbox implements AutoCloseable {
  /** Longest wait of one call for tables, in milliseconds: shorter than an attempt of a handler. */
  static final int PATIENCE_MILLIS = 4_000;

  /** Time after the start in which calls wait for tables at all, in milliseconds. */
  static final int START_MILLIS = 60_000;

  /** Time between two checks for tables, in milliseconds. */
  private static final int LOOK_MILLIS = 50;

  private final HistoryDatabase database;
  private final PayloadCodec codec;
  private final Outbox outbox;
  private final Clock clock;
  private final LongConsumer pause;
  private final long made;
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable Handle handle; // guarded by the lock
  private @Nullable Object file; // of that handle; guarded by the lock
  private volatile boolean ready; // once the tables were found

  /**
   * An outbox; nothing is opened yet.
   *
   * @param folder the subscriptions of the engine
   */
  public NoticeOutbox(
      HistoryDatabase database, SubscriptionStore folder, PayloadCodec codec, Clock clock) {
    this(database, folder, codec, clock, LockSupport::parkNanos);
  }

  /**
   * An outbox with a given way of waiting.
   *
   * @param pause lets the thread wait for a number of nanoseconds, or less
   */
  NoticeOutbox(
      HistoryDatabase database,
      SubscriptionStore folder,
      PayloadCodec codec,
      Clock clock,
      LongConsumer pause) {
    this.database = database;
    this.codec = codec;
    this.outbox = new Outbox(folder, clock);
    this.clock = clock;
    this.pause = pause;
    this.made = clock.nanoTime();
  }

  /**
   * Adds an event if a subscription wants it; events with the same id are added once. Returns after
   * the commit. Waits for the tables of the history if there are none yet: 4 s at most, and no
   * later than 60 s after this was created.
   *
   * @param id id of the event
   * @param namespace namespace of a definition; empty for none
   * @param definition its name; empty for none
   * @param event a CloudEvent
   * @throws IOException when the event may be missing, for instance because the history has not
   *     created its tables in time, or the thread is interrupted while it waits for them
   */
  public void append(UUID id, String namespace, String definition, Payload event)
      throws IOException {
    awaitTables();
    lock.lock();
    try {
      SqlDatabase.commit(open(), open -> insert(open, id, namespace, definition, event));
      outbox.committed();
    } catch (SQLException e) {
      database.tellDamage(e, file);
      disconnect();
      throw new IOException(
          "expected space in the outbox of the history, found: " + e.getMessage(), e);
    } finally {
      lock.unlock();
    }
  }

  /** Holds no lock, so that calls wait concurrently. */
  private void awaitTables() throws IOException {
    long begun = clock.nanoTime();
    while (!ready) {
      SQLException missing = probeTables();
      if (missing == null) {
        ready = true;
        return;
      }
      long now = clock.nanoTime();
      long left =
          Math.min(
              TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS) - (now - begun),
              TimeUnit.MILLISECONDS.toNanos(START_MILLIS) - (now - made));
      if (left <= 0 || Thread.currentThread().isInterrupted()) {
        throw new IOException(
            "expected the tables of the history in "
                + database
                + ", found: "
                + missing.getMessage()
                + "; see whether the process of the history runs",
            missing);
      }
      pause.accept(Math.min(left, TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS)));
    }
  }

  /** Looks for the tables; returns null when they exist. */
  private @Nullable SQLException probeTables() {
    try {
      database
          .reader()
          .read(
              open ->
                  open.execute(
                      "SELECT o.id, d.subscription FROM outbox o, delivery d WHERE 1 = 0"));
      return null;
    } catch (SQLException e) {
      return e;
    }
  }

  private boolean insert(Handle open, UUID id, String namespace, String definition, Payload event)
      throws SQLException {
    outbox.refreshSubscriptions(open);
    boolean wanted =
        outbox.subscriptions().stream()
            .anyMatch(each -> each.matches(EventKind.NOTICE, namespace, definition));
    if (wanted && !database.isEmbedded()) {
      // Positions must become visible in their order; SQLite has one writer at a time anyway.
      open.execute("LOCK TABLE outbox IN SHARE ROW EXCLUSIVE MODE");
    }
    return wanted
        && 1
            == open.execute(
                "INSERT INTO outbox (id, sequence, kind, namespace, name, event)"
                    + " VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (id, sequence) DO NOTHING",
                id.getMostSignificantBits(),
                id.getLeastSignificantBits(),
                EventKind.NOTICE.name(),
                namespace,
                definition,
                DatabaseText.storable(
                    new String(codec.toExactBytes(event), StandardCharsets.UTF_8)));
  }

  private Handle open() throws SQLException {
    Object now = database.identity();
    if (!Objects.equals(file, now)) { // the history has set the previous one aside
      disconnect();
    }
    Handle open = handle;
    if (open == null) {
      open = database.writer().open();
      handle = open;
      file = now;
    }
    return open;
  }

  private void disconnect() {
    SqlDatabase.close(handle);
    handle = null;
  }

  @Override
  public void close() {
    lock.lock();
    try {
      disconnect();
    } finally {
      lock.unlock();
    }
  }
}
