package dev.pinion.bootstrap.history;

import dev.pinion.core.model.EngineLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;

/** Connections to the database of the history, and its tables. Any thread. */
public final class HistoryDatabase {
  private final HistoryTarget target;
  private final EngineLimits.History limits;

  /** A database; nothing is opened yet. */
  public HistoryDatabase(HistoryTarget target, EngineLimits.History limits) {
    this.target = target;
    this.limits = limits;
  }

  /**
   * Brings the tables up to date, making them first where there are none.
   *
   * @throws SQLException when the database cannot be reached or its tables are of a newer version
   */
  void migrate() throws SQLException {
    if (target.isEmbedded()) {
      prepareFile(Objects.requireNonNull(target.file()));
    }
    try {
      Flyway.configure()
          .dataSource(target.url(), target.user(), target.password())
          .locations("classpath:db/history/" + dialect())
          .load()
          .migrate();
    } catch (FlywayException e) {
      throw new SQLException("the tables of the history: " + e.getMessage(), e);
    }
  }

  /** Whether it is a file, which has one writer at a time. */
  boolean isEmbedded() {
    return target.isEmbedded();
  }

  private String dialect() {
    return target.isEmbedded() ? "sqlite" : "postgresql";
  }

  /** Readers must not wait for the writer: that is a property of the file. */
  private void prepareFile(Path file) throws SQLException {
    try {
      Files.createDirectories(Objects.requireNonNull(file.getParent()));
    } catch (IOException e) {
      throw new SQLException("the folder of the history: " + e.getMessage(), e);
    }
    try (Connection connection = DriverManager.getConnection(target.url(), properties());
        Statement statement = connection.createStatement()) {
      statement.execute("PRAGMA journal_mode=WAL");
    }
  }

  /** A connection that writes. What it commits may be lost with the power, never half of it. */
  Connection writer() throws SQLException {
    Connection connection = DriverManager.getConnection(target.url(), properties());
    connection.setAutoCommit(false);
    return connection;
  }

  /**
   * A connection that reads.
   *
   * @throws SQLException when there is no database yet
   */
  Connection reader() throws SQLException {
    if (target.isEmbedded() && !Files.exists(Objects.requireNonNull(target.file()))) {
      throw new SQLException("the database is not there yet");
    }
    Properties properties = properties();
    if (target.isEmbedded()) {
      properties.setProperty("open_mode", "1"); // read only
    }
    Connection connection = DriverManager.getConnection(target.url(), properties);
    connection.setReadOnly(true);
    return connection;
  }

  private Properties properties() {
    Properties properties = target.credentials();
    if (target.isEmbedded()) {
      properties.setProperty("busy_timeout", Integer.toString(limits.busyMillis()));
      properties.setProperty("synchronous", "NORMAL");
    } else {
      long seconds = Math.max(1, TimeUnit.MILLISECONDS.toSeconds(limits.questionMillis()));
      properties.setProperty("connectTimeout", Long.toString(seconds));
      properties.setProperty("tcpKeepAlive", "true");
    }
    return properties;
  }

  @Override
  public String toString() {
    return target.toString();
  }
}
