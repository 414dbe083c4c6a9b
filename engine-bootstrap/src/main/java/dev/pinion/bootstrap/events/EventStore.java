package dev.pinion.bootstrap.events;

import dev.pinion.bootstrap.datadir.DataSubdirectory;
import dev.pinion.core.events.ExternalEvent;
import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.limits.EventLimits;
import dev.pinion.core.spi.ExternalEvents.EventReceipt;
import dev.pinion.handlers.sql.SqlDatabase;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.JdbiException;
import org.jspecify.annotations.Nullable;

/**
 * Events on disk, shared by all replicas: an SQLite database to which all of them write in turn, so
 * that its positions are one order for all. It keeps the last event of each namespace, type and
 * subject; every event until all who may listen have come past it; and, for a while, the accepted
 * sources and ids. A committed transaction was forced. Used by one thread at a time.
 */
final class EventStore implements AutoCloseable {
  /** Version of the tables; a database of a later version is refused. */
  static final int VERSION = 2;

  private static final String[] TABLES = {
    "CREATE TABLE IF NOT EXISTS event (position INTEGER PRIMARY KEY AUTOINCREMENT,"
        + " namespace TEXT NOT NULL, type TEXT NOT NULL, subject TEXT NOT NULL, data BLOB,"
        + " at INTEGER NOT NULL, UNIQUE (namespace, type, subject))",
    "CREATE INDEX IF NOT EXISTS event_order ON event (namespace, type, position)",
    "CREATE INDEX IF NOT EXISTS event_gone ON event (at) WHERE data IS NULL",
    "CREATE TABLE IF NOT EXISTS seen (position INTEGER PRIMARY KEY AUTOINCREMENT,"
        + " namespace TEXT NOT NULL, source TEXT NOT NULL, id TEXT NOT NULL,"
        + " digest TEXT NOT NULL, at INTEGER NOT NULL, UNIQUE (namespace, source, id))",
    "CREATE INDEX IF NOT EXISTS seen_at ON seen (at)",
    "CREATE TABLE IF NOT EXISTS mark (name TEXT PRIMARY KEY, value INTEGER NOT NULL)",
    "CREATE TABLE IF NOT EXISTS view (namespace TEXT NOT NULL, type TEXT NOT NULL,"
        + " PRIMARY KEY (namespace, type))",
  };

  /** Rows of the table of events. */
  private static final String KEPT = "kept";

  /** The last position at which an event without data was deleted. */
  private static final String PURGED = "purged";

  /** Share of the rows that are forgotten at once, at least. */
  private static final int PARTS_TO_FORGET = 100;

