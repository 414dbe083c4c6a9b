package dev.pinion.bootstrap.events;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.bootstrap.events.EventStore.StoredBatch;
import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.events.CloudEventReader;
import dev.pinion.core.events.EventLog.ConsumedEvents;
import dev.pinion.core.events.EventLog.CursorUpdate;
import dev.pinion.core.events.ExternalEvent;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.spi.EventSubscriber.LoggedEvent;
import dev.pinion.core.spi.ExternalEvents.EventReceipt;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The log of events in its database, as one or two replicas see it. */
class StoredEventLogTest {
  private static final long NOW = 1_000_000_000;

  @TempDir private Path data;
  private final Map<String, Integer> limits = new HashMap<>();
  private @Nullable EventStore opened;

  private EventStore store() throws SQLException {
    EventStore known = opened;
    if (known == null) {
      known = another();
      opened = known;
    }
    return known;
  }

  private EventStore another() throws SQLException {
    return EventStore.open(data.resolve("events.db"), EngineLimits.defaults().with(limits));
  }

  private StoredEventLog log() throws SQLException {
    return store().log();
  }

  @AfterEach
  void close() {
    if (opened != null) {
      opened.close();
    }
  }

  private static ExternalEvent event(String id, String members) throws Exception {
    byte[] bytes =
        ("{'specversion':'1.0','source':'/s','type':'t','id':'" + id + "'" + members + "}")
            .replace('\'', '"')
            .getBytes(StandardCharsets.UTF_8);
    Payload read = new PayloadCodec(EngineLimits.defaults().json()).read(bytes, 0, bytes.length);
    return new CloudEventReader(EngineLimits.defaults()).read(List.of(read)).getFirst();
  }

  private EventReceipt append(long nowMillis, ExternalEvent... events) throws SQLException {
    return store()
        .append(List.of(new StoredBatch("n", List.of(events), false)), () -> nowMillis)
        .getFirst();
  }

  private void append(int from, int to) throws Exception {
    for (int i = from; i <= to; i++) {
      assertEquals(new EventReceipt.Stored(1, 0), append(NOW + i, event("e" + i, "")));
    }
  }

  private static BitSet all() {
    BitSet all = new BitSet();
    all.set(0, InstanceId.MAX_PARTITIONS);
    return all;
  }

  private void save(BitSet partitions, long position, long nowMillis, Long... consumed)
      throws Exception {
    log().save(List.of(new CursorUpdate(partitions, position)), List.of(consumed), nowMillis);
  }

  private List<Long> positions() throws Exception {
    return log().read(0, 1_000, Long.MAX_VALUE).stream().map(LoggedEvent::position).toList();
  }

  @Test
  void shouldReadEventsInTheirOrder() throws Exception {
    append(1, 5);
    ExternalEvent last = event("x", ",'datacontenttype':'text/plain','data':'hi','extra':'e'");
    assertEquals(new EventReceipt.Stored(1, 0), append(NOW, last));
    assertEquals(6, log().end());
    assertEquals(List.of(1L, 2L, 3L, 4L, 5L, 6L), positions());
    LoggedEvent read = log().read(5, 10, Long.MAX_VALUE).getFirst();
    assertEquals(new LoggedEvent(6, "n", NOW, "t", false, last.event()), read);
    assertEquals(2, log().read(0, 2, Long.MAX_VALUE).size());
    int bytes = event("e1", "").json().length;
    assertEquals(2, log().read(0, 10, bytes + 1L).size(), "no more bytes, but one over");
    assertEquals(List.of(), log().read(6, 10, Long.MAX_VALUE));
  }

  /** Limits of JSON may be smaller now than when an event was accepted. */
  @Test
  void shouldLeaveOutAnEventThatCannotBeRead() throws Exception {
    append(1, 1);
    ExternalEvent deep = event("deep", ",'data':" + "[".repeat(40) + "]".repeat(40));
    assertEquals(new EventReceipt.Stored(1, 0), append(NOW, deep));
    append(3, 4);
    limits.put("json.maxDepth", 20);
    try (EventStore flat = another()) {
      assertEquals(
          List.of(1L, 3L),
          flat.log().read(0, 2, Long.MAX_VALUE).stream().map(LoggedEvent::position).toList());
      assertEquals(3, flat.log().read(1, 10, 1).getFirst().position());
      assertEquals(4, flat.log().end());
    }
  }

  @Test
  void shouldFindEventsByTheirTime() throws Exception {
    append(1, 3);
    assertEquals(0, log().before(0));
    assertEquals(1, log().before(NOW + 2));
    assertEquals(3, log().before(NOW + 4));
  }

  /** Another replica may write for long before; instances may begin to listen in that time. */
  @Test
  void shouldTakeTheTimeOfEventsWhenItsTurnHasCome() throws Exception {
    boolean[] alone = new boolean[1];
    EventReceipt stored =
        store()
            .append(
                List.of(new StoredBatch("n", List.of(event("a", "")), false)),
                () -> {
                  alone[0] = isLocked();
                  return NOW;
                })
            .getFirst();
    assertEquals(new EventReceipt.Stored(1, 0), stored);
    assertTrue(alone[0], "nobody else can write any more");
  }

