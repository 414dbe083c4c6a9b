package dev.pinion.bootstrap.history;

import dev.pinion.core.model.HistoryEvent;
import dev.pinion.core.model.HistoryEvent.EventKind;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.InstanceState;
import dev.pinion.core.model.InstanceView;
import dev.pinion.core.model.Tags;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Rows of the tables of instances and labels within one transaction: only the combined effect of
 * many events of an instance is written. A row never returns to its state before an event that it
 * includes. Used by one thread.
 */
final class InstanceRows implements AutoCloseable {
  static final String UNKNOWN = "UNKNOWN";

  /** Bits that number the events within one step. */
  private static final int STEP_SHIFT = 24;

  private final Connection connection;
  private final ColumnValue values;
  private final PreparedStatement insert;
  private final PreparedStatement insertLabel;
  private final PreparedStatement revive;
  private final PreparedStatement update;
  private final LongValues longValues;
  private final Map<Long, Outcome> outcomes = new LinkedHashMap<>();

  /** Combined effect of the events of an instance. */
  private static final class Outcome {
    private long sequence;
    private @Nullable String state;
    private @Nullable HistoryEvent end;

    /** Whether an earlier end no longer counts. */
    private boolean revived;
  }

  /**
   * Rows of a transaction.
   *
   * @param maxOutputBytes most bytes of a long output or error as JSON that is stored separately
   */
  InstanceRows(Connection connection, ColumnValue values, int maxOutputBytes) throws SQLException {
    this.connection = connection;
    this.longValues = new LongValues(connection, values, maxOutputBytes);
    this.values = values;
    this.insert =
        connection.prepareStatement(
            "INSERT INTO instance (id, namespace, name, version, state, sequence, started_at,"
                + " business_key, input, omitted_chars) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
                + " ON CONFLICT (id) DO UPDATE SET business_key = excluded.business_key,"
                + " input = excluded.input");
    this.insertLabel =
        connection.prepareStatement(
            "INSERT INTO label (id, name, value) VALUES (?, ?, ?)"
                + " ON CONFLICT (id, name) DO NOTHING");
    this.revive =
        connection.prepareStatement(
            "UPDATE instance SET ended_at = NULL, output = NULL, error = NULL"
                + " WHERE id = ? AND sequence < ?");
    this.update =
        connection.prepareStatement(
            "UPDATE instance SET state = COALESCE(?, state), sequence = ?,"
                + " ended_at = COALESCE(?, ended_at), output = COALESCE(?, output),"
                + " error = COALESCE(?, error), omitted_chars = omitted_chars + ?"
                + " WHERE id = ? AND sequence < ?");
  }

  /** Adds an event. */
  void add(HistoryEvent event) throws SQLException {
    if (event.kind() == EventKind.INSTANCE_STARTED) {
      insert(event);
    }
    Outcome outcome = outcomes.computeIfAbsent(event.id().value(), _ -> new Outcome());
    if (event.sequence() >= outcome.sequence) {
      outcome.sequence = event.sequence();
      String state = HistoryWriter.stateAfter(event.kind());
      outcome.state = state == null ? outcome.state : state;
      if (event.kind() == EventKind.INSTANCE_RETRIED) {
        outcome.revived = true;
        outcome.end = null;
      }
      outcome.end = isEnd(event.kind()) ? event : outcome.end;
    }
  }

  private static boolean isEnd(EventKind eventKind) {
    return eventKind == EventKind.INSTANCE_COMPLETED
        || eventKind == EventKind.INSTANCE_FAULTED
        || eventKind == EventKind.INSTANCE_CANCELLED;
  }

  private void insert(HistoryEvent event) throws SQLException {
    values.takeOmitted();
    key(event.id(), event.definition().namespace(), event.definition().name());
    insert.setString(4, event.definition().version());
    insert.setString(5, "RUNNING");
    insert.setLong(6, event.sequence());
    insert.setLong(7, event.epochMillis());
    text(insert, 8, event.tags().businessKey());
    text(insert, 9, values.of(event.input()));
    insert.setLong(10, values.takeOmitted());
    insert.addBatch();
    labels(event.id(), event.tags());
  }

  private void labels(InstanceId id, Tags tags) throws SQLException {
    for (Map.Entry<String, String> label : tags.labels().entrySet()) {
      insertLabel.setLong(1, id.value());
      insertLabel.setString(2, label.getKey());
      insertLabel.setString(3, label.getValue());
      insertLabel.addBatch();
    }
  }

  private void key(InstanceId id, String namespace, String name) throws SQLException {
    insert.setLong(1, id.value());
    insert.setString(2, namespace);
    insert.setString(3, name);
  }

  private static void text(PreparedStatement to, int column, @Nullable String value)
      throws SQLException {
    if (value == null) {
      to.setNull(column, Types.VARCHAR);
    } else {
      to.setString(column, DatabaseText.storable(value));
    }
  }

  void flush() throws SQLException {
    insert.executeBatch();
    insertLabel.executeBatch();
    for (Map.Entry<Long, Outcome> each : outcomes.entrySet()) {
      update(each.getKey(), each.getValue());
    }
    revive.executeBatch();
    update.executeBatch();
    outcomes.clear();
  }