  /** A process may lock a file only once. */
  private static final Object PREPARING = new Object();

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
    try {
      DataSubdirectory.make(Objects.requireNonNull(file.toAbsolutePath().getParent()));
    } catch (IOException e) {
      throw new SQLException("the folder of external events cannot be used: " + e, e);
    }
    SqlDatabase database = database(file, limits);
    Handle writer = database.open();
    try {
      SqlDatabase.run(writer, open -> prepareAlone(open, file));
      return new EventStore(limits, writer, database.open());
    } catch (SQLException e) {
      SqlDatabase.close(writer);
      throw e;
    }
  }

  /** Replicas that start together must not create the tables concurrently. */
  private static boolean prepareAlone(Handle open, Path file) throws SQLException {
    try (FileChannel lock =
        FileChannel.open(
            file.resolveSibling(file.getFileName() + ".lock"),
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE)) {
      synchronized (PREPARING) {
        lock.lock(); // released with the channel
        return prepare(open, file);
      }
    } catch (IOException e) {
      throw new SQLException("the folder of external events cannot be used: " + e, e);
    }
  }

  /** The database of a file; a commit is forced. Nothing is opened yet. */
  static SqlDatabase database(Path file, EngineLimits limits) {
    Properties properties = new Properties();
    properties.setProperty("busy_timeout", Integer.toString(limits.events().busyMillis()));
    properties.setProperty("synchronous", "FULL");
    return new SqlDatabase(() -> DriverManager.getConnection("jdbc:sqlite:" + file, properties));
  }

  /** Whether tables were created. */
  private static boolean prepare(Handle open, Path file) throws SQLException {
    open.execute("PRAGMA journal_mode=WAL"); // readers do not wait for the writer
    long found = number(open, "PRAGMA user_version");
    if (found > VERSION) {
      throw new SQLException(
          "expected external events of version "
              + VERSION
              + " or earlier in "
              + file
              + ", found version "
              + found
              + "; use the engine that wrote them");
    }
    if (found < VERSION) {
      open.execute("BEGIN IMMEDIATE");
      for (String table : TABLES) {
        open.execute(table);
      }
      for (String table : StoredEventLog.TABLES) {
        open.execute(table);
      }
      open.execute("PRAGMA user_version=" + VERSION);
      open.execute("COMMIT");
    }
    return found < VERSION;
  }

  static long number(Handle open, String sql, Object... values) {
    return open.select(sql, values).mapTo(Long.class).findOne().orElse(0L);
  }

  /**
   * Stores batches in their order, in one forced transaction.
   *
   * @return outcome of each
   * @throws SQLException when none was stored, or it is unknown whether they were
   */
  List<EventReceipt> append(List<StoredBatch> batches, long nowMillis) throws SQLException {
    return transaction(writer, () -> appendAll(batches, nowMillis));
  }

  /** Does work in a transaction begun by hand: the driver would begin the next one at once. */
  static <T extends @Nullable Object> T transaction(Handle writer, Supplier<T> work)
      throws SQLException {
    return SqlDatabase.run(
        writer,
        open -> {
          open.execute("BEGIN IMMEDIATE");
          try {
            T result = work.get();
            open.execute("COMMIT");
            return result;
          } catch (RuntimeException e) {
            rollBack(open, e);
            throw e;
          }
        });
  }

  private static void rollBack(Handle open, RuntimeException because) {
    try {
      open.execute("ROLLBACK");
    } catch (JdbiException e) {
      because.addSuppressed(e); // it was rolled back already, or the connection is unusable
    }
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
    long kept = mark(writer, KEPT) + newSubjects(batch.namespace(), fresh);
    if (kept > limits.maxKept()) {
      kept -= forgetUnread(kept - limits.maxKept());
    }
    if (kept > limits.maxKept()) {
      return new EventReceipt.StoreFull("events.maxKept");
    }
    for (ExternalEvent event : fresh) {
      add(batch.namespace(), event, nowMillis);
    }
    log.append(batch.namespace(), fresh, batch.emitted(), nowMillis);
    mark(writer, KEPT, kept);
    return new EventReceipt.Stored(fresh.size(), batch.events().size() - fresh.size());
  }

  /** Deletes the oldest rows of types that no table was ever made of; returns how many. */
  private int forgetUnread(long least) {
    return writer.execute(
        "DELETE FROM event WHERE position IN (SELECT position FROM event WHERE NOT EXISTS (SELECT 1"
            + " FROM view WHERE view.namespace = event.namespace AND view.type = event.type) ORDER"
            + " BY position LIMIT ?)",
        Math.max(least, limits.maxKept() / PARTS_TO_FORGET));
  }

  /** Records that a table is made of the events of some types. */
  void view(String namespace, List<String> types) throws SQLException {
    transaction(
        writer,
        () -> {
          for (String type : types) {
            writer.execute(
                "INSERT OR IGNORE INTO view (namespace, type) VALUES (?, ?)", namespace, type);
          }
          return null;
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
    Set<String> fresh = new HashSet<>();
    for (ExternalEvent event : events.stream().filter(ExternalEvent::hasRow).toList()) {
      String sql = "SELECT 1 FROM event WHERE namespace = ? AND type = ? AND subject = ?";
      if (number(writer, sql, namespace, event.type(), event.subject()) == 0) {
        fresh.add(event.type() + '\n' + event.subject());
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
    long last = number(writer, "SELECT max(position)" + gone, then);
    if (last > 0) {
      mark(writer, PURGED, Math.max(last, mark(writer, PURGED)));
      mark(writer, KEPT, mark(writer, KEPT) - writer.execute("DELETE" + gone, then));
    }
  }

  static long mark(Handle open, String name) {
    return number(open, "SELECT value FROM mark WHERE name = ?", name);
  }

  static void mark(Handle writer, String name, long value) {
    writer.execute("INSERT OR REPLACE INTO mark (name, value) VALUES (?, ?)", name, value);
  }

  /** Whether any replica has stored something since the last call. */
  boolean hasChanged() throws SQLException {
    long before = version;
    version = SqlDatabase.run(reader, open -> number(open, "PRAGMA data_version"));
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
    if (after > 0 && after < mark(reader, PURGED)) {
      return -1;
    }
    long last = number(reader, "SELECT seq FROM sqlite_sequence WHERE name = 'event'");
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
