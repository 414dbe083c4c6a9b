package dev.pinion.bootstrap.events;

import dev.pinion.core.limits.EngineLimits;
import dev.pinion.handlers.api.EventTables;
import dev.pinion.handlers.sql.SqlDatabase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Rows of tables on disk, read one by one, for those that do not fit into memory. Does not wait for
 * writers. For any thread, one at a time. The query of a row is that of JDBC, prepared once:
 * handlers wait for it.
 */
final class StoredRows implements AutoCloseable {
  private final Path file;
  private final SqlDatabase database;
  private @Nullable Handle handle; // guarded by this
  private @Nullable PreparedStatement query; // guarded by this

  /** Creates the rows of a file, which is opened on first use. */
  StoredRows(Path file, EngineLimits limits) {
    this.file = file;
    this.database = EventDatabase.at(file, limits);
  }

  /**
   * The row of a subject as JSON, or null.
   *
   * @throws UncheckedIOException when it cannot be read now
   */
  synchronized byte @Nullable [] row(EventTables.Source source, String subject) {
    try {
      return read(query(), source, subject);
    } catch (SQLException e) {
      close();
      throw new UncheckedIOException(
          new IOException(
              "the row of " + subject + " cannot be read in " + file + ": " + e.getMessage(), e));
    }
  }

  /**
   * Number of subjects with a row.
   *
   * @throws UncheckedIOException when that cannot be read now
   */
  synchronized int count(EventTables.Source source) {
    try {
      return SqlDatabase.run(
          open(),
          open ->
              open.select(
                      "SELECT COUNT(*) FROM event row WHERE namespace = ? AND type = ? AND data IS"
                          + " NOT NULL AND NOT EXISTS (SELECT 1 FROM event later WHERE"
                          + " later.namespace = row.namespace AND later.type = ? AND later.subject"
                          + " = row.subject AND later.position > row.position)",
                      source.namespace(),
                      source.type(),
                      removedBy(source))
                  .mapTo(Integer.class)
                  .one());
    } catch (SQLException e) {
      close();
      throw new UncheckedIOException(
          new IOException("rows cannot be counted in " + file + ": " + e.getMessage(), e));
    }
  }

  private static byte @Nullable [] read(
      PreparedStatement query, EventTables.Source source, String subject) throws SQLException {
    query.setString(1, source.namespace());
    query.setString(2, source.type());
    query.setString(3, removedBy(source));
    query.setString(4, subject);
    try (ResultSet row = query.executeQuery()) {
      return row.next() && row.getString(1).equals(source.type()) ? row.getBytes(2) : null;
    }
  }

  private static String removedBy(EventTables.Source source) {
    String removedBy = source.removedBy();
    return removedBy == null ? source.type() : removedBy;
  }

  private PreparedStatement query() throws SQLException {
    PreparedStatement prepared = query;
    if (prepared == null) {
      prepared =
          open()
              .getConnection()
              .prepareStatement(
                  "SELECT type, data FROM event WHERE namespace = ? AND type IN (?, ?)"
                      + " AND subject = ? ORDER BY position DESC LIMIT 1");
      query = prepared;
    }
    return prepared;
  }

  private Handle open() throws SQLException {
    Handle open = handle;
    if (open == null) {
      open = database.open();
      handle = open;
    }
    return open;
  }

  @Override
  public synchronized void close() {
    query = null; // closed with its connection
    SqlDatabase.close(handle);
    handle = null;
  }
}
