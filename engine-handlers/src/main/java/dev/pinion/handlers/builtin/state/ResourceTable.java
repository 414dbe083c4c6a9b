package dev.pinion.handlers.builtin.state;

import dev.pinion.handlers.api.MessageId;
import dev.pinion.handlers.api.Settings;
import dev.pinion.handlers.builtin.SharedFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Named resources with a value and a version, in a file that replicas of one machine share. Changes
 * are prepared by one message, which locks the resource, and committed or rolled back later; a
 * prepared change is dropped after its time-out. Prepared changes are not visible. Safe for use by
 * any thread and process.
 */
final class ResourceTable implements AutoCloseable {
  /** The version of a resource that does not exist. */
  static final long ABSENT = 0;

  private static final String RESOURCES =
      "CREATE TABLE IF NOT EXISTS pinion_resource (name TEXT PRIMARY KEY, version INTEGER NOT NULL,"
          + " value TEXT NOT NULL) WITHOUT ROWID";

  /** A null value stands for a resource that is to be deleted. */
  private static final String PREPARED =
      "CREATE TABLE IF NOT EXISTS pinion_resource_change (name TEXT PRIMARY KEY, message TEXT NOT"
          + " NULL, version INTEGER NOT NULL, value TEXT, until INTEGER NOT NULL) WITHOUT ROWID";

  /** Versions continue after those of deleted resources, so that none is ever used twice. */
  private static final String LAST =
      "CREATE TABLE IF NOT EXISTS pinion_resource_last (one INTEGER PRIMARY KEY, version INTEGER"
          + " NOT NULL)";

  private static final SharedFiles<ResourceTable> FILES = new SharedFiles<>();

  private final SqliteFile file;

  /** The table in the setting {@code file}. */
  static SharedFiles.Lease<ResourceTable> opened(Settings settings) {
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
   * @param message its message
   * @param name name of the resource
   * @param value its new value as JSON; null when it is deleted
   * @param insert whether the resource must not exist; otherwise it must
   * @param expected version that it must have, or {@link #ABSENT} when any will do
   */
  record TableChange(
      MessageId message, String name, @Nullable String value, boolean insert, long expected) {}

  /**
   * Result of preparing a change.
   *
   * @param kind whether it is prepared, or why not
   * @param version next version of the resource; its present version if that was not the expected
   *     one
   */
  record Prepared(ChangeResult kind, long version) {
    /** Whether a change is prepared, or why not. */
    enum ChangeResult {
      /** It is, and no other message can change the resource. */
      DONE,
      /** The resource does not exist. */
      ABSENT,
      /** The resource exists already. */
      EXISTS,
      /** The resource has another version than expected. */
      CHANGED,
      /** Another message changes it. */
      BUSY,
      /** The number of resources has reached its limit. */
      FULL
    }
  }

  /** The last committed state of a resource, or null when there is none. */
  @Nullable Resource find(String name) throws SQLException {
    return file.<@Nullable Resource>transaction(open -> find(open, name));
  }

  private static @Nullable Resource find(Handle open, String name) {
    return open.select("SELECT version, value FROM pinion_resource WHERE name = ?", name)
        .map((row, _) -> new Resource(row.getLong(1), row.getString(2)))
        .findOne()
        .orElse(null);
  }

  /**
   * Prepares a change.
   *
   * @param nowMillis wall-clock time
   * @param keptMillis time within which it may be committed
   * @param most the most resources, including those about to be inserted
   */
  Prepared prepare(TableChange tableChange, long nowMillis, long keptMillis, int most)
      throws SQLException {
    return file.transaction(
        open -> {
          giveUp(open, nowMillis);
          Resource known = find(open, tableChange.name());
          Prepared against = against(open, tableChange, known, most);
          if (against != null) {
            return against;
          }
          long version = nextVersion(open);
          open.execute(
              "INSERT INTO pinion_resource_change (name, message, version, value, until)"
                  + " VALUES (?, ?, ?, ?, ?)",
              tableChange.name(),
              tableChange.message().toString(),
              version,
              tableChange.value(),
              nowMillis + keptMillis);
          return new Prepared(Prepared.ChangeResult.DONE, version);
        });
  }

  private static @Nullable Prepared against(
      Handle open, TableChange tableChange, @Nullable Resource known, int most) {
    long version = known == null ? ABSENT : known.version();
    if (count(
            open, "SELECT COUNT(*) FROM pinion_resource_change WHERE name = ?", tableChange.name())
        > 0) {
      return new Prepared(Prepared.ChangeResult.BUSY, version);
    }
    if (tableChange.insert() != (known == null)) {
      return new Prepared(
          tableChange.insert() ? Prepared.ChangeResult.EXISTS : Prepared.ChangeResult.ABSENT,
          version);
    }
    if (tableChange.expected() != ABSENT && tableChange.expected() != version) {
      return new Prepared(Prepared.ChangeResult.CHANGED, version);
    }
    boolean full =
        tableChange.insert()
            && count(open, "SELECT COUNT(*) FROM pinion_resource")
                    + count(open, "SELECT COUNT(*) FROM pinion_resource_change")
                >= most;
    return full ? new Prepared(Prepared.ChangeResult.FULL, version) : null;
  }

  private static long count(Handle open, String query, Object... values) {
    return open.select(query, values).mapTo(Long.class).one();
  }

  private static long nextVersion(Handle open) {
    return count(open, "UPDATE pinion_resource_last SET version = version + 1 RETURNING version");
  }

  /** Drops expired changes, always all of a message. */
  private static void giveUp(Handle open, long nowMillis) {
    open.execute(
        "DELETE FROM pinion_resource_change WHERE message IN (SELECT message FROM"
            + " pinion_resource_change WHERE until <= ?)",
        nowMillis);
  }

  /**
   * Commits the changes that a message has prepared.
   *
   * @return number of changes
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

  /** Drops the changes that a message has prepared, if any; returns how many. */
  int rollBack(MessageId message) throws SQLException {
    return file.transaction(
        open -> run(open, "DELETE FROM pinion_resource_change WHERE message = ?", message));
  }

  private static int run(Handle open, String statement, MessageId message) {
    return open.execute(statement, message.toString());
  }

  @Override
  public void close() {
    file.close();
  }
}
