package dev.pinion.handlers.remote;

import dev.pinion.core.model.Clock;
import dev.pinion.handlers.sql.SqlDatabase;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import org.jdbi.v3.core.ConnectionFactory;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.JdbiException;
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

  private static final int VALID_SECONDS = 2;

  /** The most effects recorded whose claim was cut off by a lost connection. */
  static final int MOST_UNSURE = 256;

  private final String url;
  private final Clock clock;
  private final SqlDatabase database;

  /**
   * Answer to a claim when the row turns out to be this host's, because its statement was committed
   * but not answered. The oldest is dropped first. Guarded by the lock.
   */
  private final SequencedMap<EffectKey, EffectClaim> unsure = new LinkedHashMap<>();

  private final ReentrantLock lock = new ReentrantLock();
  private final String name;
  private @Nullable Handle handle;
  private boolean closed;

  /** Opens the table; creates it when it does not exist. */
  JdbcEffectTable(String url, Clock clock) throws SQLException {
    this(url, clock, () -> DriverManager.getConnection(url));
  }

  /** Opens the table with connections from a factory. */
  JdbcEffectTable(String url, Clock clock, ConnectionFactory connections) throws SQLException {
    this.url = url;
    this.clock = clock;
    this.database = new SqlDatabase(connections);
    this.name = locked(this::create);
  }

  private String create(Handle open) {
    open.execute(
        "CREATE TABLE IF NOT EXISTS pinion_effect (requester VARCHAR(36) NOT NULL,"
            + " attempt BIGINT NOT NULL, message VARCHAR(32) NOT NULL, step TEXT NOT NULL,"
            + " operation VARCHAR(16) NOT NULL, host VARCHAR(36) NOT NULL, answer TEXT,"
            + " at_millis BIGINT NOT NULL, PRIMARY KEY (requester, attempt))");
    open.execute("CREATE INDEX IF NOT EXISTS pinion_effect_at ON pinion_effect (at_millis)");
    open.execute(
        "CREATE TABLE IF NOT EXISTS pinion_effect_table (one INTEGER PRIMARY KEY,"
            + " name VARCHAR(36) NOT NULL)");
    open.execute(
        "INSERT INTO pinion_effect_table (one, name) VALUES (1, ?) ON CONFLICT DO NOTHING",
        UUID.randomUUID().toString());
    return open.select("SELECT name FROM pinion_effect_table").mapTo(String.class).one();
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public EffectClaim begin(EffectKey key, UUID host, List<UUID> lost) throws SQLException {
    return locked(open -> begin(open, key, host, lost));
  }

  private EffectClaim begin(Handle open, EffectKey key, UUID host, List<UUID> lost) {
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
    } catch (JdbiException e) {
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

  private boolean insert(Handle open, EffectKey key, UUID host) {
    return open.execute(
            "INSERT INTO pinion_effect (requester, attempt, message, step, operation, host,"
                + " at_millis) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            key.requester().toString(),
            key.attempt(),
            key.message().toString(),
            key.step(),
            key.operation().name(),
            host.toString(),
            clock.epochMillis())
        == 1;
  }

  private static @Nullable Row row(Handle open, EffectKey key) {
    return open.select(
            "SELECT host, answer FROM pinion_effect WHERE requester = ? AND attempt = ?",
            key.requester().toString(),
            key.attempt())
        .map((row, _) -> new Row(row.getString(1), row.getString(2)))
        .findOne()
        .orElse(null);
  }

  private static boolean takeOver(Handle open, EffectKey key, UUID host, List<UUID> lost) {
    if (lost.isEmpty()) {
      return false;
    }
    String any = String.join(", ", Collections.nCopies(lost.size(), "?"));
    List<Object> values = new ArrayList<>();
    values.addAll(List.of(host.toString(), key.requester().toString(), key.attempt()));
    lost.forEach(each -> values.add(each.toString()));
    return open.execute(
            "UPDATE pinion_effect SET host = ? WHERE requester = ? AND attempt = ? AND host IN ("
                + any
                + ") AND answer IS NULL",
            values.toArray())
        == 1;
  }

  @Override
  public @Nullable UUID owner(EffectKey key) throws SQLException {
    return this.<@Nullable UUID>locked(
        open ->
            open.select(
                    "SELECT host FROM pinion_effect WHERE requester = ? AND attempt = ?"
                        + " AND answer IS NULL",
                    key.requester().toString(),
                    key.attempt())
                .mapTo(String.class)
                .findOne()
                .map(UUID::fromString)
                .orElse(null));
  }

  @Override
  public boolean end(EffectKey key, UUID host, byte[] answer) throws SQLException {
    return locked(
        open ->
            open.execute(
                    "UPDATE pinion_effect SET answer = ? WHERE requester = ? AND attempt = ?"
                        + " AND host = ?",
                    Base64.getEncoder().encodeToString(answer),
                    key.requester().toString(),
                    key.attempt(),
                    host.toString())
                == 1);
  }

  @Override
  public void forget() throws SQLException {
    locked(
        open ->
            open.execute(
                FORGET,
                clock.epochMillis() - KEEP.toMillis(),
                clock.epochMillis() - KEEP_OPEN.toMillis()));
  }

  private <T extends @Nullable Object> T locked(SqlDatabase.Work<T> work) throws SQLException {
    lock.lock();
    try {
      return SqlDatabase.run(open(), work);
    } finally {
      lock.unlock();
    }
  }

  private Handle open() throws SQLException {
    if (closed) {
      throw new SQLException("the table of effects was closed with its host");
    }
    Handle open = handle;
    if (open == null || (!isFile() && !open.getConnection().isValid(VALID_SECONDS))) {
      open = database.open();
      if (isFile()) {
        SqlDatabase.run(open, JdbcEffectTable::configure);
      }
      handle = open;
    }
    return open;
  }

  private static int configure(Handle open) {
    return open.execute("PRAGMA busy_timeout = 5000")
        + open.execute("PRAGMA journal_mode = WAL")
        + open.execute("PRAGMA synchronous = FULL");
  }

  private boolean isFile() {
    return url.startsWith("jdbc:sqlite:");
  }

  @Override
  public void close() throws SQLException {
    lock.lock();
    try {
      Handle open = handle;
      handle = null;
      closed = true;
      if (open != null) {
        SqlDatabase.run(open, JdbcEffectTable::closed);
      }
    } finally {
      lock.unlock();
    }
  }

  private static boolean closed(Handle open) {
    open.close();
    return true;
  }

  private record Row(String host, @Nullable String answer) {}
}
