package dev.pinion.bootstrap.history;

import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.limits.HistoryLimits;
import dev.pinion.core.model.instance.HistoryEvent;
import dev.pinion.handlers.sql.SqlDatabase;
import java.sql.SQLException;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Writes the changes of journals, a batch in one transaction together with the position in its
 * journal: all of it is stored, or nothing. Used by one thread. After a failure it continues with a
 * new connection.
 */
final class HistoryWriter implements AutoCloseable {
  private final HistoryDatabase database;
  private final PayloadCodec codec;
  private final HistoryLimits limits;
  private final HistoryRetention sweep;
  private final Outbox outbox;

  /** Makes room in a file; null for a server, which manages its own room. */
  private final @Nullable Eviction eviction;

  private boolean migrated;

  /** The file that is written; null if there is none. */
  private @Nullable Object file;

  private @Nullable Handle handle;

  HistoryWriter(
      HistoryDatabase database,
      PayloadCodec codec,
      EngineLimits limits,
      Outbox outbox,
      @Nullable Eviction eviction) {
    this.outbox = outbox;
    this.database = database;
    this.codec = codec;
    this.limits = limits.history();
    this.sweep = new HistoryRetention(limits);
    this.eviction = eviction;
  }

  /**
   * Position of the history in a journal.
   *
   * @param id its identity
   * @param name name of its folder
   * @param position the last record whose effects are in the history
   * @param durable the last record on disk
   * @param asOfMillis wall-clock time up to which everything that happened is in the history
   */
  record ConsumerPosition(String id, String name, long position, long durable, long asOfMillis) {}

  private <T> T transaction(SqlDatabase.Work<T> work) throws SQLException {
    try {
      return SqlDatabase.commit(open(), work);
    } catch (SQLException | RuntimeException e) {
      close();
      throw e;
    }
  }

  private Handle open() throws SQLException {
    Handle open = handle;
    if (open == null) {
      if (!migrated) {
        database.migrate();
        migrated = true;
      }
      open = database.writer().open();
      handle = open;
      file = database.identity();
    }
    return open;
  }

  /** Whether the written file was deleted or replaced. */
  boolean isReplaced() {
    return file != null && !file.equals(database.identity());
  }

  /** Last record of a journal whose effects are in the history; 0 for none. */
  long position(String journal) throws SQLException {
    return transaction(
        open ->
            open.select("SELECT position FROM journal WHERE id = ?", journal)
                .mapTo(Long.class)
                .findOne()
                .orElse(0L));
  }

  /**
   * Writes changes in order, and their position.
   *
   * @param consumerPosition the new position in the journal, or null for the previous one
   */
  void write(List<HistoryChange> changes, @Nullable ConsumerPosition consumerPosition)
      throws SQLException {
    Eviction room = eviction;
    if (room != null) {
      makeRoom(room);
    }
    boolean written = false;
    while (!written) {
      try {
        transaction(open -> put(open, changes, consumerPosition));
        written = true;
      } catch (SQLException e) {
        if (room == null || !EmbeddedDatabaseFile.isFull(e) || !makesMoreRoom(room)) {
          throw e;
        }
      }
    }
    outbox.committed();
  }

  /** Makes room in the file before a batch needs it, by evicting the instances that ended first. */
  private void makeRoom(Eviction room) throws SQLException {
    boolean more = true;
    while (more && transaction(room::isShort)) {
      more = transaction(room::evict) > 0;
    }
  }

  /** Makes room after a failure for lack of it; returns false when that is impossible. */
  private boolean makesMoreRoom(Eviction room) throws SQLException {
    boolean released = room.releaseReserve();
    restartLog();
    return released || (room.isBoundByPages() && transaction(room::evict) > 0);
  }

  /** Lets the next transaction reuse the room that the write-ahead log already has on the disk. */
  private void restartLog() throws SQLException {
    Handle open = open();
    open.getConnection().setAutoCommit(true); // impossible within a transaction
    try {
      SqlDatabase.run(open, _ -> open.execute("PRAGMA wal_checkpoint(RESTART)"));
    } finally {
      open.getConnection().setAutoCommit(false);
    }
  }

