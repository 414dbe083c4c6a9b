package dev.pinion.bootstrap.events;

import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.events.ExternalEvent;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.limits.EventLimits;
import dev.pinion.core.spi.ExternalEvents.EventReceipt;
import dev.pinion.handlers.sql.SqlDatabase;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Events on disk, shared by all replicas: an SQLite database to which all of them write in turn, so
 * that its positions are one order for all. It keeps the last event of each namespace, type and
 * subject; every event until all who may listen have come past it; and, for a while, the accepted
 * sources and ids. A committed transaction was forced. Used by one thread at a time.
 */
final class EventStore implements AutoCloseable {
  /** Rows of the table of events. */
  private static final String KEPT = "kept";

  /** The last position at which an event without data was deleted. */
  private static final String PURGED = "purged";

  /** Share of the rows that are forgotten at once, at least. */
  private static final int PARTS_TO_FORGET = 100;

  private final EventLimits limits;
  private final PayloadCodec codec;
  private final Handle writer;
  private final Handle reader;
  private final StoredEventLog log;
  private long version = -1;

  /**
   * Events to store, all or none.
   *
   * @param namespace namespace of the events
   * @param emitted whether an instance emits them
   */
  record StoredBatch(String namespace, List<ExternalEvent> events, boolean emitted) {}

  /** Receives events in their order. */
  interface RowListener {
    /**
     * An event.
     *
     * @param data its data as JSON; null if there were none
     */
    void on(String type, String subject, byte @Nullable [] data);
  }

  private EventStore(EngineLimits limits, Handle writer, Handle reader) {
    this.limits = limits.events();
    this.codec = new PayloadCodec(limits.json());
    this.writer = writer;
    this.reader = reader;
    this.log = new StoredEventLog(limits, writer, reader);
  }

  /** The log of these events. */
  StoredEventLog log() {
    return log;
  }

  /**
   * Opens the events of a file, and creates it first if it is missing.
   *
   * @throws SQLException when it cannot be used; the message has the reason
   */
  static EventStore open(Path file, EngineLimits limits) throws SQLException {
    Handle writer = EventDatabase.open(file, limits);
    try {
      return new EventStore(limits, writer, EventDatabase.at(file, limits).open());
    } catch (SQLException e) {
      SqlDatabase.close(writer);
      throw e;
    }
  }

  /**
   * Stores batches in their order, in one forced transaction.
   *
   * @param clock wall-clock time, read when the turn of this replica has come: others may write for
   *     long, and instances that begin to listen meanwhile are to hear the events
   * @return outcome of each
   * @throws SQLException when none was stored, or it is unknown whether they were
   */
  List<EventReceipt> append(List<StoredBatch> batches, LongSupplier clock) throws SQLException {
    return EventDatabase.transaction(writer, () -> appendAll(batches, clock.getAsLong()));
  }

  private List<EventReceipt> appendAll(List<StoredBatch> batches, long nowMillis) {
    forget(nowMillis);
    List<EventReceipt> outcomes = new ArrayList<>(batches.size());
    for (StoredBatch batch : batches) {
      outcomes.add(append(batch, nowMillis));
    }
    writer.execute(
        "DELETE FROM seen WHERE position <= (SELECT max(position) FROM seen) - ?",
        limits.maxRemembered());
    return outcomes;
  }

  private EventReceipt append(StoredBatch batch, long nowMillis) {
    Map<String, String> own = new HashMap<>();
    List<ExternalEvent> fresh = new ArrayList<>(batch.events().size());
    for (ExternalEvent event : batch.events()) {
      String key = event.source() + '\n' + event.id(); // no line feed in either
      String known = own.get(key);
      if (known == null) {
        known = digest(batch.namespace(), event);
      }
      if (known == null) {
        own.put(key, event.digest());
        fresh.add(event);
      } else if (!known.equals(event.digest())) {
        return EventReceipt.ContentConflict.of(event.source(), event.id());
      }
    }
    String exceeded = log.exceededBy(fresh);
    if (exceeded != null && !fresh.isEmpty()) {
      return new EventReceipt.StoreFull(exceeded);
    }
    long kept = keptWith(batch.namespace(), fresh);
    while (kept > limits.maxKept() && forgetUnread(kept - limits.maxKept()) > 0) {
      kept = keptWith(batch.namespace(), fresh);
    }
    if (kept > limits.maxKept()) {
      return new EventReceipt.StoreFull("events.maxKept");
    }
    for (ExternalEvent event : fresh) {
      add(batch.namespace(), event, nowMillis);
    }
    log.append(batch.namespace(), fresh, batch.emitted(), nowMillis);
    EventDatabase.mark(writer, KEPT, kept);
    return new EventReceipt.Stored(fresh.size(), batch.events().size() - fresh.size());
  }

  /** Number of rows once some events are stored. */
  private long keptWith(String namespace, List<ExternalEvent> fresh) {
    return EventDatabase.mark(writer, KEPT) + newSubjects(namespace, fresh);
  }

