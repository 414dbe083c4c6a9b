package dev.pinion.bootstrap.events;

import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.codec.PayloadSyntaxException;
import dev.pinion.core.events.EventLog;
import dev.pinion.core.events.ExternalEvent;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.limits.EventLimits;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.spi.EventSubscriber.LoggedEvent;
import dev.pinion.handlers.sql.SqlDatabase;
import java.io.IOException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jspecify.annotations.Nullable;

/**
 * The log of events in the database that replicas share: each event until all partitions and sinks
 * have come past it; the cursor of each partition; and which events were consumed. Used by one
 * thread at a time.
 */
final class StoredEventLog implements EventLog {
  static final String[] TABLES = {
    "CREATE TABLE IF NOT EXISTS log (position INTEGER PRIMARY KEY AUTOINCREMENT,"
        + " namespace TEXT NOT NULL, type TEXT NOT NULL, at INTEGER NOT NULL,"
        + " emitted INTEGER NOT NULL, event BLOB NOT NULL)",
    "CREATE INDEX IF NOT EXISTS log_at ON log (at)",
    "CREATE TABLE IF NOT EXISTS cursor (partition INTEGER PRIMARY KEY, position INTEGER NOT NULL)",
    "WITH RECURSIVE each (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM each WHERE n < "
        + (InstanceId.MAX_PARTITIONS - 1)
        + ") INSERT OR IGNORE INTO cursor SELECT n, 0 FROM each",
    "CREATE TABLE IF NOT EXISTS consumed (n INTEGER PRIMARY KEY AUTOINCREMENT,"
        + " first INTEGER NOT NULL, last INTEGER NOT NULL)",
    "CREATE TABLE IF NOT EXISTS sink (name TEXT PRIMARY KEY, position INTEGER NOT NULL)"
  };

  /** Events in the log. */
  private static final String LOGGED = "logged";

  /** Bytes of these events as JSON. */
  private static final String BYTES = "bytes";

  /** Most events deleted at once. */
  private static final int DELETED_AT_ONCE = 20_000;

  private final EventLimits limits;
  private final PayloadCodec codec;
  private final Handle writer;
  private final Handle reader;
  private long dropped;

  StoredEventLog(EngineLimits limits, Handle writer, Handle reader) {
    this.limits = limits.events();
    this.codec = new PayloadCodec(limits.json());
    this.writer = writer;
    this.reader = reader;
  }

  /** The limit that some more events would exceed, or null. In the transaction of a writer. */
  @Nullable String exceededBy(List<ExternalEvent> events) {
    long logged = EventDatabase.mark(writer, LOGGED);
    long bytes = EventDatabase.mark(writer, BYTES) + bytes(events);
    if (logged + events.size() > limits.maxLogged()) {
      return "events.maxLogged";
    }
    return logged > 0 && bytes > limits.maxLogBytes() ? "events.maxLogBytes" : null;
  }

  private static long bytes(List<ExternalEvent> events) {
    return events.stream().mapToLong(event -> event.json().length).sum();
  }

  /** Appends events. In the transaction of a writer. */
  void append(String namespace, List<ExternalEvent> events, boolean emitted, long nowMillis) {
    if (events.isEmpty()) {
      return;
    }
    for (ExternalEvent event : events) {
      writer.execute(
          "INSERT INTO log (namespace, type, at, emitted, event) VALUES (?, ?, ?, ?, ?)",
          namespace,
          event.type(),
          nowMillis,
          emitted ? 1 : 0,
          event.json());
    }
    EventDatabase.mark(writer, LOGGED, EventDatabase.mark(writer, LOGGED) + events.size());
    EventDatabase.mark(writer, BYTES, EventDatabase.mark(writer, BYTES) + bytes(events));
  }

  /** Keeps nothing for sinks any more. */
  void forgetSinks() throws SQLException {
    int _ = SqlDatabase.run(writer, open -> open.execute("DELETE FROM sink"));
  }

  /** Events that nobody consumed, among those deleted since the last call. */
  long takeDropped() {
    long taken = dropped;
    dropped = 0;
    return taken;
  }

  /** Number of events in the log. */
  long size() throws IOException {
    return read(open -> EventDatabase.mark(open, LOGGED));
  }

  private <T> T read(SqlDatabase.Work<T> work) throws IOException {
    try {
      return SqlDatabase.run(reader, work);
    } catch (SQLException e) {
      throw new IOException("the log of events cannot be read: " + e.getMessage(), e);
    }
  }

  @Override
  public long end() throws IOException {
    return read(
        open -> EventDatabase.number(open, "SELECT seq FROM sqlite_sequence WHERE name = 'log'"));
  }

  @Override
  public List<LoggedEvent> read(long after, int most, long mostBytes) throws IOException {
    String consumed =
        limits.keepMillis() > 0
            ? "EXISTS (SELECT 1 FROM consumed WHERE log.position BETWEEN first AND last)"
            : "0";
    String sql =
        "SELECT position, namespace, at, type, event, "
            + consumed
            + " FROM log WHERE position > ? ORDER BY position LIMIT ?";
    try (PreparedStatement query = reader.getConnection().prepareStatement(sql)) {
      query.setLong(1, after);
      query.setInt(2, most);
      try (ResultSet row = query.executeQuery()) {
        return events(row, mostBytes);
      }
    } catch (SQLException | PayloadSyntaxException e) {
      throw new IOException("the log of events cannot be read: " + e.getMessage(), e);
    }
  }

