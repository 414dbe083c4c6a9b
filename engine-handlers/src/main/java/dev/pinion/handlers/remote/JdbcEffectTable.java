package dev.pinion.handlers.remote;

import dev.pinion.core.model.Clock;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A table of effects in a database that hosts share: a file of SQLite on one machine, PostgreSQL
 * for several. Each statement is a separate transaction, on disk before the host continues.
 */
final class JdbcEffectTable implements EffectTable {
  /** Longer than any attempt may take, with its late answers. */
  static final Duration KEEP = Duration.ofHours(1);

  /** Time after the loss of its host within which a stored message may come again. */
  static final Duration KEEP_OPEN = Duration.ofDays(30);

  /** Entries older than an hour are checked, by their index. */
  static final String FORGET =
      "DELETE FROM pinion_effect WHERE at_millis < ? AND (answer IS NOT NULL OR at_millis < ?)";

  private static final Optional<UUID> NO_HOST = Optional.empty();
  private static final int VALID_SECONDS = 2;

  /** The most effects recorded whose claim was cut off by a lost connection. */
  static final int MOST_UNSURE = 256;

  private final String url;
  private final Clock clock;
  private final Connections connections;

  /**
   * Answer to a claim when the row turns out to be this host's, because its statement was committed
   * but not answered. The oldest is dropped first. Guarded by the lock.
   */
  private final SequencedMap<EffectKey, EffectClaim> unsure = new LinkedHashMap<>();

  private final ReentrantLock lock = new ReentrantLock();
  private final String name;
  private @Nullable Connection connection;
  private boolean closed;

  /** Opens the table; creates it when it does not exist. */
  JdbcEffectTable(String url, Clock clock) throws SQLException {
    this(url, clock, () -> DriverManager.getConnection(url));
  }

  /** Opens the table with connections from a factory. */
  JdbcEffectTable(String url, Clock clock, Connections connections) throws SQLException {
    this.url = url;
    this.clock = clock;
    this.connections = connections;
    this.name = locked(this::create);
  }

