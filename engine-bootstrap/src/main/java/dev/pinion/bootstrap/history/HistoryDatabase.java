package dev.pinion.bootstrap.history;

import dev.pinion.bootstrap.datadir.DataSubdirectory;
import dev.pinion.core.limits.HistoryLimits;
import dev.pinion.handlers.sql.SqlDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.jspecify.annotations.Nullable;

/**
 * Connections to the database of the history, or to that of the broker's knowledge, and its tables.
 * For any thread.
 */
public final class HistoryDatabase {
  /**
   * Longest wait of a writer for a server, for instance while a table is locked; shorter than the
   * time after which the history process counts as hanging and is killed.
   */
  private static final Duration WRITE_PATIENCE = Duration.ofMinutes(2);

  /** Size to which the write-ahead log of a file shrinks when a larger one is not needed. */
  private static final long LARGEST_LOG_KEPT = 4L << 20;

  private final DatabaseTarget target;
  private final HistoryLimits limits;
  private final SchemaOwner schemaOwner;
  private final SqlDatabase writer = new SqlDatabase(this::connectWriter);
  private final SqlDatabase reader = new SqlDatabase(this::connectReader);

  /**
   * Owner of the tables. Both may be in one database; each has a separate table of its versions.
   */
  public enum SchemaOwner {
    /** The history of instances. */
    HISTORY("history", "flyway_schema_history"),
    /** The knowledge of the broker. */
    BROKER("broker", "broker_schema_history");

    private final String folder;
    private final String versions;

    SchemaOwner(String folder, String versions) {
      this.folder = folder;
      this.versions = versions;
    }
  }

  /** The database of the history; nothing is opened yet. */
  public HistoryDatabase(DatabaseTarget target, HistoryLimits limits) {
    this(target, limits, SchemaOwner.HISTORY);
  }

  /** A database; nothing is opened yet. */
  public HistoryDatabase(DatabaseTarget target, HistoryLimits limits, SchemaOwner schemaOwner) {
    this.target = target;
    this.limits = limits;
    this.schemaOwner = schemaOwner;
  }

  /**
   * Migrates the tables to the current version, and creates missing ones first.
   *
   * @throws SQLException when the database cannot be reached or its tables are of a newer version
   */
  public void migrate() throws SQLException {
    if (target.isEmbedded()) {
      prepareFile(Objects.requireNonNull(target.file()));
    }
    try {
      Flyway.configure()
          .dataSource(target.url(), target.user(), target.password())
          .locations("classpath:db/" + schemaOwner.folder + "/" + dialect())
          .table(schemaOwner.versions)
          .baselineOnMigrate(true) // the tables of the other owner may be there already
          .baselineVersion("0")
          .load()
          .migrate();
    } catch (FlywayException e) {
      throw new SQLException("the tables of the " + schemaOwner.folder + ": " + e.getMessage(), e);
    }
  }

  /** The file of the database; null for a server. */
  @Nullable Path file() {
    return target.file();
  }

  /** Identity that distinguishes its file from others of the same name; null for no file. */
  @Nullable Object identity() {
    Path file = target.file();
    return file == null ? null : EmbeddedDatabaseFile.identity(file);
  }

  /** Advice on a failure that lasts until somebody acts. */
  String advice(Throwable failure) {
    Path file = target.file();
    return file == null
        ? "see whether the database server runs and lets this user in"
        : EmbeddedDatabaseFile.advice(failure, file);
  }

  /**
   * Sets the file aside when a failure indicates damage, so that a new one can be created. No
   * process may have it open for writing.
   *
   * @return its new name, or null when it is not damaged or no file
   * @throws SQLException when it is damaged and cannot be set aside
   */
  public @Nullable Path setAsideIfDamaged(Throwable failure, Instant now) throws SQLException {
    Path file = target.file();
    if (file == null || !EmbeddedDatabaseFile.isDamage(failure)) {
      return null;
    }
    try {
      return EmbeddedDatabaseFile.quarantine(file, now);
    } catch (IOException e) {
      throw new SQLException("the damaged file " + file + " cannot be renamed: " + e, e);
    }
  }

