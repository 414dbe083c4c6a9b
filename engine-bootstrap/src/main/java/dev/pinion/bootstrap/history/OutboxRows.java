package dev.pinion.bootstrap.history;

import dev.pinion.bootstrap.history.publish.CloudEventWriter;
import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.model.instance.HistoryEvent;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.jdbi.v3.core.Handle;

/**
 * Puts events that a subscription wants into the outbox, within one transaction. Used by one
 * thread. The insertion is that of JDBC, prepared once: with JDBI a row costs twice as much.
 */
final class OutboxRows implements AutoCloseable {
  private final Handle open;
  private final Outbox outbox;
  private final CloudEventWriter events;
  private final PreparedStatement insert;

  /**
   * Rows of a transaction.
   *
   * @param maxValueChars characters of one input, output or error; longer errors are truncated, of
   *     other longer ones only the length is included
   */
  OutboxRows(Handle open, Outbox outbox, PayloadCodec codec, int maxValueChars)
      throws SQLException {
    this.open = open;
    this.outbox = outbox;
    this.events = new CloudEventWriter(codec, maxValueChars);
    this.insert =
        open.getConnection()
            .prepareStatement(
                "INSERT INTO outbox (id, sequence, kind, namespace, name, event)"
                    + " SELECT ?, ?, ?, ?, ?, ? WHERE NOT EXISTS"
                    + " (SELECT 1 FROM event WHERE id = ? AND sequence = ?)"
                    + " ON CONFLICT (id, sequence) DO NOTHING");
  }

  /**
   * Adds a change, before it is written to the tables of the history: changes in these have been in
   * the outbox already.
   */
  void add(HistoryChange historyChange) throws SQLException {
    if (historyChange instanceof HistoryChange.EventRecorded eventRecorded
        && outbox.matches(eventRecorded.event())) {
      add(eventRecorded.event());
    } else if (historyChange instanceof HistoryChange.InstanceRetracted instanceRetracted) {
      retract(instanceRetracted);
    }
  }

  private void add(HistoryEvent event) throws SQLException {
    insert.setLong(1, event.id().value());
    insert.setLong(2, event.sequence());
    insert.setString(3, event.kind().name());
    insert.setString(4, event.definition().namespace());
    insert.setString(5, event.definition().name());
    insert.setString(6, DatabaseText.storable(events.text(event)));
    insert.setLong(7, event.id().value());
    insert.setLong(8, event.sequence());
    insert.executeUpdate();
  }

  private void retract(HistoryChange.InstanceRetracted instanceRetracted) {
    open.execute(
        "DELETE FROM outbox WHERE id = ? AND sequence >= ?",
        instanceRetracted.id().value(),
        instanceRetracted.sequence());
  }

  @Override
  public void close() throws SQLException {
    insert.close();
  }
}
