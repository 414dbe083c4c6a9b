package dev.pinion.bootstrap.events;

import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.codec.PayloadSyntaxException;
import dev.pinion.core.events.EventLog;
import dev.pinion.core.events.ExternalEvent;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.limits.EventLimits;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log of events in the database that replicas share: each event until all partitions and sinks
 * have come past it; the cursor of each partition; and which events were consumed. Used by one
 * thread at a time.
 */
final class StoredEventLog implements EventLog {
  private static final Logger LOG = LoggerFactory.getLogger(StoredEventLog.class);

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

  /**
   * Has a new log begin behind all positions of one that it replaces: by the time, in microseconds.
   * Instances that remember lower ones would not hear its events.
   */
  static final String BEHIND_LOST_POSITIONS =
      "INSERT INTO sqlite_sequence (name, seq) SELECT 'log', CAST(strftime('%s', 'now') AS INTEGER)"
          + " * 1000000 WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'log')";

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

  /** Position of the last event that could not be read, of which people were told. */
  private long unreadable;

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
    String sql =
        "SELECT position, namespace, at, type, event FROM log WHERE position > ? ORDER BY position";
    try (PreparedStatement query = reader.getConnection().prepareStatement(sql)) {
      query.setLong(1, after);
      try (ResultSet row = query.executeQuery()) {
        return withConsumed(events(row, most, mostBytes));
      }
    } catch (SQLException e) {
      throw new IOException("the log of events cannot be read: " + e.getMessage(), e);
    }
  }

  private List<LoggedEvent> events(ResultSet row, int most, long mostBytes) throws SQLException {
    List<LoggedEvent> events = new ArrayList<>();
    for (long bytes = 0; events.size() < most && bytes < mostBytes && row.next(); ) {
      byte[] json = row.getBytes(5);
      Payload event = event(row.getLong(1), row.getString(4), json);
      if (event != null) {
        bytes += json.length;
        events.add(
            new LoggedEvent(
                row.getLong(1), row.getString(2), row.getLong(3), row.getString(4), false, event));
      }
    }
    return events;
  }

  /** The events, marked when they are consumed. Without events that are kept, nobody asks. */
  private List<LoggedEvent> withConsumed(List<LoggedEvent> events) throws SQLException {
    if (events.isEmpty() || limits.keepMillis() == 0) {
      return events;
    }
    long first = events.getFirst().position();
    long last = events.getLast().position();
    ConsumedRanges ranges = SqlDatabase.run(reader, open -> ConsumedRanges.of(open, first, last));
    return events.stream()
        .map(each -> ranges.includeNext(each.position()) ? each.asConsumed() : each)
        .toList();
  }

  /** An event, or null when it cannot be read: it must not keep those behind it from anyone. */
  private @Nullable Payload event(long position, String type, byte[] json) {
    try {
      return codec.read(json, 0, json.length);
    } catch (PayloadSyntaxException e) {
      // Limits of JSON may be smaller now than when the event was accepted.
      if (position > unreadable) {
        unreadable = position;
        LOG.error(
            "the event at position {} of type {} is left out: {}", position, type, e.getMessage());
      }
      return null;
    }
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
    long then = limits.keepMillis() == 0 ? Long.MAX_VALUE : nowMillis - limits.keepMillis();
    long passed = EventDatabase.number(writer, "SELECT min(position) FROM cursor");
    long delivered =
        EventDatabase.number(writer, "SELECT coalesce(min(position), ?) FROM sink", passed);
    List<Long> gone =
        writer
            .select(
                "SELECT position FROM log WHERE position <= ? AND at <= ? ORDER BY position LIMIT ?",
                Math.min(passed, delivered),
                then,
                DELETED_AT_ONCE)
            .mapTo(Long.class)
            .list();
    if (gone.isEmpty()) {
      return 0;
    }
    long last = gone.getLast();
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
    ConsumedRanges ranges = ConsumedRanges.of(writer, positions.getFirst(), positions.getLast());
    return positions.stream().filter(ranges::includeNext).count();
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
