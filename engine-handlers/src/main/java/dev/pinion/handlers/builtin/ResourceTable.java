package dev.pinion.handlers.builtin;

import dev.pinion.handlers.api.MessageId;
import dev.pinion.handlers.api.Settings;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Named resources with a value and a version, in a file that replicas of one machine share. Changes
 * are prepared by one message, which keeps others from the resource, and committed or rolled back
 * later; what is prepared for longer than its time is given up. Nobody reads what is only prepared.
 * Safe for use by any thread and process.
 */
final class ResourceTable implements AutoCloseable {
  /** The version of a resource that is not there. */
  static final long ABSENT = 0;

  private static final String RESOURCES =
      "CREATE TABLE IF NOT EXISTS pinion_resource (name TEXT PRIMARY KEY, version INTEGER NOT NULL,"
          + " value TEXT NOT NULL) WITHOUT ROWID";

  /** A null value stands for a resource that is to be deleted. */
  private static final String PREPARED =
      "CREATE TABLE IF NOT EXISTS pinion_resource_change (name TEXT PRIMARY KEY, message TEXT NOT"
          + " NULL, version INTEGER NOT NULL, value TEXT, until INTEGER NOT NULL) WITHOUT ROWID";

  /** Versions go on where a deleted resource had left them, so that none is ever seen twice. */
  private static final String LAST =
      "CREATE TABLE IF NOT EXISTS pinion_resource_last (one INTEGER PRIMARY KEY, version INTEGER"
          + " NOT NULL)";

  private static final Shared<ResourceTable> FILES = new Shared<>();

  private final SqliteFile file;

  /** The table of the setting {@code file}. */
  static Shared.Use<ResourceTable> opened(Settings settings) {
    return FILES.opened(settings, ResourceTable::new);
  }

  ResourceTable(Path path) throws IOException {
    this.file =
        new SqliteFile(
            path,
            RESOURCES,
            PREPARED,
            LAST,
            "INSERT INTO pinion_resource_last (one, version) VALUES (1, 0) ON CONFLICT DO NOTHING");
  }

  /**
   * A resource.
   *
   * @param version above 0; a later one is higher
   * @param value as JSON
   */
  record Resource(long version, String value) {}

  /**
   * A change.
   *
   * @param message for which message
   * @param name of the resource
   * @param value its value as JSON from then on; null when it is deleted
   * @param insert whether there must be none of that name; else there must be one
   * @param expected version that it must have, or {@link #ABSENT} when any will do
   */
  record Change(
      MessageId message, String name, @Nullable String value, boolean insert, long expected) {}

  /**
   * What became of a change.
   *
   * @param kind whether it is prepared, or why not
   * @param version that the resource will have; of one that was changed, that it has
   */
  record Prepared(Kind kind, long version) {
    /** Whether a change is prepared, or why not. */
    enum Kind {
      /** It is, and nobody else can change the resource. */
      DONE,
      /** There is none to change. */
      ABSENT,
      /** There is one already. */
      EXISTS,
      /** It has another version than was expected. */
      CHANGED,
      /** Another message changes it. */
      BUSY,
      /** There are as many resources as there may be. */
      FULL
    }
  }

  /** A resource as it was committed last, or null when there is none. */
  @Nullable Resource find(String name) throws SQLException {
    return file.<@Nullable Resource>transaction(open -> find(open, name));
  }

  private static @Nullable Resource find(Connection open, String name) throws SQLException {
    try (PreparedStatement select =
        open.prepareStatement("SELECT version, value FROM pinion_resource WHERE name = ?")) {
      select.setString(1, name);
      ResultSet row = select.executeQuery();
      return row.next() ? new Resource(row.getLong(1), row.getString(2)) : null;
    }
  }

