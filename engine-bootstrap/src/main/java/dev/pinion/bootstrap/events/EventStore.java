package dev.pinion.bootstrap.events;

import dev.pinion.bootstrap.datadir.DataSubdirectory;
import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.limits.EventLimits;
import dev.pinion.core.spi.ExternalEvents.EventReceipt;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Events on disk, shared by all replicas: an SQLite database to which all of them write in turn, so
 * that its positions are one order for all. It keeps the last event of each namespace, type and
 * subject; and, for a while, the accepted sources and ids. A committed transaction was forced. Used
 * by one thread at a time.
 */
final class EventStore implements AutoCloseable {
  /** Version of the tables; a database of a later version is refused. */
  static final int VERSION = 1;

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
    "PRAGMA user_version=" + VERSION
  };

  /** Rows of the table of events. */
  private static final String KEPT = "kept";

  /** The last position at which an event without data was deleted. */
  private static final String PURGED = "purged";

  /** A process may lock a file only once. */
  private static final Object PREPARING = new Object();

  private final EventLimits limits;
  private final PayloadCodec codec;
  private final Connection writer;
  private final Connection reader;
  private long version = -1;

  /**
   * Events to store, all or none.
   *
   * @param namespace namespace of the events
   */
  record EventBatch(String namespace, List<ExternalEvent> events) {}

  /** Receives events in their order. */
  interface RowListener {
    /**
     * An event.
     *
     * @param data its data as JSON; null if there were none
     */
    void on(String type, String subject, byte @Nullable [] data);
  }

  private EventStore(EngineLimits limits, Connection writer, Connection reader) {
    this.limits = limits.events();
    this.codec = new PayloadCodec(limits.json());
    this.writer = writer;
    this.reader = reader;
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
    Connection writer = connect(file, limits);
    try {
      prepareAlone(writer, file);
      return new EventStore(limits, writer, connect(file, limits));
    } catch (SQLException e) {
      writer.close();
      throw e;
    }
  }

  /** Replicas that start together must not create the tables concurrently. */
  private static void prepareAlone(Connection connection, Path file) throws SQLException {
    try (FileChannel lock =
        FileChannel.open(
            file.resolveSibling(file.getFileName() + ".lock"),
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE)) {
      synchronized (PREPARING) {
        lock.lock(); // released with the channel
        prepare(connection, file);
      }
    } catch (IOException e) {
      throw new SQLException("the folder of external events cannot be used: " + e, e);
    }
  }

  static Connection connect(Path file, EngineLimits limits) throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("busy_timeout", Integer.toString(limits.events().busyMillis()));
    properties.setProperty("synchronous", "FULL"); // a commit is forced
    return DriverManager.getConnection("jdbc:sqlite:" + file, properties);
  }

  private static void prepare(Connection connection, Path file) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("PRAGMA journal_mode=WAL"); // readers do not wait for the writer
      long found = number(statement, "PRAGMA user_version");
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
        statement.execute("BEGIN IMMEDIATE");
        for (String table : TABLES) {
          statement.execute(table);
        }
        statement.execute("COMMIT");
      }
    }
  }

  private static long number(Statement statement, String sql) throws SQLException {
    try (ResultSet row = statement.executeQuery(sql)) {
      return row.next() ? row.getLong(1) : 0;
    }
  }

  /**
   * Stores batches in their order, in one forced transaction.
   *
   * @return outcome of each
   * @throws SQLException when none was stored, or it is unknown whether they were
   */
  List<EventReceipt> append(List<EventBatch> batches, long nowMillis) throws SQLException {
    try (Statement statement = writer.createStatement()) {
      statement.execute("BEGIN IMMEDIATE"); // by hand: the driver would begin the next one at once
      return append(statement, batches, nowMillis);
    }
  }

  private List<EventReceipt> append(Statement statement, List<EventBatch> batches, long nowMillis)
      throws SQLException {
    try {
      forget(nowMillis);
      List<EventReceipt> outcomes = new ArrayList<>(batches.size());
      for (EventBatch eventBatch : batches) {
        outcomes.add(append(eventBatch, nowMillis));
      }
      statement.execute(
          "DELETE FROM seen WHERE position <= (SELECT max(position) FROM seen) - "
              + limits.maxRemembered());
      statement.execute("COMMIT");
      return outcomes;
    } catch (SQLException | RuntimeException e) {
      rollBack(statement, e);
      throw e;
    }
  }

  private static void rollBack(Statement statement, Exception because) {
    try {
      statement.execute("ROLLBACK");
    } catch (SQLException e) {
      because.addSuppressed(e); // it was rolled back already, or the connection is unusable
    }
  }

  private EventReceipt append(EventBatch eventBatch, long nowMillis) throws SQLException {
    Map<String, String> own = new HashMap<>();
    List<ExternalEvent> fresh = new ArrayList<>(eventBatch.events().size());
    for (ExternalEvent event : eventBatch.events()) {
      String key = event.source() + '\n' + event.id(); // no line feed in either
      String known = own.get(key);
      if (known == null) {
        known = digest(eventBatch.namespace(), event);
      }
      if (known == null) {
        own.put(key, event.digest());
        fresh.add(event);
      } else if (!known.equals(event.digest())) {
        return new EventReceipt.ContentConflict(
            "expected a source and an id that no other event has, found "
                + event.source()
                + " and "
                + event.id()
                + " of an event with other attributes or data; give each event a unique id");
      }
    }
    long kept = mark(KEPT) + newSubjects(eventBatch.namespace(), fresh);
    if (kept > limits.maxKept()) {
      return new EventReceipt.StoreFull("events.maxKept");
    }
    for (ExternalEvent event : fresh) {
      add(eventBatch.namespace(), event, nowMillis);
    }
    mark(KEPT, kept);
    return new EventReceipt.Stored(fresh.size(), eventBatch.events().size() - fresh.size());
  }

  private @Nullable String digest(String namespace, ExternalEvent event) throws SQLException {
    try (PreparedStatement query =
        writer.prepareStatement(
            "SELECT digest FROM seen WHERE namespace = ? AND source = ? AND id = ?")) {
      query.setString(1, namespace);
      query.setString(2, event.source());
      query.setString(3, event.id());
      try (ResultSet row = query.executeQuery()) {
        return row.next() ? row.getString(1) : null;
      }
    }
  }

  private int newSubjects(String namespace, List<ExternalEvent> events) throws SQLException {
    Set<String> fresh = new HashSet<>();
    try (PreparedStatement query =
        writer.prepareStatement(
            "SELECT 1 FROM event WHERE namespace = ? AND type = ? AND subject = ?")) {
      for (ExternalEvent event : events) {
        query.setString(1, namespace);
        query.setString(2, event.type());
        query.setString(3, event.subject());
        try (ResultSet row = query.executeQuery()) {
          if (!row.next()) {
            fresh.add(event.type() + '\n' + event.subject());
          }
        }
      }
    }
    return fresh.size();
  }

  private void add(String namespace, ExternalEvent event, long nowMillis) throws SQLException {
    try (PreparedStatement seen =
            writer.prepareStatement(
                "INSERT INTO seen (namespace, source, id, digest, at) VALUES (?, ?, ?, ?, ?)");
        PreparedStatement last =
            writer.prepareStatement(
                "INSERT OR REPLACE INTO event (namespace, type, subject, data, at)"
                    + " VALUES (?, ?, ?, ?, ?)")) {
      seen.setString(1, namespace);
      seen.setString(2, event.source());
      seen.setString(3, event.id());
      seen.setString(4, event.digest());
      seen.setLong(5, nowMillis);
      seen.executeUpdate();
      last.setString(1, namespace);
      last.setString(2, event.type());
      last.setString(3, event.subject());
      last.setBytes(4, event.data() == null ? null : codec.toExactBytes(event.data()));
      last.setLong(5, nowMillis);
      last.executeUpdate();
    }
  }

  /** Deletes events and ids that are older than their retention. */
  private void forget(long nowMillis) throws SQLException {
    long then = nowMillis - TimeUnit.MINUTES.toMillis(limits.rememberMinutes());
    try (Statement statement = writer.createStatement()) {
      statement.executeUpdate("DELETE FROM seen WHERE at < " + then);
      String gone = " FROM event WHERE data IS NULL AND at < " + then;
      long last = number(statement, "SELECT max(position)" + gone);
      if (last > 0) {
        mark(PURGED, Math.max(last, mark(PURGED)));
        mark(KEPT, mark(KEPT) - statement.executeUpdate("DELETE" + gone));
      }
    }
  }

  private long mark(String name) throws SQLException {
    try (Statement statement = writer.createStatement()) {
      return mark(statement, name);
    }
  }

  private static long mark(Statement statement, String name) throws SQLException {
    return number(statement, "SELECT value FROM mark WHERE name = '" + name + "'");
  }

  private void mark(String name, long value) throws SQLException {
    try (Statement statement = writer.createStatement()) {
      statement.executeUpdate(
          "INSERT OR REPLACE INTO mark (name, value) VALUES ('" + name + "', " + value + ")");
    }
  }

  /** Whether any replica has stored something since the last call. */
  boolean hasChanged() throws SQLException {
    long before = version;
    try (Statement statement = reader.createStatement()) {
      version = number(statement, "PRAGMA data_version");
    }
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
    try (Statement statement = reader.createStatement()) {
      statement.execute("BEGIN"); // one consistent read
      return read(statement, namespace, types, after, rowListener);
    }
  }

  private long read(
      Statement statement,
      String namespace,
      List<String> types,
      long after,
      RowListener rowListener)
      throws SQLException {
    try {
      if (after > 0 && after < mark(statement, PURGED)) {
        return -1;
      }
      long last = number(statement, "SELECT seq FROM sqlite_sequence WHERE name = 'event'");
      readRows(namespace, types, after, rowListener);
      return last;
    } finally {
      statement.execute("COMMIT");
    }
  }

  private void readRows(String namespace, List<String> types, long after, RowListener rowListener)
      throws SQLException {
    try (PreparedStatement query =
        reader.prepareStatement(
            "SELECT type, subject, data FROM event WHERE namespace = ? AND type IN (?, ?)"
                + " AND position > ? ORDER BY position")) {
      query.setString(1, namespace);
      query.setString(2, types.getFirst());
      query.setString(3, types.getLast());
      query.setLong(4, after);
      try (ResultSet row = query.executeQuery()) {
        while (row.next()) {
          rowListener.on(row.getString(1), row.getString(2), row.getBytes(3));
        }
      }
    }
  }

  @Override
  public void close() throws SQLException {
    try (writer;
        reader) {
      // closes both, even if one fails
    }
  }
}
