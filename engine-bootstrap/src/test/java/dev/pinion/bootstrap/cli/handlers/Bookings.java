package dev.pinion.bootstrap.cli.handlers;

import dev.pinion.handlers.api.Changes;
import dev.pinion.handlers.api.CommitPoint;
import dev.pinion.handlers.api.Declaration;
import dev.pinion.handlers.api.EffectClass;
import dev.pinion.handlers.api.Handler;
import dev.pinion.handlers.api.HandlerFactory;
import dev.pinion.handlers.api.Settings;
import dev.pinion.handlers.api.Slot;
import dev.pinion.handlers.api.Verdict;
import dev.pinion.handlers.api.View;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/**
 * The effect of a transactional handler: bookings in a database, one for each message, which are
 * prepared, then committed or rolled back.
 */
final class Bookings implements AutoCloseable {
  /** Longer than any absence of hosts and servers. */
  private static final Duration TIMEOUT = Duration.ofMinutes(2);

  private final Connection connection;

  private static final String TALLY =
      """
      WITH calls AS
        (SELECT message, count(*) AS times, count(DISTINCT process) AS processes
         FROM asked GROUP BY message)
      SELECT count(*), count(DISTINCT message), coalesce(sum(state = 'committed'), 0),
        coalesce(sum(deliveries), 0), coalesce(sum(times), 0), coalesce(sum(deliveries > times), 0),
        (SELECT count(*) FROM calls), (SELECT coalesce(sum(times), 0) FROM calls),
        (SELECT coalesce(sum(times - processes), 0) FROM calls)
      FROM booking LEFT JOIN calls USING (message)
      """;

  /**
   * Content of the database.
   *
   * @param rows number of bookings
   * @param messages messages with a booking
   * @param committed committed ones among these
   * @param deliveries preparations of these
   * @param asked requests to hosts to prepare these; some hosts were killed before they had
   * @param unasked bookings with more preparations than requests
   * @param askedMessages messages with requests to prepare, including stopped ones
   * @param askedInAll requests for any of these
   * @param askedAgain requests to a process that had received one for the same message before
   */
  record Tally(
      int rows,
      int messages,
      int committed,
      int deliveries,
      int asked,
      int unasked,
      int askedMessages,
      int askedInAll,
      int askedAgain) {}

  Bookings(String url) {
    try {
      connection = DriverManager.getConnection(url);
      execute("PRAGMA busy_timeout = 20000");
      execute("PRAGMA journal_mode = WAL");
      execute("PRAGMA synchronous = NORMAL"); // processes are killed here, not machines
      // No key: handlers must ensure that each message has one row.
      execute("CREATE TABLE IF NOT EXISTS booking (message TEXT, state TEXT, deliveries INTEGER)");
      execute("CREATE INDEX IF NOT EXISTS booking_message ON booking (message)");
      execute("CREATE TABLE IF NOT EXISTS asked (message TEXT, process INTEGER)");
    } catch (SQLException e) {
      throw new IllegalStateException("expected a database at " + url, e);
    }
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private synchronized int update(String sql, String message) throws SQLException {
    try (PreparedStatement update = connection.prepareStatement(sql)) {
      update.setString(1, message);
      return update.executeUpdate();
    }
  }

  private synchronized void prepare(String message) throws SQLException {
    update("INSERT INTO asked VALUES (?, " + ProcessHandle.current().pid() + ")", message);
    if (update("UPDATE booking SET deliveries = deliveries + 1 WHERE message = ?", message) == 0) {
      update("INSERT INTO booking VALUES (?, 'prepared', 1)", message);
    }
  }

  private void commit(String message) throws SQLException {
    int rows = update("UPDATE booking SET state = 'committed' WHERE message = ?", message);
    if (rows != 1) {
      throw new SQLException("expected one booking to be committed, found " + rows);
    }
  }

  synchronized Tally tally() throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(TALLY)) {
      row.next();
      return new Tally(
          row.getInt(1),
          row.getInt(2),
          row.getInt(3),
          row.getInt(4),
          row.getInt(5),
          row.getInt(6),
          row.getInt(7),
          row.getInt(8),
          row.getInt(9));
    }
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      throw new IllegalStateException("expected the database to be closed", e);
    }
  }

  /** Kind {@code book}: prepares a booking. */
  public static final class Book implements HandlerFactory {
    /** For the service loader. */
    public Book() {}

    @Override
    public String name() {
      return "book";
    }

    @Override
    public String summary() {
      return "Prepares a booking.";
    }

    @Override
    public Handler create(Settings settings) {
      return new Prepare(new Bookings(settings.text("database")));
    }
  }

  private record Prepare(Bookings bookings) implements Handler {
    @Override
    public Declaration declaration() {
      return Declaration.NOTHING
          .with(EffectClass.TRANSACTIONAL)
          .mandatory()
          .retried(3)
          .within(TIMEOUT);
    }

    @Override
    public Verdict handle(View message) throws Exception {
      bookings.prepare(message.id().toString());
      return Verdict.UNCHANGED;
    }

    @Override
    public void close() {
      bookings.close();
    }
  }

  /** Kind {@code confirm}: commits a booking. */
  public static final class Confirm implements HandlerFactory {
    /** For the service loader. */
    public Confirm() {}

    @Override
    public String name() {
      return "confirm";
    }

    @Override
    public String summary() {
      return "Commits a booking.";
    }

    @Override
    public Handler create(Settings settings) {
      return new Commit(new Bookings(settings.text("database")));
    }
  }

  /** Commits on each call, with the same outcome, as calls may be repeated. */
  private record Commit(Bookings bookings) implements CommitPoint {
    @Override
    public Declaration declaration() {
      return Declaration.NOTHING.mandatory().retried(3).within(TIMEOUT);
    }

    @Override
    public Verdict handle(View message) throws Exception {
      bookings.commit(message.id().toString());
      return Verdict.UNCHANGED;
    }

    @Override
    public void rollBack(View message) throws Exception {
      bookings.update("DELETE FROM booking WHERE message = ?", message.id().toString());
    }

    @Override
    public void close() {
      bookings.close();
    }
  }

  /** Kind {@code check}: fails for configured messages, and marks the others. */
  public static final class Check implements HandlerFactory {
    /** For the service loader. */
    public Check() {}

    @Override
    public String name() {
      return "check";
    }

    @Override
    public String summary() {
      return "Fails where the property \"fails\" says so.";
    }

    @Override
    public Handler create(Settings settings) {
      return new Checking();
    }
  }

  private record Checking() implements Handler {
    @Override
    public Declaration declaration() {
      return Declaration.NOTHING
          .reading(Slot.property("fails"), Slot.property("number"))
          .writing(Slot.property("checked"))
          .mandatory()
          .within(TIMEOUT);
    }

    @Override
    public Verdict handle(View message) throws Exception {
      if (message.property("fails", "").equals("yes")) {
        throw new IllegalStateException("fails as it is told to");
      }
      return Verdict.goOn(Changes.NONE.property("checked", message.property("number", "")));
    }
  }
}
