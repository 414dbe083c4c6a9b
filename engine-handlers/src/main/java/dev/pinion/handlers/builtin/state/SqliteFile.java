package dev.pinion.handlers.builtin.state;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * An SQLite database in a file shared by the processes of one machine. A committed transaction is
 * on disk (write-ahead log, {@code synchronous=FULL}). One connection for each process, used by one
 * thread at a time; safe for use by any.
 */
final class SqliteFile implements AutoCloseable {
  /** Longest wait of a transaction for those of other processes, in milliseconds. */
  static final int BUSY_MILLIS = 3_000;

  private final Path path;
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable Connection connection; // guarded by the lock

  /**
   * Opens a database, or makes one.
   *
   * @param tables statements that create missing tables
   * @throws IOException when it cannot be used
   */
  SqliteFile(Path path, String... tables) throws IOException {
    this.path = path;
    try {
      transaction(
          open -> {
            try (Statement statement = open.createStatement()) {
              for (String each : tables) {
                statement.execute(each);
              }
            }
            return tables.length;
          });
    } catch (SQLException e) {
      throw new IOException("no usable database of SQLite in " + path + ": " + e.getMessage(), e);
    }
  }

  /** Work of a transaction. */
  interface Transaction<T extends @Nullable Object> {
    /** Does the work; all of it is undone when it throws. */
    T on(Connection open) throws SQLException;
  }

  /**
   * Runs a transaction, while no other thread or process writes.
   *
   * @throws SQLException when it has no effect; or, if the commit fails, perhaps no effect
   */
  <T extends @Nullable Object> T transaction(Transaction<T> work) throws SQLException {
    lock.lock();
    try {
      Connection open = open();
      T result = work.on(open);
      open.commit();
      return result;
    } catch (SQLException | RuntimeException e) {
      disconnect(); // rolls back, in any state
      throw e;
    } finally {
      lock.unlock();
    }
  }

  private Connection open() throws SQLException {
    Connection known = connection;
    if (known == null) {
      Properties properties = new Properties();
      properties.setProperty("busy_timeout", Integer.toString(BUSY_MILLIS));
      properties.setProperty("journal_mode", "WAL");
      properties.setProperty("synchronous", "FULL");
      properties.setProperty("transaction_mode", "IMMEDIATE");
      known = DriverManager.getConnection("jdbc:sqlite:" + path, properties);
      known.setAutoCommit(false);
      connection = known;
    }
    return known;
  }

  private void disconnect() {
    Connection known = connection;
    connection = null;
    if (known != null) {
      try {
        known.close();
      } catch (SQLException e) {
        // the first failure is reported
      }
    }
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