  /**
   * Prepares a change.
   *
   * @param nowMillis wall-clock time
   * @param keptMillis for how long it may be committed
   * @param most the most resources, those included that are about to be inserted
   */
  Prepared prepare(Change change, long nowMillis, long keptMillis, int most) throws SQLException {
    return file.transaction(
        open -> {
          giveUp(open, nowMillis);
          Resource known = find(open, change.name());
          Prepared against = against(open, change, known, most);
          if (against != null) {
            return against;
          }
          long version = nextVersion(open);
          try (PreparedStatement insert =
              open.prepareStatement(
                  "INSERT INTO pinion_resource_change (name, message, version, value, until)"
                      + " VALUES (?, ?, ?, ?, ?)")) {
            insert.setString(1, change.name());
            insert.setString(2, change.message().toString());
            insert.setLong(3, version);
            insert.setString(4, change.value());
            insert.setLong(5, nowMillis + keptMillis);
            insert.executeUpdate();
          }
          return new Prepared(Prepared.Kind.DONE, version);
        });
  }

  private static @Nullable Prepared against(
      Connection open, Change change, @Nullable Resource known, int most) throws SQLException {
    long version = known == null ? ABSENT : known.version();
    if (count(open, "SELECT COUNT(*) FROM pinion_resource_change WHERE name = ?", change.name())
        > 0) {
      return new Prepared(Prepared.Kind.BUSY, version);
    }
    if (change.insert() != (known == null)) {
      return new Prepared(change.insert() ? Prepared.Kind.EXISTS : Prepared.Kind.ABSENT, version);
    }
    if (change.expected() != ABSENT && change.expected() != version) {
      return new Prepared(Prepared.Kind.CHANGED, version);
    }
    boolean full =
        change.insert()
            && count(open, "SELECT COUNT(*) FROM pinion_resource", null)
                    + count(open, "SELECT COUNT(*) FROM pinion_resource_change", null)
                >= most;
    return full ? new Prepared(Prepared.Kind.FULL, version) : null;
  }

  private static long count(Connection open, String query, @Nullable String name)
      throws SQLException {
    try (PreparedStatement select = open.prepareStatement(query)) {
      if (name != null) {
        select.setString(1, name);
      }
      ResultSet row = select.executeQuery();
      return row.next() ? row.getLong(1) : 0;
    }
  }

  private static long nextVersion(Connection open) throws SQLException {
    try (PreparedStatement update =
        open.prepareStatement(
            "UPDATE pinion_resource_last SET version = version + 1 RETURNING version")) {
      ResultSet row = update.executeQuery();
      row.next();
      return row.getLong(1);
    }
  }

  /** All that a message has prepared, or none of it. */
  private static void giveUp(Connection open, long nowMillis) throws SQLException {
    try (PreparedStatement delete =
        open.prepareStatement(
            "DELETE FROM pinion_resource_change WHERE message IN (SELECT message FROM"
                + " pinion_resource_change WHERE until <= ?)")) {
      delete.setLong(1, nowMillis);
      delete.executeUpdate();
    }
  }

  /**
   * Makes what a message has prepared.
   *
   * @return how many changes that were
   */
  int commit(MessageId message) throws SQLException {
    return file.transaction(
        open -> {
          run(
              open,
              "INSERT OR REPLACE INTO pinion_resource (name, version, value) SELECT name, version,"
                  + " value FROM pinion_resource_change WHERE message = ? AND value IS NOT NULL",
              message);
          run(
              open,
              "DELETE FROM pinion_resource WHERE name IN (SELECT name FROM pinion_resource_change"
                  + " WHERE message = ? AND value IS NULL)",
              message);
          return run(open, "DELETE FROM pinion_resource_change WHERE message = ?", message);
        });
  }

  /** Gives up what a message has prepared, if it has. */
  int rollBack(MessageId message) throws SQLException {
    return file.transaction(
        open -> run(open, "DELETE FROM pinion_resource_change WHERE message = ?", message));
  }

  private static int run(Connection open, String statement, MessageId message) throws SQLException {
    try (PreparedStatement prepared = open.prepareStatement(statement)) {
      prepared.setString(1, message.toString());
      return prepared.executeUpdate();
    }
  }

  @Override
  public void close() {
    file.close();
  }
}
