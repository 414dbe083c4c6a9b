package dev.pinion.bootstrap.events;

import dev.pinion.core.limits.EngineLimits;
import dev.pinion.handlers.api.EventTables;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Rows of tables on disk, read one by one, for those that do not fit into memory. Does not wait for
 * writers. For any thread, one at a time.
 */
final class StoredRows implements AutoCloseable {
  private final Path file;
  private final EngineLimits limits;
  private @Nullable Connection connection; // guarded by this
  private @Nullable PreparedStatement query; // guarded by this

  /** Creates the rows of a file, which is opened on first use. */
  StoredRows(Path file, EngineLimits limits) {
    this.file = file;
    this.limits = limits;
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
    String removedBy = source.removedBy();
    try {
      query();
      try (PreparedStatement count =
          Objects.requireNonNull(connection)
              .prepareStatement(
                  "SELECT COUNT(*) FROM event row WHERE namespace = ? AND type = ? AND data IS NOT"
                      + " NULL AND NOT EXISTS (SELECT 1 FROM event later WHERE later.namespace ="
                      + " row.namespace AND later.type = ? AND later.subject = row.subject AND"
                      + " later.position > row.position)")) {
        count.setString(1, source.namespace());
        count.setString(2, source.type());
        count.setString(3, removedBy == null ? source.type() : removedBy);
        try (ResultSet found = count.executeQuery()) {
          found.next();
          return found.getInt(1);
        }
      }
    } catch (SQLException e) {
      close();
      throw new UncheckedIOException(
          new IOException("rows cannot be counted in " + file + ": " + e.getMessage(), e));
    }
  }

  private static byte @Nullable [] read(
      PreparedStatement query, EventTables.Source source, String subject) throws SQLException {
    String removedBy = source.removedBy();
    query.setString(1, source.namespace());
    query.setString(2, source.type());
    query.setString(3, removedBy == null ? source.type() : removedBy);
    query.setString(4, subject);
    try (ResultSet row = query.executeQuery()) {
      return row.next() && row.getString(1).equals(source.type()) ? row.getBytes(2) : null;
    }
  }

  private PreparedStatement query() throws SQLException {
    PreparedStatement open = query;
    if (open == null) {
      Connection opened = EventStore.connect(file, limits);
      connection = opened;
      open =
          opened.prepareStatement(
              "SELECT type, data FROM event WHERE namespace = ? AND type IN (?, ?)"
                  + " AND subject = ? ORDER BY position DESC LIMIT 1");
      query = open;
    }
    return open;
  }

  @Override
  public synchronized void close() {
    Connection open = connection;
    connection = null;
    query = null;
    if (open != null) {
      try {
        open.close(); // and its statement
      } catch (SQLException e) {
        // it failed before, which was reported, or is no longer usable
      }
    }
  }
}
