package dev.pinion.bootstrap.history;

import dev.pinion.core.spi.HistoryUnavailableException;
import dev.pinion.handlers.sql.SqlDatabase;
import java.sql.SQLException;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Connections for queries, one for each concurrent thread; none is opened before the first query.
 * For any thread.
 */
final class ReaderConnections implements AutoCloseable {
  private final HistoryDatabase database;
  private final ConcurrentLinkedDeque<OpenConnection> idle = new ConcurrentLinkedDeque<>();

  /** A connection to a file. */
  private record OpenConnection(Handle open, @Nullable Object file) {}

  ReaderConnections(HistoryDatabase database) {
    this.database = database;
  }

  /** Asks the database. */
  <T extends @Nullable Object> T query(SqlDatabase.Work<T> query)
      throws HistoryUnavailableException {
    try {
      return run(query, open());
    } catch (SQLException e) {
      if (EmbeddedDatabaseFile.isDamage(e)) {
        return askAnew(query);
      }
      throw new HistoryUnavailableException("the database of the history cannot be read now", e);
    }
  }

  /** Damage that a fresh connection meets as well is damage of the file. */
  private <T extends @Nullable Object> T askAnew(SqlDatabase.Work<T> query)
      throws HistoryUnavailableException {
    Object file = database.identity();
    try {
      return run(query, new OpenConnection(database.reader().open(), file));
    } catch (SQLException e) {
      database.tellDamage(e, file);
      throw new HistoryUnavailableException(
          EmbeddedDatabaseFile.isDamage(e)
              ? "the database of the history is damaged; it is made again from the journals"
              : "the database of the history cannot be read now",
          e);
    }
  }

  private <T extends @Nullable Object> T run(SqlDatabase.Work<T> query, OpenConnection connection)
      throws SQLException {
    Handle open = connection.open();
    try {
      T answer = SqlDatabase.run(open, query);
      if (open.isInTransaction()) {
        SqlDatabase.run(open, Handle::rollback); // the next query must see later writes
      }
      idle.push(connection);
      return answer;
    } catch (SQLException | RuntimeException | Error e) {
      SqlDatabase.close(open); // it may be amid a result
      throw e;
    }
  }

  /** A connection to the present file: the history may have set the previous one aside. */
  private OpenConnection open() throws SQLException {
    Object file = database.identity();
    for (OpenConnection each = idle.poll(); each != null; each = idle.poll()) {
      if (Objects.equals(each.file(), file)) {
        return each;
      }
      SqlDatabase.close(each.open());
    }
    return new OpenConnection(database.reader().open(), file);
  }

  @Override
  public void close() {
    for (OpenConnection each = idle.poll(); each != null; each = idle.poll()) {
      SqlDatabase.close(each.open());
    }
  }
}