  private boolean isLocked() {
    try (var connection = DriverManager.getConnection("jdbc:sqlite:" + data.resolve("events.db"));
        var statement = connection.createStatement()) {
      statement.execute("PRAGMA busy_timeout=0");
      statement.execute("BEGIN IMMEDIATE");
      return false;
    } catch (SQLException e) {
      return true;
    }
  }

  @Test
  void shouldRaiseCursorsOnly() throws Exception {
    append(1, 3);
    BitSet some = BitSet.valueOf(new long[] {6});
    save(some, 2, NOW);
    save(some, 1, NOW);
    long[] cursors = log().cursors();
    assertEquals(InstanceId.MAX_PARTITIONS, cursors.length);
    assertEquals(0, cursors[0]);
    assertEquals(2, cursors[1]);
    assertEquals(2, cursors[2]);
    assertEquals(List.of(1L, 2L, 3L), positions(), "others have not come past them");
  }

  @Test
  void shouldDeleteWhatAllHaveComePast() throws Exception {
    append(1, 5);
    save(all(), 3, NOW + 1_000, 2L, 2L);
    assertEquals(List.of(4L, 5L), positions());
    assertEquals(2, log().size());
    assertEquals(2, log().takeDropped(), "1 and 3 were not consumed");
    assertEquals(0, log().takeDropped());
    save(all(), 5, NOW + 1_000, 4L, 5L);
    assertEquals(0, log().size());
    assertEquals(0, log().takeDropped());
    assertEquals(5, log().end(), "positions are not given again");
    append(6, 6);
    assertEquals(List.of(6L), positions());
  }

  @Test
  void shouldKeepEventsForTheirTime() throws Exception {
    limits.put("events.keepMillis", 1_000);
    append(1, 2);
    save(all(), 2, NOW + 1_000, 1L, 1L);
    assertEquals(List.of(1L, 2L), positions());
    assertEquals(
        List.of(true, false),
        log().read(0, 10, Long.MAX_VALUE).stream().map(LoggedEvent::isConsumed).toList());
    ConsumedEvents first = log().consumed(0);
    assertEquals(List.of(1L, 1L), first.pairs());
    assertEquals(List.of(), log().consumed(first.mark()).pairs());
    log().save(List.of(), List.of(), NOW + 1_001);
    assertEquals(List.of(2L), positions());
    log().save(List.of(), List.of(), NOW + 1_002);
    assertEquals(0, log().size());
    assertEquals(1, log().takeDropped());
    assertEquals(List.of(), log().consumed(0).pairs(), "ranges go with their events");
  }

  @Test
  void shouldDeleteWhatAllHaveComePastAlthoughTheClockWasSetBack() throws Exception {
    append(1, 2);
    save(all(), 2, NOW - 1_000_000);
    assertEquals(0, log().size());
    assertEquals(2, log().takeDropped());
  }

  /** Ranges of several replicas, in any order. */
  @Test
  void shouldMarkWhatAnyRangeHolds() throws Exception {
    limits.put("events.keepMillis", 1_000);
    append(1, 9);
    log().save(List.of(), List.of(7L, 8L, 2L, 5L, 3L, 3L), NOW);
    assertEquals(
        List.of(2L, 3L, 4L, 5L, 7L, 8L),
        log().read(0, 10, Long.MAX_VALUE).stream()
            .filter(LoggedEvent::isConsumed)
            .map(LoggedEvent::position)
            .toList());
    assertTrue(log().read(4, 1, Long.MAX_VALUE).getFirst().isConsumed());
  }

  @Test
  void shouldTellWhatAnotherReplicaConsumed() throws Exception {
    limits.put("events.keepMillis", 1_000);
    append(1, 4);
    try (EventStore other = another()) {
      ConsumedEvents none = log().consumed(0);
      other.log().save(List.of(), List.of(2L, 3L), NOW);
      assertEquals(List.of(2L, 3L), log().consumed(none.mark()).pairs());
      assertEquals(4, other.log().end());
    }
  }

  @Test
  void shouldRefuseMoreThanItMayHold() throws Exception {
    limits.put("events.maxLogged", 2);
    append(1, 2);
    assertEquals(new EventReceipt.StoreFull("events.maxLogged"), append(NOW, event("e3", "")));
    assertEquals(new EventReceipt.Stored(0, 1), append(NOW, event("e2", "")), "known");
    save(all(), 1, NOW + 10);
    append(3, 3);
  }

  @Test
  void shouldRefuseMoreBytesThanItMayHold() throws Exception {
    limits.put("events.maxLogBytes", 1 << 16);
    String large = ",'data':'" + "x".repeat(1 << 16) + "'";
    assertEquals(new EventReceipt.Stored(1, 0), append(NOW, event("a", large)), "by itself");
    assertEquals(new EventReceipt.StoreFull("events.maxLogBytes"), append(NOW, event("b", "")));
    save(all(), 1, NOW + 10);
    String half = ",'data':'" + "x".repeat(1 << 15) + "'";
    assertEquals(new EventReceipt.Stored(1, 0), append(NOW, event("c", half)));
    assertEquals(new EventReceipt.StoreFull("events.maxLogBytes"), append(NOW, event("d", half)));
    assertEquals(new EventReceipt.Stored(1, 0), append(NOW, event("e", "")));
  }

