package dev.pinion.bootstrap.history;

import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.instance.HistoryEvent;
import dev.pinion.core.model.instance.HistoryEvent.EventKind;
import dev.pinion.core.model.instance.InstanceState;
import dev.pinion.core.model.instance.InstanceView;
import dev.pinion.core.model.instance.ParentTask;
import dev.pinion.core.model.instance.Tags;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Rows of the tables of instances and labels within one transaction: only the combined effect of
 * many events of an instance is written. A row never returns to its state before an event that it
 * includes. Used by one thread. Statements for most instances are those of JDBC: a row in a batch
 * of JDBI costs twice as much.
 */
final class InstanceRows implements AutoCloseable {
  static final String UNKNOWN = "UNKNOWN";

  /** Bits that number the events within one step. */
  private static final int STEP_SHIFT = 24;

  private final Handle open;
  private final ColumnValue values;
  private final PreparedStatement insert;
  private final PreparedStatement insertLabel;
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
  InstanceRows(Handle open, ColumnValue values, int maxOutputBytes) throws SQLException {
    Connection connection = open.getConnection();
    this.open = open;
    this.longValues = new LongValues(open, values, maxOutputBytes);
    this.values = values;
    this.insert =
        connection.prepareStatement(
            "INSERT INTO instance (id, namespace, name, version, state, sequence, started_at,"
                + " business_key, input, omitted_chars, parent, parent_task)"
                + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
                + " ON CONFLICT (id) DO UPDATE SET business_key = excluded.business_key,"
                + " input = excluded.input, parent = excluded.parent,"
                + " parent_task = excluded.parent_task");
    this.insertLabel =
        connection.prepareStatement(
            "INSERT INTO label (id, name, value) VALUES (?, ?, ?)"
                + " ON CONFLICT (id, name) DO NOTHING");
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
    text(insert, 9, values.of(event.input()));
    insert.setLong(10, values.takeOmitted());
    parent(event.parent());
    insert(event.id(), event.definition(), event.sequence(), event.epochMillis(), event.tags());
  }

  private void insert(
      InstanceId id, DefinitionKey definition, long sequence, long startedAtMillis, Tags tags)
      throws SQLException {
    insert.setLong(1, id.value());
    insert.setString(2, definition.namespace());
    insert.setString(3, definition.name());
    insert.setString(4, definition.version());
    insert.setString(5, "RUNNING");
    insert.setLong(6, sequence);
    insert.setLong(7, startedAtMillis);
    text(insert, 8, tags.businessKey());
    insert.addBatch();
    for (Map.Entry<String, String> label : tags.labels().entrySet()) {
      insertLabel.setLong(1, id.value());
      insertLabel.setString(2, label.getKey());
      insertLabel.setString(3, label.getValue());
      insertLabel.addBatch();
    }
  }

  private void parent(@Nullable ParentTask parent) throws SQLException {
    if (parent == null) {
      insert.setNull(11, Types.BIGINT);
    } else {
      insert.setLong(11, parent.id().value());
    }
    text(insert, 12, parent == null ? null : parent.pointer());
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
      long id = each.getKey();
      Outcome outcome = each.getValue();
      HistoryEvent end = outcome.end;
      if (outcome.revived) {
        revive(id, outcome.sequence);
      }
      ended(end == null ? null : end.epochMillis());
      update(
          id,
          outcome.sequence,
          outcome.state,
          end == null ? null : end.output(),
          end == null ? null : end.error());
    }
    update.executeBatch();
    outcomes.clear();
  }

  private void ended(@Nullable Long atMillis) throws SQLException {
    if (atMillis == null) {
      update.setNull(3, Types.BIGINT);
    } else {
      update.setLong(3, atMillis);
    }
  }

  private void update(
      long id,
      long sequence,
      @Nullable String state,
      @Nullable Payload output,
      @Nullable WorkflowError error)
      throws SQLException {
    values.takeOmitted();
    text(update, 1, state);
    update.setLong(2, sequence);
    text(update, 4, values.of(output));
    longValues.output(id, output);
    text(update, 5, values.of(error));
    longValues.error(id, sequence, error);
    update.setLong(6, values.takeOmitted());
    update.setLong(7, id);
    update.setLong(8, sequence);
    update.addBatch();
  }

  private void revive(long id, long sequence) {
    longValues.goesOn(id, sequence);
    open.execute(
        "UPDATE instance SET ended_at = NULL, output = NULL, error = NULL"
            + " WHERE id = ? AND sequence < ?",
        id,
        sequence);
  }

  /**
   * What the table knows of an instance.
   *
   * @param sequence number of its last event
   */
  private record Known(long sequence, boolean ended) {}

  /**
   * Adds an instance from a snapshot.
   *
   * @return whether earlier events are missing
   */
  boolean restore(HistoryChange.InstanceRestored instanceRestored) throws SQLException {
    flush();
    InstanceView view = instanceRestored.instance();
    boolean ended = view.state().isTerminal();
    Known known =
        open.select("SELECT sequence, ended_at FROM instance WHERE id = ?", view.id().value())
            .map((row, _) -> new Known(row.getLong(1), row.getObject(2) != null))
            .findOne()
            .orElse(null);
    if (known == null) {
      text(insert, 9, null);
      insert.setLong(10, 0);
      parent(view.parent());
      insert(view.id(), view.definition(), -1, view.startedAtEpochMillis(), view.tags());
      flush(); // a long error is stored only with its instance
    } else {
      boolean behind =
          ended
              ? !known.ended
              : known.sequence >>> STEP_SHIFT < instanceRestored.sequence() >>> STEP_SHIFT;
      if (!behind || !instanceRestored.first()) {
        return false;
      }
      if (known.ended) { // and has continued since
        revive(view.id().value(), instanceRestored.sequence());
      }
    }
    boolean running = !ended && view.state() != InstanceState.SUSPENDED;
    ended(ended ? view.endedAtEpochMillis() : null);
    update(
        view.id().value(),
        instanceRestored.sequence(),
        running ? "RUNNING" : view.state().name(),
        view.output(),
        view.error());
    flush();
    return true;
  }

  /** Marks instances that ended in an unknown way; returns them. */
  List<Long> missed(HistoryChange.RecordsLost recordsLost) throws SQLException {
    flush();
    List<Long> gone =
        open.select("SELECT id FROM instance WHERE ended_at IS NULL AND state <> 'UNKNOWN'")
            .mapTo(Long.class)
            .filter(
                id ->
                    recordsLost.partitions().contains(new InstanceId(id).partition())
                        && !recordsLost.present().contains(id))
            .list();
    gone.forEach(this::unknown);
    return gone;
  }

  /** Marks an instance whose further events are unknown. */
  void unknown(long id) {
    open.execute(
        "UPDATE instance SET state = ?, sequence = ? WHERE id = ? AND ended_at IS NULL",
        UNKNOWN,
        Long.MAX_VALUE,
        id);
  }

  /** Takes the effects of an instance's events back, from a number on. */
  void retract(long id, long sequence) throws SQLException {
    flush();
    longValues.retract(id, sequence);
    open.execute(
        "UPDATE instance SET state = 'RUNNING', sequence = ?, ended_at = NULL, output = NULL,"
            + " error = NULL WHERE id = ? AND sequence >= ?",
        sequence - 1,
        id,
        sequence);
  }

  @Override
  public void close() throws SQLException {
    insert.close();
    insertLabel.close();
    update.close();
  }
}
