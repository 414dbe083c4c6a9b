package dev.pinion.bootstrap.history;

import dev.pinion.bootstrap.publish.CloudEvents;
import dev.pinion.core.model.HistoryEvent;
import dev.pinion.core.model.PayloadCodec;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * Puts events that a subscription wants into the outbox, within one transaction. Used by one
 * thread.
 */
final class OutboxRows implements AutoCloseable {
  private final Connection connection;
  private final Outbox outbox;
  private final CloudEvents events;
  private final PreparedStatement insert;

  /**
   * Rows of a transaction.
   *
   * @param maxValueChars characters of one input, output or error; longer errors are truncated, of
   *     other longer ones only the length is included
   */
  OutboxRows(Connection connection, Outbox outbox, PayloadCodec codec, int maxValueChars)
      throws SQLException {
    this.connection = connection;
    this.outbox = outbox;
    this.events = new CloudEvents(codec, maxValueChars);
    this.insert =
        connection.prepareStatement(
            "INSERT INTO outbox (id, sequence, kind, namespace, name, event)"
                + " SELECT ?, ?, ?, ?, ?, ? WHERE NOT EXISTS"
                + " (SELECT 1 FROM event WHERE id = ? AND sequence = ?)"
                + " ON CONFLICT (id, sequence) DO NOTHING");
  }

  /**
   * Adds a change, before it is written to the tables of the history: changes in these have been in
   * the outbox already.
   */
  void add(Change change) throws SQLException {
    if (change instanceof Change.Happened happened && outbox.wants(happened.event())) {
      add(happened.event());
    } else if (change instanceof Change.Retracted retracted) {
      retract(retracted);
    }
  }

  private void add(HistoryEvent event) throws SQLException {
    insert.setLong(1, event.id().value());
    insert.setLong(2, event.sequence());
    insert.setString(3, event.kind().name());
    insert.setString(4, event.definition().namespace());
    insert.setString(5, event.definition().name());
    insert.setString(6, Text.storable(events.text(event)));
    insert.setLong(7, event.id().value());
    insert.setLong(8, event.sequence());
    insert.executeUpdate();
  }

  private void retract(Change.Retracted retracted) throws SQLException {
    try (PreparedStatement delete =
        connection.prepareStatement("DELETE FROM outbox WHERE id = ? AND sequence >= ?")) {
      delete.setLong(1, retracted.id().value());
      delete.setLong(2, retracted.sequence());
      delete.executeUpdate();
    }
  }

  @Override
  public void close() throws SQLException {
    insert.close();
  }
}
