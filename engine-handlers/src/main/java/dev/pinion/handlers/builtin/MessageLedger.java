package dev.pinion.handlers.builtin;

import dev.pinion.core.model.PayloadSyntaxException;
import dev.pinion.handlers.api.MessageId;
import dev.pinion.handlers.api.Settings;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * Which messages have come, and how they were answered, in a file that replicas of one machine
 * share. A message has come under an id that its sender gave it; {@link #receive} notes it, and
 * {@link #acknowledge} or {@link #forget} ends it, both by the id that the engine gave it. Safe for
 * use by any thread and process.
 */
final class MessageLedger implements AutoCloseable {
  private static final String TABLE =
      "CREATE TABLE IF NOT EXISTS pinion_message (id TEXT PRIMARY KEY, fingerprint TEXT NOT NULL,"
          + " passage TEXT NOT NULL, at INTEGER NOT NULL, answer TEXT) WITHOUT ROWID";
  private static final String BY_PASSAGE =
      "CREATE INDEX IF NOT EXISTS pinion_message_passage ON pinion_message (passage)";
  private static final String BY_TIME =
      "CREATE INDEX IF NOT EXISTS pinion_message_at ON pinion_message (at)";

  private static final Shared<MessageLedger> FILES = new Shared<>();

  private final SqliteFile file;

  /** The ledger of the setting {@code file}, which both handlers of a pair name. */
  static Shared.Use<MessageLedger> opened(Settings settings) {
    return FILES.opened(settings, MessageLedger::new);
  }

  MessageLedger(Path path) throws IOException {
    this.file = new SqliteFile(path, TABLE, BY_PASSAGE, BY_TIME);
  }

  /**
   * How long and how many messages are remembered.
   *
   * @param windowMillis for how long an acknowledged one is known
   * @param patienceMillis for how long one may be under way before it is let through again
   * @param most the most at a time
   */
  record Bounds(long windowMillis, long patienceMillis, int most) {}

  /**
   * A message has come.
   *
   * @param id what its sender calls it
   * @param fingerprint what tells it from another message with that id
   * @param passage what the engine calls it this time
   */
  Reception receive(String id, String fingerprint, MessageId passage, long nowMillis, Bounds bounds)
      throws SQLException {
    return file.transaction(
        open -> {
          forgetOld(open, nowMillis - bounds.windowMillis());
          Reception known = known(open, id, fingerprint, nowMillis - bounds.patienceMillis());
          if (known == null && count(open) >= bounds.most()) {
            return Reception.FULL;
          }
          if (known == null || known.equals(Reception.AGAIN)) {
            note(open, id, fingerprint, passage, nowMillis);
          }
          return known == null ? Reception.NEW : known;
        });
  }

  private static void forgetOld(Connection open, long beforeMillis) throws SQLException {
    try (PreparedStatement delete =
        open.prepareStatement("DELETE FROM pinion_message WHERE at <= ?")) {
      delete.setLong(1, beforeMillis);
      delete.executeUpdate();
    }
  }

  private static @Nullable Reception known(
      Connection open, String id, String fingerprint, long lostBefore) throws SQLException {
    try (PreparedStatement select =
        open.prepareStatement("SELECT fingerprint, at, answer FROM pinion_message WHERE id = ?")) {
      select.setString(1, id);
      ResultSet row = select.executeQuery();
      if (!row.next()) {
        return null;
      }
      if (!row.getString(1).equals(fingerprint)) {
        return Reception.ANOTHER;
      }
      String answer = row.getString(3);
      if (answer != null) {
        return Reception.acknowledged(KeptAnswer.parse(answer));
      }
      return row.getLong(2) <= lostBefore ? Reception.AGAIN : Reception.UNDER_WAY;
    } catch (PayloadSyntaxException e) {
      throw new SQLException("expected an answer that was kept for " + id + ", found none", e);
    }
  }

  private static long count(Connection open) throws SQLException {
    try (Statement select = open.createStatement();
        ResultSet row = select.executeQuery("SELECT COUNT(*) FROM pinion_message")) {
      return row.next() ? row.getLong(1) : 0;
    }
  }

  private static void note(
      Connection open, String id, String fingerprint, MessageId passage, long nowMillis)
      throws SQLException {
    try (PreparedStatement insert =
        open.prepareStatement(
            "INSERT OR REPLACE INTO pinion_message (id, fingerprint, passage, at) VALUES (?, ?, ?,"
                + " ?)")) {
      insert.setString(1, id);
      insert.setString(2, fingerprint);
      insert.setString(3, passage.toString());
      insert.setLong(4, nowMillis);
      insert.executeUpdate();
    }
  }

  /**
   * A message is answered for good: from now on it is answered so whenever it comes again.
   *
   * @return what its sender calls it, or null when it did not come with an id, or took too long and
   *     was let through again meanwhile
   */
  @Nullable String acknowledge(MessageId passage, KeptAnswer answer, long nowMillis)
      throws SQLException {
    return file.<@Nullable String>transaction(
        open -> {
          String id = underWay(open, passage);
          if (id != null) {
            try (PreparedStatement update =
                open.prepareStatement(
                    "UPDATE pinion_message SET answer = ?, at = ? WHERE id = ?")) {
              update.setString(1, answer.text());
              update.setLong(2, nowMillis);
              update.setString(3, id);
              update.executeUpdate();
            }
          }
          return id;
        });
  }

  /** A message was not accepted: when it comes again, it is let through. */
  void forget(MessageId passage) throws SQLException {
    file.transaction(
        open -> {
          try (PreparedStatement delete =
              open.prepareStatement(
                  "DELETE FROM pinion_message WHERE passage = ? AND answer IS NULL")) {
            delete.setString(1, passage.toString());
            return delete.executeUpdate();
          }
        });
  }

  private static @Nullable String underWay(Connection open, MessageId passage) throws SQLException {
    try (PreparedStatement select =
        open.prepareStatement(
            "SELECT id FROM pinion_message WHERE passage = ? AND answer IS NULL")) {
      select.setString(1, passage.toString());
      ResultSet row = select.executeQuery();
      return row.next() ? row.getString(1) : null;
    }
  }

  /** How many messages are remembered. */
  long size() throws SQLException {
    return file.transaction(MessageLedger::count);
  }

  @Override
  public void close() {
    file.close();
  }
}
