package dev.pinion.handlers.builtin.state;

import dev.pinion.core.codec.PayloadSyntaxException;
import dev.pinion.handlers.api.MessageId;
import dev.pinion.handlers.api.Settings;
import dev.pinion.handlers.builtin.SharedFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Received messages and their answers, in a file shared by the replicas of one machine. Messages
 * are identified by the ids of their senders; {@link #receive} records one, and {@link
 * #acknowledge} or {@link #forget} ends it, both by the id that the engine gave it. Safe for use by
 * any thread and process.
 */
final class MessageInbox implements AutoCloseable {
  private static final String TABLE =
      "CREATE TABLE IF NOT EXISTS pinion_message (id TEXT PRIMARY KEY, fingerprint TEXT NOT NULL,"
          + " passage TEXT NOT NULL, at INTEGER NOT NULL, answer TEXT) WITHOUT ROWID";
  private static final String BY_PASSAGE =
      "CREATE INDEX IF NOT EXISTS pinion_message_passage ON pinion_message (passage)";
  private static final String BY_TIME =
      "CREATE INDEX IF NOT EXISTS pinion_message_at ON pinion_message (at)";

  private static final SharedFiles<MessageInbox> FILES = new SharedFiles<>();

  private final SqliteFile file;

  /** The ledger in the setting {@code file}, which both handlers of a pair name. */
  static SharedFiles.Lease<MessageInbox> opened(Settings settings) {
    return FILES.opened(settings, MessageInbox::new);
  }

  MessageInbox(Path path) throws IOException {
    this.file = new SqliteFile(path, TABLE, BY_PASSAGE, BY_TIME);
  }

  /**
   * Bounds of stored messages.
   *
   * @param windowMillis time for which an acknowledged one is stored
   * @param patienceMillis time after which one under way is accepted again
   * @param most the most stored at a time
   */
  record InboxBounds(long windowMillis, long patienceMillis, int most) {}

  /**
   * Records a received message.
   *
   * @param id id given by its sender
   * @param fingerprint distinguishes it from another message with that id
   * @param passage id given by the engine this time
   */
  MessageReceipt receive(
      String id, String fingerprint, MessageId passage, long nowMillis, InboxBounds inboxBounds)
      throws SQLException {
    return file.transaction(
        open -> {
          open.execute(
              "DELETE FROM pinion_message WHERE at <= ?", nowMillis - inboxBounds.windowMillis());
          MessageReceipt known =
              known(open, id, fingerprint, nowMillis - inboxBounds.patienceMillis());
          if (known == null && count(open) >= inboxBounds.most()) {
            return MessageReceipt.FULL;
          }
          if (known == null || known.equals(MessageReceipt.REDELIVERED)) {
            open.execute(
                "INSERT OR REPLACE INTO pinion_message (id, fingerprint, passage, at)"
                    + " VALUES (?, ?, ?, ?)",
                id,
                fingerprint,
                passage.toString(),
                nowMillis);
          }
          return known == null ? MessageReceipt.NEW : known;
        });
  }

  private static @Nullable MessageReceipt known(
      Handle open, String id, String fingerprint, long lostBefore) {
    return open.select("SELECT fingerprint, at, answer FROM pinion_message WHERE id = ?", id)
        .map((row, _) -> receipt(row, id, fingerprint, lostBefore))
        .findOne()
        .orElse(null);
  }

  private static MessageReceipt receipt(
      ResultSet row, String id, String fingerprint, long lostBefore) throws SQLException {
    if (!row.getString(1).equals(fingerprint)) {
      return MessageReceipt.ID_REUSED;
    }
    String answer = row.getString(3);
    if (answer == null) {
      return row.getLong(2) <= lostBefore ? MessageReceipt.REDELIVERED : MessageReceipt.UNDER_WAY;
    }
    try {
      return MessageReceipt.acknowledged(StoredResponse.parse(answer));
    } catch (PayloadSyntaxException e) {
      throw new SQLException("expected an answer that was kept for " + id + ", found none", e);
    }
  }

  private static long count(Handle open) {
    return open.select("SELECT COUNT(*) FROM pinion_message").mapTo(Long.class).one();
  }

  /**
   * Records the final answer of a message: repetitions get the same one from now on.
   *
   * @return the sender's id, or null when the message has none, or took too long and was accepted
   *     again meanwhile
   */
  @Nullable String acknowledge(MessageId passage, StoredResponse answer, long nowMillis)
      throws SQLException {
    return file.<@Nullable String>transaction(
        open -> {
          String id = underWay(open, passage);
          if (id != null) {
            open.execute(
                "UPDATE pinion_message SET answer = ?, at = ? WHERE id = ?",
                answer.text(),
                nowMillis,
                id);
          }
          return id;
        });
  }

  /** Drops a message that was not accepted: a repetition is accepted. */
  void forget(MessageId passage) throws SQLException {
    file.transaction(
        open ->
            open.execute(
                "DELETE FROM pinion_message WHERE passage = ? AND answer IS NULL",
                passage.toString()));
  }

  private static @Nullable String underWay(Handle open, MessageId passage) {
    return open.select(
            "SELECT id FROM pinion_message WHERE passage = ? AND answer IS NULL",
            passage.toString())
        .mapTo(String.class)
        .findFirst()
        .orElse(null);
  }

  /** Number of stored messages. */
  long size() throws SQLException {
    return file.transaction(MessageInbox::count);
  }

  @Override
  public void close() {
    file.close();
  }
}