  private List<LoggedEvent> events(ResultSet row, long mostBytes)
      throws SQLException, PayloadSyntaxException {
    List<LoggedEvent> events = new ArrayList<>();
    for (long bytes = 0; bytes < mostBytes && row.next(); ) {
      byte[] json = row.getBytes(5);
      bytes += json.length;
      events.add(
          new LoggedEvent(
              row.getLong(1),
              row.getString(2),
              row.getLong(3),
              row.getString(4),
              row.getInt(6) != 0,
              codec.read(json, 0, json.length)));
    }
    return events;
  }

  @Override
  public long[] cursors() throws IOException {
    long[] cursors = new long[InstanceId.MAX_PARTITIONS];
    return read(
        open ->
            open.select("SELECT partition, position FROM cursor")
                .reduceResultSet(
                    cursors,
                    (all, row, _) -> {
                      all[row.getInt(1)] = row.getLong(2);
                      return all;
                    }));
  }

  @Override
  public long before(long epochMillis) throws IOException {
    long first =
        read(
            open ->
                EventDatabase.number(
                    open, "SELECT min(position) FROM log WHERE at >= ?", epochMillis));
    return first == 0 ? end() : first - 1;
  }

  @Override
  public void save(List<CursorUpdate> cursors, List<Long> consumed, long nowMillis)
      throws IOException {
    if (cursors.isEmpty() && consumed.isEmpty() && size() == 0) {
      return;
    }
    try {
      int _ =
          EventDatabase.transaction(
              writer,
              () -> {
                saveCursors(cursors);
                for (int i = 0; i + 1 < consumed.size(); i += 2) {
                  writer.execute(
                      "INSERT INTO consumed (first, last) VALUES (?, ?)",
                      consumed.get(i),
                      consumed.get(i + 1));
                }
                return deletePassed(nowMillis);
              });
    } catch (SQLException e) {
      throw new IOException("cursors of events cannot be stored: " + e.getMessage(), e);
    }
  }

  private void saveCursors(List<CursorUpdate> cursors) {
    if (cursors.isEmpty()) {
      return;
    }
    try (PreparedBatch batch =
        writer.prepareBatch(
            "UPDATE cursor SET position = :position WHERE partition = :partition AND position <"
                + " :position")) {
      for (CursorUpdate update : cursors) {
        update.partitions().stream()
            .forEach(
                partition ->
                    batch.bind("position", update.position()).bind("partition", partition).add());
      }
      if (batch.size() > 0) {
        int[] _ = batch.execute();
      }
    }
  }

  /**
   * Deletes events that all partitions and sinks have passed, and that are kept no longer; returns
   * how many.
   */
  private int deletePassed(long nowMillis) {
    long passed = EventDatabase.number(writer, "SELECT min(position) FROM cursor");
    long delivered =
        EventDatabase.number(writer, "SELECT coalesce(min(position), ?) FROM sink", passed);
    List<Long> gone =
        writer
            .select(
                "SELECT position FROM log WHERE position <= ? AND at <= ? ORDER BY position LIMIT ?",
                Math.min(passed, delivered),
                nowMillis - limits.keepMillis(),
                DELETED_AT_ONCE)
            .mapTo(Long.class)
            .list();
    if (gone.isEmpty()) {
      return 0;
    }
    long last = gone.getLast();
    long then = nowMillis - limits.keepMillis();
    long bytes =
        EventDatabase.number(
            writer,
            "SELECT sum(length(event)) FROM log WHERE position <= ? AND at <= ?",
            last,
            then);
    writer.execute("DELETE FROM log WHERE position <= ? AND at <= ?", last, then);
    EventDatabase.mark(writer, LOGGED, EventDatabase.mark(writer, LOGGED) - gone.size());
    EventDatabase.mark(writer, BYTES, EventDatabase.mark(writer, BYTES) - bytes);
    dropped += gone.size() - consumedOf(gone);
    writer.execute(
        "DELETE FROM consumed WHERE last < (SELECT coalesce(min(position), ?) FROM log)", last + 1);
    return gone.size();
  }

  private long consumedOf(List<Long> positions) {
    ConsumedRanges ranges = new ConsumedRanges();
    writer
        .select(
            "SELECT first, last FROM consumed WHERE first <= ? ORDER BY first", positions.getLast())
        .reduceResultSet(
            ranges,
            (all, row, _) -> {
              all.add(row.getLong(1), row.getLong(2));
              return all;
            });
    return positions.stream().filter(ranges::includeNext).count();
  }

  /** Ranges by their first position, asked for ascending positions. */
  private static final class ConsumedRanges {
    private final List<long[]> ranges = new ArrayList<>();
    private int next;
    private long covered;

    void add(long first, long last) {
      ranges.add(new long[] {first, last});
    }

    boolean includeNext(long position) {
      while (next < ranges.size() && ranges.get(next)[0] <= position) {
        covered = Math.max(covered, ranges.get(next)[1]);
        next++;
      }
      return position <= covered;
    }
  }

  @Override
  public ConsumedEvents consumed(long mark) throws IOException {
    List<Long> pairs = new ArrayList<>();
    long last =
        read(
            open ->
                open.select("SELECT n, first, last FROM consumed WHERE n > ? ORDER BY n", mark)
                    .reduceResultSet(
                        mark,
                        (_, row, _) -> {
                          pairs.add(row.getLong(2));
                          pairs.add(row.getLong(3));
                          return row.getLong(1);
                        }));
    return new ConsumedEvents(last, pairs);
  }
}
