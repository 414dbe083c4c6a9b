package dev.pinion.bootstrap.events;

import dev.pinion.bootstrap.datadir.DataSubdirectory;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.handlers.sql.SqlDatabase;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Objects;
import java.util.Properties;
import java.util.function.Supplier;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.JdbiException;
import org.jspecify.annotations.Nullable;

/** The tables of events in SQLite, and how they are used. */
final class EventDatabase {
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

  /** A process may lock a file only once. */
  private static final Object PREPARING = new Object();

  private EventDatabase() {}

  /**
   * Opens the database of a file, and creates it first if it is missing.
   *
   * @throws SQLException when it cannot be used; the message has the reason
   */
  static Handle open(Path file, EngineLimits limits) throws SQLException {
    try {
      DataSubdirectory.make(Objects.requireNonNull(file.toAbsolutePath().getParent()));
    } catch (IOException e) {
      throw new SQLException("the folder of external events cannot be used: " + e, e);
    }
    Handle writer = at(file, limits).open();
    try {
      prepare(writer, file);
      return writer;
    } catch (SQLException e) {
      SqlDatabase.close(writer);
      throw e;
    }
  }

  /** Replicas that start together must not create the tables concurrently. */
  private static void prepare(Handle open, Path file) throws SQLException {
    try (FileChannel lock =
        FileChannel.open(
            file.resolveSibling(file.getFileName() + ".lock"),
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE)) {
      synchronized (PREPARING) {
        lock.lock(); // released with the channel
        boolean _ = SqlDatabase.run(open, alone -> prepareAlone(alone, file));
      }
    } catch (IOException e) {
      throw new SQLException("the folder of external events cannot be used: " + e, e);
    }
  }

  /** The database of a file; a commit is forced. Nothing is opened yet. */
  static SqlDatabase at(Path file, EngineLimits limits) {
    Properties properties = new Properties();
    properties.setProperty("busy_timeout", Integer.toString(limits.events().busyMillis()));
    properties.setProperty("synchronous", "FULL");
    return new SqlDatabase(() -> DriverManager.getConnection("jdbc:sqlite:" + file, properties));
  }

  /** Whether tables were created. */
  private static boolean prepareAlone(Handle open, Path file) throws SQLException {
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

  static long mark(Handle open, String name) {
    return number(open, "SELECT value FROM mark WHERE name = ?", name);
  }

  static void mark(Handle writer, String name, long value) {
    writer.execute("INSERT OR REPLACE INTO mark (name, value) VALUES (?, ?)", name, value);
  }
}