  private String create(Connection open) throws SQLException {
    try (Statement statement = open.createStatement()) {
      statement.execute(
          "CREATE TABLE IF NOT EXISTS pinion_effect (requester VARCHAR(36) NOT NULL,"
              + " attempt BIGINT NOT NULL, message VARCHAR(32) NOT NULL, step TEXT NOT NULL,"
              + " operation VARCHAR(16) NOT NULL, host VARCHAR(36) NOT NULL, answer TEXT,"
              + " at_millis BIGINT NOT NULL, PRIMARY KEY (requester, attempt))");
      statement.execute("CREATE INDEX IF NOT EXISTS pinion_effect_at ON pinion_effect (at_millis)");
      statement.execute(
          "CREATE TABLE IF NOT EXISTS pinion_effect_table (one INTEGER PRIMARY KEY,"
              + " name VARCHAR(36) NOT NULL)");
    }
    try (PreparedStatement insert =
        open.prepareStatement(
            "INSERT INTO pinion_effect_table (one, name) VALUES (1, ?) ON CONFLICT DO NOTHING")) {
      insert.setString(1, UUID.randomUUID().toString());
      insert.executeUpdate();
    }
    try (Statement statement = open.createStatement();
        ResultSet row = statement.executeQuery("SELECT name FROM pinion_effect_table")) {
      row.next();
      return row.getString(1);
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public EffectClaim begin(EffectKey key, UUID host, List<UUID> lost) throws SQLException {
    return locked(open -> begin(open, key, host, lost));
  }

  private EffectClaim begin(Connection open, EffectKey key, UUID host, List<UUID> lost)
      throws SQLException {
    EffectClaim before = unsure.remove(key);
    EffectClaim own = before == null ? EffectClaim.FRESH : before;
    try {
      if (insert(open, key, host)) {
        return own;
      }
      // Begun here without a recorded end, unless an answer of the database was lost.
      own = before == null ? EffectClaim.TAKEN_OVER : before;
      Row row = row(open, key);
      if (row == null) {
        return EffectClaim.ELSEWHERE; // just deleted: another time
      }
      if (row.answer != null) {
        return EffectClaim.answered(Base64.getDecoder().decode(row.answer));
      }
      if (row.host.equals(host.toString())) {
        return own;
      }
      own = EffectClaim.TAKEN_OVER;
      return takeOver(open, key, host, lost) ? own : EffectClaim.ELSEWHERE;
    } catch (SQLException e) {
      remember(key, own);
      throw e;
    }
  }

  private void remember(EffectKey key, EffectClaim claim) {
    unsure.putLast(key, claim);
    if (unsure.size() > MOST_UNSURE) {
      unsure.pollFirstEntry();
    }
  }

  private boolean insert(Connection open, EffectKey key, UUID host) throws SQLException {
    try (PreparedStatement insert =
        open.prepareStatement(
            "INSERT INTO pinion_effect (requester, attempt, message, step, operation, host,"
                + " at_millis) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING")) {
      insert.setString(1, key.requester().toString());
      insert.setLong(2, key.attempt());
      insert.setString(3, key.message().toString());
      insert.setString(4, key.step());
      insert.setString(5, key.operation().name());
      insert.setString(6, host.toString());
      insert.setLong(7, clock.epochMillis());
      return insert.executeUpdate() == 1;
    }
  }

  private static @Nullable Row row(Connection open, EffectKey key) throws SQLException {
    try (PreparedStatement select =
        open.prepareStatement(
            "SELECT host, answer FROM pinion_effect WHERE requester = ? AND attempt = ?")) {
      select.setString(1, key.requester().toString());
      select.setLong(2, key.attempt());
      try (ResultSet row = select.executeQuery()) {
        return row.next() ? new Row(row.getString(1), row.getString(2)) : null;
      }
    }
  }

  private static boolean takeOver(Connection open, EffectKey key, UUID host, List<UUID> lost)
      throws SQLException {
    if (lost.isEmpty()) {
      return false;
    }
    String any = String.join(", ", Collections.nCopies(lost.size(), "?"));
    try (PreparedStatement update =
        open.prepareStatement(
            "UPDATE pinion_effect SET host = ? WHERE requester = ? AND attempt = ? AND host IN ("
                + any
                + ") AND answer IS NULL")) {
      update.setString(1, host.toString());
      update.setString(2, key.requester().toString());
      update.setLong(3, key.attempt());
      for (int i = 0; i < lost.size(); i++) {
        update.setString(4 + i, lost.get(i).toString());
      }
      return update.executeUpdate() == 1;
    }
  }

  @Override
  public @Nullable UUID owner(EffectKey key) throws SQLException {
    return locked(
            open -> {
              try (PreparedStatement select =
                  open.prepareStatement(
                      "SELECT host FROM pinion_effect WHERE requester = ? AND attempt = ?"
                          + " AND answer IS NULL")) {
                select.setString(1, key.requester().toString());
                select.setLong(2, key.attempt());
                try (ResultSet row = select.executeQuery()) {
                  return row.next() ? Optional.of(UUID.fromString(row.getString(1))) : NO_HOST;
                }
              }
            })
        .orElse(null);
  }

  @Override
  public boolean end(EffectKey key, UUID host, byte[] answer) throws SQLException {
    return locked(
        open -> {
          try (PreparedStatement update =
              open.prepareStatement(
                  "UPDATE pinion_effect SET answer = ? WHERE requester = ? AND attempt = ?"
                      + " AND host = ?")) {
            update.setString(1, Base64.getEncoder().encodeToString(answer));
            update.setString(2, key.requester().toString());
            update.setLong(3, key.attempt());
            update.setString(4, host.toString());
            return update.executeUpdate() == 1;
          }
        });
  }

  @Override
  public void forget() throws SQLException {
    locked(
        open -> {
          try (PreparedStatement delete = open.prepareStatement(FORGET)) {
            delete.setLong(1, clock.epochMillis() - KEEP.toMillis());
            delete.setLong(2, clock.epochMillis() - KEEP_OPEN.toMillis());
            return delete.executeUpdate();
          }
        });
  }

  private <T> T locked(Action<T> action) throws SQLException {
    lock.lock();
    try {
      return action.with(open());
    } finally {
      lock.unlock();
    }
  }

  private Connection open() throws SQLException {
    if (closed) {
      throw new SQLException("the table of effects was closed with its host");
    }
    Connection known = connection;
    if (known != null && (isFile() || known.isValid(VALID_SECONDS))) {
      return known;
    }
    Connection opened = connections.open();
    if (isFile()) {
      try (Statement statement = opened.createStatement()) {
        statement.execute("PRAGMA busy_timeout = 5000");
        statement.execute("PRAGMA journal_mode = WAL");
        statement.execute("PRAGMA synchronous = FULL");
      }
    }
    connection = opened;
    return opened;
  }

  private boolean isFile() {
    return url.startsWith("jdbc:sqlite:");
  }

  @Override
  public void close() throws SQLException {
    lock.lock();
    try {
      Connection known = connection;
      connection = null;
      closed = true;
      if (known != null) {
        known.close();
      }
    } finally {
      lock.unlock();
    }
  }

  private record Row(String host, @Nullable String answer) {}

  /** Factory of connections. */
  interface Connections {
    Connection open() throws SQLException;
  }

  private interface Action<T> {
    T with(Connection open) throws SQLException;
  }
}