  /** Rows that nobody reads must not stop the log. */
  @Test
  void shouldForgetRowsThatNoHandlerReads() throws Exception {
    limits.put("events.maxKept", 2);
    store().view("n", List.of("t"));
    for (int i = 1; i <= 5; i++) {
      ExternalEvent other = event("o" + i, ",'subject':'s" + i + "','data':1,'type':'other'");
      assertEquals(new EventReceipt.Stored(1, 0), append(NOW, other));
    }
    for (int i = 1; i <= 2; i++) {
      assertEquals(
          new EventReceipt.Stored(1, 0),
          append(NOW, event("r" + i, ",'subject':'s" + i + "','data':1")));
    }
    assertEquals(
        new EventReceipt.StoreFull("events.maxKept"),
        append(NOW, event("r3", ",'subject':'s3','data':1")));
    assertEquals(new EventReceipt.Stored(1, 0), append(NOW, event("r4", "")), "no row");
  }

  /** Those that make room for a request that does not fit all the same are gone, too. */
  @Test
  void shouldCountTheRowsThatItForgets() throws Exception {
    limits.put("events.maxKept", 3);
    store().view("n", List.of("t"));
    assertEquals(
        new EventReceipt.Stored(3, 0),
        append(
            NOW,
            event("o1", ",'subject':'s','data':1,'type':'other'"),
            event("r1", ",'subject':'s1','data':1"),
            event("r2", ",'subject':'s2','data':1")));
    assertEquals(
        new EventReceipt.StoreFull("events.maxKept"),
        append(
            NOW, event("r3", ",'subject':'s3','data':1"), event("r4", ",'subject':'s4','data':1")));
    assertEquals(
        new EventReceipt.Stored(1, 0), append(NOW, event("r3", ",'subject':'s3','data':1")));
    assertEquals(
        new EventReceipt.StoreFull("events.maxKept"),
        append(NOW, event("r4", ",'subject':'s4','data':1")));
  }

  /** Instances remember the positions that they heard, and hear none of them again. */
  @Test
  void shouldBeginBehindThePositionsOfALogThatWasLost() throws Exception {
    Files.createDirectory(data.resolve("journal"));
    Path file = data.resolve("events").resolve("events.db");
    try (EventStore fresh = EventStore.open(file, EngineLimits.defaults())) {
      long end = fresh.log().end();
      assertTrue(end > 1_000_000_000_000_000L, () -> "end of the log: " + end);
      EventReceipt stored =
          fresh
              .append(List.of(new StoredBatch("n", List.of(event("a", "")), false)), () -> NOW)
              .getFirst();
      assertEquals(new EventReceipt.Stored(1, 0), stored);
      assertEquals(end + 1, fresh.log().read(0, 1, Long.MAX_VALUE).getFirst().position());
    }
    try (EventStore again = EventStore.open(file, EngineLimits.defaults())) {
      assertEquals(1, again.log().size());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldAddTheLogToEventsOfAnEarlierVersion(boolean hasRows) throws Exception {
    try (var connection = DriverManager.getConnection("jdbc:sqlite:" + data.resolve("events.db"));
        var statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE event (position INTEGER PRIMARY KEY AUTOINCREMENT, namespace TEXT NOT NULL,"
              + " type TEXT NOT NULL, subject TEXT NOT NULL, data BLOB, at INTEGER NOT NULL,"
              + " UNIQUE (namespace, type, subject))");
      statement.execute(
          "CREATE TABLE seen (position INTEGER PRIMARY KEY AUTOINCREMENT, namespace TEXT NOT NULL,"
              + " source TEXT NOT NULL, id TEXT NOT NULL, digest TEXT NOT NULL, at INTEGER NOT"
              + " NULL, UNIQUE (namespace, source, id))");
      statement.execute("CREATE TABLE mark (name TEXT PRIMARY KEY, value INTEGER NOT NULL)");
      if (hasRows) {
        statement.execute(
            "INSERT INTO event (namespace, type, subject, data, at) VALUES ('n', 't', 'a', '7', "
                + NOW
                + ")");
        statement.execute("INSERT INTO mark VALUES ('kept', 1)");
      }
      statement.execute("PRAGMA user_version=1");
    }
    append(1, 1);
    assertEquals(List.of(1L), positions());
    assertEquals(0, log().cursors()[InstanceId.MAX_PARTITIONS - 1]);
    List<String> rows = new ArrayList<>();
    long last =
        store()
            .read(
                "n",
                List.of("t", "t"),
                0,
                (_, subject, json) ->
                    rows.add(
                        subject
                            + new String(Objects.requireNonNull(json), StandardCharsets.UTF_8)));
    assertEquals(hasRows ? List.of("a7") : List.of(), rows);
    assertTrue(last >= 0);
  }
}