  /**
   * Reports damage that another process met to the history process, by a file beside the database.
   *
   * @param failure the failure; reported only if it indicates damage
   * @param identity identity of the file when it was opened
   */
  void tellDamage(Throwable failure, @Nullable Object identity) {
    Path file = target.file();
    if (file != null && identity != null && EmbeddedDatabaseFile.isDamage(failure)) {
      EmbeddedDatabaseFile.leaveNotice(file, identity);
    }
  }

  /**
   * Checks that no process has reported damage since {@link #forgetDamage}.
   *
   * @throws SQLException when one has
   */
  void requireUndamaged() throws SQLException {
    Path file = target.file();
    if (file != null && EmbeddedDatabaseFile.hasNotice(file)) {
      throw EmbeddedDatabaseFile.damage("a question or an event met damage in it");
    }
  }

  /** Forgets reported damage: a process that still meets it reports it again. */
  void forgetDamage() throws IOException {
    Path file = target.file();
    if (file != null) {
      EmbeddedDatabaseFile.removeNotice(file);
    }
  }

  /** Whether the database is a file, which has one writer at a time. */
  boolean isEmbedded() {
    return target.isEmbedded();
  }

  private String dialect() {
    return target.isEmbedded() ? "sqlite" : "postgresql";
  }

  /** Makes readers independent of the writer: that is a property of the file. */
  private void prepareFile(Path file) throws SQLException {
    try {
      DataSubdirectory.make(Objects.requireNonNull(file.getParent()));
    } catch (IOException e) {
      throw new SQLException("the folder of the " + schemaOwner.folder + ": " + e.getMessage(), e);
    }
    try (Connection connection = DriverManager.getConnection(target.url(), properties());
        Statement statement = connection.createStatement()) {
      statement.execute("PRAGMA journal_mode=WAL");
    }
  }

  /**
   * The database for writing, within transactions. Committed data may be lost in a power failure,
   * but never a part of a transaction.
   */
  public SqlDatabase writer() {
    return writer;
  }

  private Connection connectWriter() throws SQLException {
    Properties properties = properties();
    if (!target.isEmbedded()) {
      properties.putIfAbsent("socketTimeout", Long.toString(WRITE_PATIENCE.toSeconds()));
    }
    Connection connection = DriverManager.getConnection(target.url(), properties);
    connection.setAutoCommit(false);
    return connection;
  }

  /** The database for reading; cannot be opened if there is none yet. */
  SqlDatabase reader() {
    return reader;
  }

  private Connection connectReader() throws SQLException {
    if (target.isEmbedded() && !Files.exists(Objects.requireNonNull(target.file()))) {
      throw new SQLException("the database is not there yet");
    }
    Properties properties = properties();
    if (target.isEmbedded()) {
      properties.setProperty("open_mode", "1"); // read only
    }
    Connection connection = DriverManager.getConnection(target.url(), properties);
    connection.setReadOnly(true);
    connection.setAutoCommit(target.isEmbedded()); // the other driver needs it to read by row
    return connection;
  }

  private Properties properties() {
    Properties properties = target.credentials();
    if (target.isEmbedded()) {
      properties.setProperty("busy_timeout", Integer.toString(limits.busyMillis()));
      properties.setProperty("synchronous", "NORMAL");
      properties.setProperty("journal_size_limit", Long.toString(LARGEST_LOG_KEPT));
    } else {
      long seconds = Math.max(1, TimeUnit.MILLISECONDS.toSeconds(limits.questionMillis()));
      properties.setProperty("connectTimeout", Long.toString(seconds));
      properties.setProperty("tcpKeepAlive", "true");
      if (schemaOwner == SchemaOwner.BROKER) {
        properties.setProperty("socketTimeout", Long.toString(seconds));
      }
    }
    return properties;
  }

  @Override
  public String toString() {
    return target.toString();
  }
}