  private boolean put(
      Handle open, List<HistoryChange> changes, @Nullable ConsumerPosition consumerPosition)
      throws SQLException {
    ColumnValue values = new ColumnValue(codec, limits.maxValueChars());
    outbox.refreshSubscriptions(
        open); // after the records were read, so that earlier subscribers are seen
    try (OutboxRows published = new OutboxRows(open, outbox, codec, limits.maxValueChars());
        HistoryEventRows events = new HistoryEventRows(open, values);
        InstanceRows instances = new InstanceRows(open, values, limits.maxOutputBytes())) {
      for (HistoryChange historyChange : changes) {
        published.add(historyChange);
        apply(historyChange, events, instances);
      }
      events.flush();
      instances.flush();
    }
    if (consumerPosition != null) {
      mark(open, consumerPosition);
    }
    return true;
  }

  private static void apply(
      HistoryChange historyChange, HistoryEventRows events, InstanceRows instances)
      throws SQLException {
    switch (historyChange) {
      case HistoryChange.EventRecorded eventRecorded -> {
        events.add(eventRecorded.event());
        instances.add(eventRecorded.event());
      }
      case HistoryChange.InstanceRestored instanceRestored -> {
        if (instances.restore(instanceRestored) && instanceRestored.first()) {
          events.gap(
              instanceRestored.instance().id().value(),
              gapNumber(instanceRestored.sequence()),
              instanceRestored.instance().startedAtEpochMillis(),
              "the records of what happened before were not read");
        }
      }
      case HistoryChange.RecordsLost recordsLost -> {
        events.flush();
        for (long id : instances.missed(recordsLost)) {
          events.gap(id, Long.MAX_VALUE, 0, "the records of its end were not read");
        }
      }
      case HistoryChange.InstanceRetracted instanceRetracted -> {
        instances.flush();
        events.retract(instanceRetracted.id().value(), instanceRetracted.sequence());
        instances.retract(instanceRetracted.id().value(), instanceRetracted.sequence());
      }
      case HistoryChange.InstanceSkipped gaveUp -> {
        instances.flush();
        instances.unknown(gaveUp.id().value());
        events.gap(gaveUp.id().value(), gaveUp.sequence(), 0, gaveUp.reason());
      }
    }
  }

  /** A gap is numbered as the last event before it. */
  private static long gapNumber(long sequence) {
    return sequence == Long.MAX_VALUE ? sequence - 1 : sequence;
  }

  private static void mark(Handle open, ConsumerPosition consumerPosition) {
    open.execute(
        "INSERT INTO journal (id, name, position, durable, looked_at) VALUES (?, ?, ?, ?, ?)"
            + " ON CONFLICT (id) DO UPDATE SET name = excluded.name,"
            + " position = excluded.position, durable = excluded.durable,"
            + " looked_at = excluded.looked_at",
        consumerPosition.id(),
        consumerPosition.name(),
        consumerPosition.position(),
        consumerPosition.durable(),
        consumerPosition.asOfMillis());
  }

  /**
   * Deletes ended instances beyond the retention.
   *
   * @return number of deleted ones
   */
  int sweep(long nowMillis) throws SQLException {
    Eviction room = eviction;
    try {
      return transaction(open -> sweep.run(open, nowMillis));
    } catch (SQLException e) {
      if (room == null || !EmbeddedDatabaseFile.isFull(e) || !room.releaseReserve()) {
        throw e;
      }
      return transaction(open -> sweep.run(open, nowMillis));
    }
  }

  /** Keeps room for {@link #sweep} on a volume that others may fill. */
  void keepReserve() {
    Eviction room = eviction;
    if (room != null) {
      room.keepReserve();
    }
  }

  /** Message about the present eviction; null for none. */
  @Nullable String trouble() {
    Eviction room = eviction;
    return room == null ? null : room.trouble();
  }

  /** Closes the connection. */
  @Override
  public void close() {
    SqlDatabase.close(handle);
    handle = null;
  }

  /** State of an instance after an event; null when the event changes none. */
  static @Nullable String stateAfter(HistoryEvent.EventKind eventKind) {
    return switch (eventKind) {
      case INSTANCE_STARTED, INSTANCE_RESUMED, INSTANCE_RETRIED, INSTANCE_COMPENSATING -> "RUNNING";
      case INSTANCE_SUSPENDED -> "SUSPENDED";
      case INSTANCE_COMPLETED -> "COMPLETED";
      case INSTANCE_FAULTED -> "FAULTED";
      case INSTANCE_CANCELLED -> "CANCELLED";
      default -> null;
    };
  }
}
