package dev.pinion.bootstrap.events;

import dev.pinion.bootstrap.settings.EventSinkSpec;
import dev.pinion.handlers.sql.SqlDatabase;
import java.sql.SQLException;
import java.util.List;
import org.jdbi.v3.core.Handle;

/** Emitted events for sinks, and how far each sink has come. Used by one thread. */
final class SinkProgress implements AutoCloseable {
  private static final String EMITTED =
      " FROM log WHERE emitted = 1 AND position > ? AND substr(type, 1, ?) = ?";

  private final Handle handle;

  /** Emitted events and progress in a database, which is closed with it. */
  SinkProgress(Handle handle) {
    this.handle = handle;
  }

  /** An emitted event. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record EmittedEvent(long position, byte[] json) {}

  /**
   * How far a sink is behind.
   *
   * @param excess events beyond what may wait
   * @param from position behind which so many wait as may
   */
  record Lag(long excess, long from) {}

  /** Position behind which a sink continues; a new one begins at the end of the log. */
  long open(EventSinkSpec sink) throws SQLException {
    return EventDatabase.transaction(
        handle,
        () -> {
          handle.execute(
              "INSERT OR IGNORE INTO sink (name, position) VALUES (?, coalesce((SELECT seq FROM"
                  + " sqlite_sequence WHERE name = 'log'), 0))",
              sink.name());
          return EventDatabase.number(
              handle, "SELECT position FROM sink WHERE name = ?", sink.name());
        });
  }

  /** Forgets sinks that are not named any more: nothing is kept for them. */
  void retain(List<EventSinkSpec> sinks) throws SQLException {
    SqlDatabase.run(
        handle,
        open -> {
          List<String> known = open.select("SELECT name FROM sink").mapTo(String.class).list();
          for (String name : known) {
            if (sinks.stream().noneMatch(sink -> sink.name().equals(name))) {
              open.execute("DELETE FROM sink WHERE name = ?", name);
            }
          }
          return known;
        });
  }

  /** Last position of the log. */
  long end() throws SQLException {
    return SqlDatabase.run(
        handle,
        open -> EventDatabase.number(open, "SELECT seq FROM sqlite_sequence WHERE name = 'log'"));
  }

  /** Events for a sink behind a position. */
  List<EmittedEvent> read(EventSinkSpec sink, long after, int most) throws SQLException {
    String prefix = sink.typePrefix();
    return SqlDatabase.run(
        handle,
        open ->
            open.select(
                    "SELECT position, event" + EMITTED + " ORDER BY position LIMIT ?",
                    after,
                    prefix.length(),
                    prefix,
                    most)
                .map((row, _) -> new EmittedEvent(row.getLong(1), row.getBytes(2)))
                .list());
  }

  /** How far a sink is behind. */
  Lag lag(EventSinkSpec sink, long after, int most) throws SQLException {
    String prefix = sink.typePrefix();
    return SqlDatabase.run(
        handle,
        open -> {
          long waiting =
              EventDatabase.number(
                  open, "SELECT count(*)" + EMITTED, after, prefix.length(), prefix);
          long from =
              waiting <= most
                  ? after
                  : EventDatabase.number(
                      open,
                      "SELECT position" + EMITTED + " ORDER BY position DESC LIMIT 1 OFFSET ?",
                      after,
                      prefix.length(),
                      prefix,
                      most);
          return new Lag(waiting - most, from);
        });
  }

  /** Stores how far a sink has come. */
  void store(EventSinkSpec sink, long position) throws SQLException {
    SqlDatabase.run(
        handle,
        open -> open.execute("UPDATE sink SET position = ? WHERE name = ?", position, sink.name()));
  }

  @Override
  public void close() {
    SqlDatabase.close(handle);
  }
}