  private void update(long id, Outcome outcome) throws SQLException {
    HistoryEvent end = outcome.end;
    if (outcome.revived) {
      revive(id, outcome.sequence);
    }
    values.takeOmitted();
    text(update, 1, outcome.state);
    update.setLong(2, outcome.sequence);
    if (end == null) {
      update.setNull(3, Types.BIGINT);
    } else {
      update.setLong(3, end.epochMillis());
    }
    text(update, 4, end == null ? null : values.of(end.output()));
    longValues.output(id, end == null ? null : end.output());
    text(update, 5, end == null ? null : values.of(end.error()));
    longValues.error(id, outcome.sequence, end == null ? null : end.error());
    update.setLong(6, values.takeOmitted());
    update.setLong(7, id);
    update.setLong(8, outcome.sequence);
    update.addBatch();
  }

  private void revive(long id, long sequence) throws SQLException {
    longValues.goesOn(id, sequence);
    revive.setLong(1, id);
    revive.setLong(2, sequence);
    revive.addBatch();
  }

  /**
   * Adds an instance from a snapshot.
   *
   * @return whether earlier events are missing
   */
  boolean restore(HistoryChange.InstanceRestored instanceRestored) throws SQLException {
    flush();
    InstanceView view = instanceRestored.instance();
    boolean ended = view.state().isTerminal();
    try (PreparedStatement query =
        connection.prepareStatement("SELECT sequence, ended_at FROM instance WHERE id = ?")) {
      query.setLong(1, view.id().value());
      ResultSet row = query.executeQuery();
      if (row.next()) {
        long known = row.getLong(1);
        row.getLong(2);
        boolean knownEnded = !row.wasNull();
        boolean behind =
            ended ? !knownEnded : known >>> STEP_SHIFT < instanceRestored.sequence() >>> STEP_SHIFT;
        if (!behind || !instanceRestored.first()) {
          return false;
        }
        if (knownEnded) { // and has continued since
          revive(view.id().value(), instanceRestored.sequence());
          revive.executeBatch();
        }
      } else {
        key(view.id(), view.definition().namespace(), view.definition().name());
        insert.setString(4, view.definition().version());
        insert.setString(5, "RUNNING");
        insert.setLong(6, -1);
        insert.setLong(7, view.startedAtEpochMillis());
        text(insert, 8, view.tags().businessKey());
        text(insert, 9, null);
        insert.setLong(10, 0);
        insert.addBatch();
        labels(view.id(), view.tags());
        insert.executeBatch();
        insertLabel.executeBatch();
      }
    }
    set(view, instanceRestored.sequence());
    return true;
  }

  private void set(InstanceView view, long sequence) throws SQLException {
    boolean ended = view.state().isTerminal();
    boolean running = !ended && view.state() != InstanceState.SUSPENDED;
    values.takeOmitted();
    text(update, 1, running ? "RUNNING" : view.state().name());
    update.setLong(2, sequence);
    if (ended) {
      update.setLong(3, view.endedAtEpochMillis());
    } else {
      update.setNull(3, Types.BIGINT);
    }
    text(update, 4, values.of(view.output()));
    longValues.output(view.id().value(), view.output());
    text(update, 5, values.of(view.error()));
    longValues.error(view.id().value(), sequence, view.error());
    update.setLong(6, values.takeOmitted());
    update.setLong(7, view.id().value());
    update.setLong(8, sequence);
    update.addBatch();
    update.executeBatch();
  }

  /** Marks instances that ended in an unknown way; returns them. */
  List<Long> missed(HistoryChange.RecordsLost recordsLost) throws SQLException {
    flush();
    List<Long> gone = new ArrayList<>();
    try (PreparedStatement query =
        connection.prepareStatement(
            "SELECT id FROM instance WHERE ended_at IS NULL AND state <> 'UNKNOWN'")) {
      ResultSet rows = query.executeQuery();
      while (rows.next()) {
        long id = rows.getLong(1);
        if (recordsLost.partitions().contains(new InstanceId(id).partition())
            && !recordsLost.present().contains(id)) {
          gone.add(id);
        }
      }
    }
    for (long id : gone) {
      unknown(id);
    }
    return gone;
  }

  /** Marks an instance whose further events are unknown. */
  void unknown(long id) throws SQLException {
    try (PreparedStatement mark =
        connection.prepareStatement(
            "UPDATE instance SET state = ?, sequence = ? WHERE id = ? AND ended_at IS NULL")) {
      mark.setString(1, UNKNOWN);
      mark.setLong(2, Long.MAX_VALUE);
      mark.setLong(3, id);
      mark.executeUpdate();
    }
  }

  /** Takes the effects of an instance's events back, from a number on. */
  void retract(long id, long sequence) throws SQLException {
    flush();
    longValues.retract(id, sequence);
    try (PreparedStatement back =
        connection.prepareStatement(
            "UPDATE instance SET state = 'RUNNING', sequence = ?, ended_at = NULL, output = NULL,"
                + " error = NULL WHERE id = ? AND sequence >= ?")) {
      back.setLong(1, sequence - 1);
      back.setLong(2, id);
      back.setLong(3, sequence);
      back.executeUpdate();
    }
  }

  @Override
  public void close() throws SQLException {
    longValues.close();
    insert.close();
    insertLabel.close();
    revive.close();
    update.close();
  }
}
