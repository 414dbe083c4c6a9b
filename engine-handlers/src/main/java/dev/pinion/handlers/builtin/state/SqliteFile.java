package dev.pinion.handlers.builtin.state;

import dev.pinion.handlers.sql.SqlDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;
import java.util.concurrent.locks.ReentrantLock;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * An SQLite database in a file shared by the processes of one machine. A committed transaction is
 * on disk (write-ahead log, {@code synchronous=FULL}). One connection for each process, used by one
 * thread at a time; safe for use by any.
 */
final class SqliteFile implements AutoCloseable {
  /** Longest wait of a transaction for those of other processes, in milliseconds. */
  static final int BUSY_MILLIS = 3_000;

  private final SqlDatabase database;
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable Handle handle; // guarded by the lock

  /**
   * Opens a database, or makes one.
   *
   * @param tables statements that create missing tables
   * @throws IOException when it cannot be used
   */
  SqliteFile(Path path, String... tables) throws IOException {
    this.database = new SqlDatabase(() -> connect(path));
    try {
      transaction(
          open -> {
            for (String each : tables) {
              open.execute(each);
            }
            return tables.length;
          });
    } catch (SQLException e) {
      throw new IOException("no usable database of SQLite in " + path + ": " + e.getMessage(), e);
    }
  }

  /**
   * Runs a transaction, while no other thread or process writes; all of it is undone when it
   * throws.
   *
   * @throws SQLException when it has no effect; or, if the commit fails, perhaps no effect
   */
  <T extends @Nullable Object> T transaction(SqlDatabase.Work<T> work) throws SQLException {
    lock.lock();
    try {
      return SqlDatabase.commit(open(), work);
    } catch (SQLException | RuntimeException e) {
      disconnect(); // rolls back, in any state
      throw e;
    } finally {
      lock.unlock();
    }
  }

  private static Connection connect(Path path) throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("busy_timeout", Integer.toString(BUSY_MILLIS));
    properties.setProperty("journal_mode", "WAL");
    properties.setProperty("synchronous", "FULL");
    properties.setProperty("transaction_mode", "IMMEDIATE");
    Connection connection = DriverManager.getConnection("jdbc:sqlite:" + path, properties);
    connection.setAutoCommit(false);
    return connection;
  }

  private Handle open() throws SQLException {
    Handle open = handle;
    if (open == null) {
      open = database.open();
      handle = open;
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