  /** Deletes the oldest rows of types that no table was ever made of; returns how many. */
  private int forgetUnread(long least) {
    int forgotten =
        writer.execute(
            "DELETE FROM event WHERE position IN (SELECT position FROM event WHERE NOT EXISTS"
                + " (SELECT 1 FROM view WHERE view.namespace = event.namespace AND view.type ="
                + " event.type) ORDER BY position LIMIT ?)",
            Math.max(least, limits.maxKept() / PARTS_TO_FORGET));
    EventDatabase.mark(writer, KEPT, EventDatabase.mark(writer, KEPT) - forgotten);
    return forgotten;
  }

  /** Records that a table is made of the events of some types. */
  void view(String namespace, List<String> types) throws SQLException {
    int _ =
        EventDatabase.transaction(
            writer,
            () -> {
              for (String type : types) {
                writer.execute(
                    "INSERT OR IGNORE INTO view (namespace, type) VALUES (?, ?)", namespace, type);
              }
              return types.size();
            });
  }

  private @Nullable String digest(String namespace, ExternalEvent event) {
    return writer
        .select(
            "SELECT digest FROM seen WHERE namespace = ? AND source = ? AND id = ?",
            namespace,
            event.source(),
            event.id())
        .mapTo(String.class)
        .findOne()
        .orElse(null);
  }

  private int newSubjects(String namespace, List<ExternalEvent> events) {
    String sql = "SELECT 1 FROM event WHERE namespace = ? AND type = ? AND subject = ?";
    Set<String> fresh = new HashSet<>();
    for (ExternalEvent event : events) {
      String subject = event.subject();
      if (event.hasRow()
          && subject != null
          && EventDatabase.number(writer, sql, namespace, event.type(), subject) == 0) {
        fresh.add(event.type() + '\n' + subject);
      }
    }
    return fresh.size();
  }

  private void add(String namespace, ExternalEvent event, long nowMillis) {
    writer.execute(
        "INSERT INTO seen (namespace, source, id, digest, at) VALUES (?, ?, ?, ?, ?)",
        namespace,
        event.source(),
        event.id(),
        event.digest(),
        nowMillis);
    if (!event.hasRow()) {
      return;
    }
    writer.execute(
        "INSERT OR REPLACE INTO event (namespace, type, subject, data, at) VALUES (?, ?, ?, ?, ?)",
        namespace,
        event.type(),
        event.subject(),
        event.data() == null ? null : codec.toExactBytes(event.data()),
        nowMillis);
  }

  /** Deletes events and ids that are older than their retention. */
  private void forget(long nowMillis) {
    long then = nowMillis - TimeUnit.MINUTES.toMillis(limits.rememberMinutes());
    writer.execute("DELETE FROM seen WHERE at < ?", then);
    String gone = " FROM event WHERE data IS NULL AND at < ?";
    long last = EventDatabase.number(writer, "SELECT max(position)" + gone, then);
    if (last > 0) {
      EventDatabase.mark(writer, PURGED, Math.max(last, EventDatabase.mark(writer, PURGED)));
      EventDatabase.mark(
          writer, KEPT, EventDatabase.mark(writer, KEPT) - writer.execute("DELETE" + gone, then));
    }
  }

  /** Whether any replica has stored something since the last call. */
  boolean hasChanged() throws SQLException {
    long before = version;
    version = SqlDatabase.run(reader, open -> EventDatabase.number(open, "PRAGMA data_version"));
    return version != before;
  }

  /**
   * Reports events of a namespace and of some types after a position.
   *
   * @param after the position that an earlier call returned; 0 for all stored ones
   * @return the last reported position; negative when events without data after the given one were
   *     deleted, so that all must be read again
   */
  long read(String namespace, List<String> types, long after, RowListener rowListener)
      throws SQLException {
    return SqlDatabase.run(
        reader,
        open -> {
          open.execute("BEGIN"); // one consistent read
          try {
            return readAll(namespace, types, after, rowListener);
          } finally {
            open.execute("COMMIT");
          }
        });
  }

  private long readAll(String namespace, List<String> types, long after, RowListener rowListener) {
    if (after > 0 && after < EventDatabase.mark(reader, PURGED)) {
      return -1;
    }
    long last =
        EventDatabase.number(reader, "SELECT seq FROM sqlite_sequence WHERE name = 'event'");
    return reader
        .select(
            "SELECT type, subject, data FROM event WHERE namespace = ? AND type IN (?, ?)"
                + " AND position > ? ORDER BY position",
            namespace,
            types.getFirst(),
            types.getLast(),
            after)
        .reduceResultSet(
            last,
            (position, row, _) -> {
              rowListener.on(row.getString(1), row.getString(2), row.getBytes(3));
              return position;
            });
  }

  @Override
  public void close() {
    SqlDatabase.close(writer);
    SqlDatabase.close(reader);
  }
}
