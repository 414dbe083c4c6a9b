package dev.pinion.bootstrap.history;

import dev.pinion.core.model.instance.HistoryEvent;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Rows of the table of events within one transaction. Used by one thread. The insertion is that of
 * JDBC: a row in a batch of JDBI costs twice as much.
 */
final class HistoryEventRows implements AutoCloseable {
  /** Most characters of rows that the driver buffers; one row may exceed it. */
  private static final int MAX_WAITING_CHARS = 1 << 20;

  private final Handle open;
  private final PreparedStatement insert;
  private final ColumnValue values;
  private int waiting;
  private long waitingChars;

  HistoryEventRows(Handle open, ColumnValue values) throws SQLException {
    this.open = open;
    this.values = values;
    this.insert =
        open.getConnection()
            .prepareStatement(
                "INSERT INTO event (id, sequence, kind, at, since, pointer, name, activity, input,"
                    + " output, error, detail, omitted_chars)"
                    + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
                    + " ON CONFLICT (id, sequence) DO NOTHING");
  }

  /** Adds an event; a repetition has no effect, as its key follows from the journal. */
  void add(HistoryEvent event) throws SQLException {
    HistoryEvent.TaskRun taskRun = event.task();
    values.takeOmitted();
    insert.setLong(1, event.id().value());
    insert.setLong(2, event.sequence());
    insert.setString(3, event.kind().name());
    insert.setLong(4, event.epochMillis());
    insert.setLong(5, event.sinceEpochMillis());
    text(6, taskRun == null ? null : taskRun.pointer());
    text(7, taskRun == null ? null : taskRun.name());
    if (taskRun == null) {
      insert.setNull(8, Types.INTEGER);
    } else {
      insert.setInt(8, taskRun.activity());
    }
    text(9, values.of(event.input()));
    text(10, values.of(event.output()));
    text(11, values.of(event.error()));
    text(12, event.detail());
    insert.setLong(13, values.takeOmitted());
    add();
  }

  /** Adds a gap: unknown events. */
  void gap(long id, long sequence, long atMillis, String detail) throws SQLException {
    insert.setLong(1, id);
    insert.setLong(2, sequence);
    insert.setString(3, HistoryEvent.EventKind.GAP.name());
    insert.setLong(4, atMillis);
    insert.setLong(5, atMillis);
    for (int column = 6; column <= 11; column++) {
      insert.setNull(column, column == 8 ? Types.INTEGER : Types.VARCHAR);
    }
    insert.setString(12, DatabaseText.storable(detail));
    insert.setLong(13, 0);
    add();
  }

  private void text(int column, @Nullable String value) throws SQLException {
    if (value == null) {
      insert.setNull(column, Types.VARCHAR);
    } else {
      insert.setString(column, DatabaseText.storable(value));
      waitingChars += value.length();
    }
  }

  private void add() throws SQLException {
    insert.addBatch();
    waiting++;
    if (waitingChars >= MAX_WAITING_CHARS) {
      flush();
    }
  }

  /** Deletes the events from a number on. */
  void retract(long id, long sequence) throws SQLException {
    flush();
    open.execute("DELETE FROM event WHERE id = ? AND sequence >= ?", id, sequence);
  }

  void flush() throws SQLException {
    if (waiting > 0) {
      waiting = 0;
      waitingChars = 0;
      insert.executeBatch();
    }
  }

  @Override
  public void close() throws SQLException {
    insert.close();
  }
}
