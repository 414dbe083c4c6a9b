package dev.pinion.bootstrap.events;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.Payload;
import dev.pinion.core.spi.ExternalEvents.EventReceipt;
import dev.pinion.core.stage.ThreadSetup;
import dev.pinion.handlers.api.EventTable;
import dev.pinion.handlers.api.EventTables;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lanes of several replicas over one folder, driven by their threads or by hand. */
class EventLaneTest {
  private static final String SHOP = "shop";
  private static final EventTables.Source CUSTOMERS =
      new EventTables.Source(SHOP, "customer.changed", "customer.deleted");

  @TempDir private Path data;
  private final AtomicLong epochMillis = new AtomicLong(1_000_000);
  private final List<EventLane> lanes = new ArrayList<>();
  private Map<String, Integer> limits = Map.of("events.pollMillis", 60_000);

  @AfterEach
  void close() {
    lanes.forEach(EventLane::close);
  }

  private EventLane lane() {
    EventLane lane = new EventLane(data, false, limits(), clock(), ThreadSetup.NONE);
    lanes.add(lane);
    return lane;
  }

  private EngineLimits limits() {
    return EngineLimits.defaults().with(limits);
  }

  private Clock clock() {
    return new Clock() {
      @Override
      public long nanoTime() {
        return 0;
      }

      @Override
      public long epochMillis() {
        return epochMillis.get();
      }

      @Override
      public String scale() {
        return "test";
      }
    };
  }

  private static Payload json(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    try {
      return new PayloadCodec(EngineLimits.defaults().json()).read(bytes, 0, bytes.length);
    } catch (Exception e) {
      throw new AssertionError(text, e);
    }
  }

  private static Payload event(String id, String type, String subject, @Nullable String data) {
    return json(
        """
        {"specversion":"1.0","source":"/crm","id":"%s","type":"%s","subject":"%s"%s}\
        """
            .formatted(id, type, subject, data == null ? "" : ",\"data\":" + data));
  }

  private static Payload changed(String id, String subject, String data) {
    return event(id, CUSTOMERS.type(), subject, data);
  }

  private static EventReceipt post(EventLane lane, Payload... events) throws Exception {
    return lane.post(SHOP, List.of(events)).get(30, TimeUnit.SECONDS);
  }

  private static EventReceipt accepted(int fresh, int repeated) {
    return new EventReceipt.Stored(fresh, repeated);
  }

  private static String row(EventTable table, String subject) {
    return String.valueOf(table.row(subject));
  }

  @Test
  void shouldHaveEveryReplicaApplyWhatOneHasTaken() throws Exception {
    EventLane first = lane();
    EventLane second = lane();
    try (EventTable here = first.open(CUSTOMERS);
        EventTable there = second.open(CUSTOMERS)) {
      assertEquals(
          accepted(2, 0), post(first, changed("1", "a", "{\"n\":1}"), changed("2", "b", "2")));
      assertEquals("{\"n\":1}", row(here, "a"), "before it is acknowledged");
      assertEquals(0, there.size());
      second.work();
      assertEquals("{\"n\":1}", row(there, "a"));
      assertEquals(
          accepted(3, 0),
          post(
              second,
              changed("3", "a", "3"),
              changed("4", "b", "null"),
              event("5", "customer.deleted", "c", "{}")));
      first.work();
      for (EventTable table : List.of(here, there)) {
        assertEquals("3", row(table, "a"));
        assertNull(table.row("b"), "an event without data takes the row away");
        assertEquals(1, table.size());
      }
      assertEquals(
          accepted(2, 0),
          post(first, event("6", "customer.deleted", "a", null), changed("7", "c", "7")));
      second.work();
      assertNull(there.row("a"));
      assertEquals("7", row(there, "c"), "after it was taken away");
    }
  }

  @Test
  void shouldKeepRowsOverRestartsAndApartFromOthers() throws Exception {
    post(lane(), changed("1", "a", "1"), event("2", "other", "a", "2"), changed("3", "a", "3"));
    lanes.removeFirst().close();
    EventLane again = lane();
    assertEquals(accepted(1, 0), again.post("bank", List.of(changed("1", "a", "4"))).get());
    try (EventTable table = again.open(CUSTOMERS);
        EventTable other = again.open(new EventTables.Source(SHOP, "other", null));
        EventTable none = again.open(new EventTables.Source(SHOP, "none", null))) {
      assertEquals("3", row(table, "a"));
      assertEquals("2", row(other, "a"));
      assertEquals(0, none.size());
    }
  }

  @Test
  void shouldTakeAnEventOnceWhicheverReplicaIsSentIt() throws Exception {
    EventLane first = lane();
    EventLane second = lane();
    try (EventTable table = first.open(CUSTOMERS)) {
      Payload event = changed("1", "a", "1");
      assertEquals(accepted(1, 1), post(first, event, event));
      assertEquals(accepted(1, 0), post(second, changed("2", "a", "2")));
      assertEquals(accepted(0, 1), post(second, event));
      first.work();
      assertEquals("2", row(table, "a"), "the repetition was not applied");
      EventReceipt conflict = post(second, changed("3", "a", "3"), changed("1", "a", "9"));
      assertInstanceOf(EventReceipt.ContentConflict.class, conflict);
      assertInstanceOf(
          EventReceipt.ContentConflict.class,
          post(first, changed("4", "a", "4"), changed("4", "a", "5")));
      first.work();
      assertEquals("2", row(table, "a"), "all of a batch or none");
    }
  }

  @Test
  void shouldRememberEventsForAsLongAsItSays() throws Exception {
    limits = Map.of("events.rememberMinutes", 1, "events.maxRemembered", 2);
    EventLane lane = lane();
    Payload event = changed("1", "a", "1");
    post(lane, event);
    epochMillis.addAndGet(60_000);
    assertEquals(accepted(0, 1), post(lane, event));
    epochMillis.addAndGet(1);
    assertEquals(accepted(1, 0), post(lane, event), "after events.rememberMinutes");
    post(lane, changed("2", "a", "2"));
    assertEquals(accepted(0, 1), post(lane, event));
    post(lane, changed("3", "a", "3"));
    assertEquals(accepted(1, 0), post(lane, event), "beyond events.maxRemembered");
  }

  @Test
  void shouldKeepNoMoreSubjectsThanItMay() throws Exception {
    limits = Map.of("events.maxKept", 2, "events.rememberMinutes", 1);
    EventLane lane = lane();
    try (EventTable table = lane.open(CUSTOMERS)) {
      assertEquals(
          new EventReceipt.StoreFull("events.maxKept"),
          post(lane, changed("1", "a", "1"), changed("2", "b", "1"), changed("3", "c", "1")));
      assertEquals(0, table.size());
      post(lane, changed("1", "a", "1"), changed("2", "b", "1"));
      assertEquals(
          new EventReceipt.StoreFull("events.maxKept"), post(lane, changed("3", "c", "1")));
      assertEquals(accepted(2, 0), post(lane, changed("4", "a", "2"), changed("5", "b", "null")));
      assertEquals(
          new EventReceipt.StoreFull("events.maxKept"), post(lane, changed("3", "c", "1")));
      epochMillis.addAndGet(60_001);
      assertEquals(accepted(1, 0), post(lane, changed("3", "c", "1")), "b is forgotten");
      assertEquals(
          new EventReceipt.StoreFull("events.maxKept"), post(lane, changed("6", "d", "1")));
    }
  }

  @Test
  void shouldTellAnewWhatAReplicaMissedForTooLong() throws Exception {
    limits = Map.of("events.pollMillis", 60_000, "events.rememberMinutes", 1);
    EventLane first = lane();
    EventLane late = lane();
    post(first, changed("1", "a", "1"), changed("2", "b", "1"));
    try (EventTable table = late.open(CUSTOMERS)) {
      post(first, changed("3", "a", "null"));
      epochMillis.addAndGet(60_001);
      post(first, changed("4", "c", "1")); // deletes the record that a is gone
      late.work();
      assertNull(table.row("a"));
      assertEquals(2, table.size());
      post(first, changed("5", "b", "2"));
      late.work();
      assertEquals("2", row(table, "b"));
    }
  }

  @Test
  void shouldRefuseWhatDoesNotFitIntoTheLane() throws Exception {
    limits = Map.of("events.maxWaiting", 2, "events.maxWaitingBytes", 1 << 14);
    EventLane lane = lane();
    Payload large = changed("1", "b", "\"" + "x".repeat(1 << 14) + "\"");
    List<CompletableFuture<EventReceipt>> posts = new ArrayList<>();
    synchronized (lane) { // so that nothing is taken out
      posts.add(lane.post(SHOP, List.of(changed("2", "a", "1"))));
      assertEquals(
          new EventReceipt.QueueFull("events.maxWaitingBytes"),
          lane.post(SHOP, List.of(large)).get());
      posts.add(lane.post(SHOP, List.of(changed("2", "a", "1"))));
      assertEquals(
          new EventReceipt.QueueFull("events.maxWaiting"),
          lane.post(SHOP, List.of(changed("2", "a", "1"))).get());
    }
    assertEquals(accepted(1, 0), posts.get(0).get());
    assertEquals(accepted(0, 1), posts.get(1).get());
    assertEquals(accepted(1, 0), post(lane, large), "by itself it fits");
    assertEquals(accepted(0, 1), post(lane, changed("2", "a", "1")), "there is room again");
  }

  /** Field fault 1: waiting events count by their size on the heap, not as JSON. */
  @Test
  void shouldCountWhatWaitsAsWhatItTakesOfTheHeap() throws Exception {
    Payload event = changed("1", "a", "[" + "{\"a\":1},".repeat(999) + "{\"a\":1}]");
    limits = Map.of("events.maxWaitingBytes", 2 * event.heapBytes());
    assertTrue(event.heapBytes() > 20 * event.weight(), "small objects");
    EventLane lane = lane();
    synchronized (lane) {
      for (int i = 0; i < 2; i++) {
        assertFalse(lane.post(SHOP, List.of(event)).isDone(), "waits");
      }
      assertEquals(
          new EventReceipt.QueueFull("events.maxWaitingBytes"),
          lane.post(SHOP, List.of(event)).get());
    }
  }

  /**
   * Field fault 1: rows that do not fit into memory are read from disk, even if there are too many
   * when the table is opened.
   */
  @Test
  void shouldLookRowsUpOnDiskThatMemoryHasNoRoomFor() throws Exception {
    String text = "x".repeat(900);
    limits = Map.of("events.maxTableBytes", 4_200);
    EventLane first = lane();
    try (EventTable table = first.open(CUSTOMERS)) {
      for (int i = 0; i < 10; i++) {
        assertEquals(
            accepted(1, 0), post(first, changed("n" + i, "s" + i, "\"" + i + text + "\"")));
      }
      assertRows(table, text, 4);
    }
    EventLane again = lane();
    EventTable table = again.open(CUSTOMERS);
    assertRows(table, text, 4);
    post(again, changed("later", "s9", "\"new\""), changed("gone", "s8", "null"));
    assertEquals("\"new\"", row(table, "s9"));
    assertNull(table.row("s8"));
    post(again, event("removed", "customer.deleted", "s7", "{}"));
    assertNull(table.row("s7"), "of those on disk as well");
    assertEquals(8, table.size());
    try (EventTable other = again.open(CUSTOMERS)) {
      assertEquals(0, held(other), "of all tables together");
      assertEquals("\"0" + text + "\"", row(other, "s0"));
      table.close();
      post(again, changed("more", "s1", "1"));
      assertEquals(1, held(other), "there is room again");
      assertEquals("1", row(other, "s1"));
    }
  }

  private static void assertRows(EventTable table, String text, int inMemory) {
    assertEquals(inMemory, held(table));
    assertEquals(10, table.size(), "those on disk as well");
    for (int i = 0; i < 10; i++) {
      assertEquals("\"" + i + text + "\"", row(table, "s" + i));
    }
    assertNull(table.row("s10"));
  }

  /** Field fault 1: a row that outgrows memory, and returns, is the latest one at any time. */
  @Test
  void shouldKeepNoOldRowInMemory() throws Exception {
    limits = Map.of("events.maxTableBytes", 1_000);
    EventLane lane = lane();
    try (EventTable table = lane.open(CUSTOMERS)) {
      for (int i = 0; i < 4; i++) {
        String data = i % 2 == 0 ? "1" + i : "\"" + "x".repeat(1_000) + i + "\"";
        post(lane, changed("n" + i, "a", data));
        assertEquals(data, row(table, "a"));
        assertEquals((i + 1) % 2, held(table));
      }
    }
    limits = Map.of("events.maxTableBytes", 0);
    try (EventTable table = lane().open(CUSTOMERS)) {
      assertEquals(0, held(table));
      assertEquals(1_003, row(table, "a").length());
    }
  }

  /** Field fault 1: reading all rows again needs no additional space. */
  @Test
  void shouldTellAnewWithinItsRoom() throws Exception {
    limits = Map.of("events.maxTableBytes", 1_000, "events.rememberMinutes", 1);
    EventLane first = lane();
    EventLane late = lane();
    for (int i = 0; i < 10; i++) {
      post(first, changed("n" + i, "s" + i, "1" + i));
    }
    try (EventTable table = late.open(CUSTOMERS)) {
      assertEquals(7, held(table));
      post(first, changed("gone", "s0", "null"));
      epochMillis.addAndGet(60_001);
      post(first, changed("more", "s10", "110")); // deletes the record that s0 is gone
      late.work();
      assertEquals(7, held(table));
      assertNull(table.row("s0"));
      assertEquals("11", row(table, "s1"));
      assertEquals("110", row(table, "s10"));
    }
  }

  private static int held(EventTable table) {
    return ((EventTableView) table).held();
  }

  @Test
  void shouldRefuseWhatIsNoEvent() throws Exception {
    EventLane lane = lane();
    Payload good = changed("1", "a", "1");
    assertInstanceOf(EventReceipt.Malformed.class, post(lane, good, json("{}")));
    limits = Map.of("events.maxBatch", 1);
    assertInstanceOf(EventReceipt.Malformed.class, post(lane(), good, good));
    assertEquals(accepted(1, 0), post(lanes.getLast(), good));
    assertEquals(accepted(0, 0), post(lane));
  }

  @Test
  void shouldSayThatNothingCanBeKeptUntilItCan() throws Exception {
    Path folder = data.resolve("events");
    Files.writeString(folder, "in the way");
    EventLane lane = lane();
    assertInstanceOf(EventReceipt.StoreUnavailable.class, post(lane, changed("1", "a", "1")));
    assertThrows(IOException.class, () -> lane.open(CUSTOMERS));
    Files.delete(folder);
    assertEquals(accepted(1, 0), post(lane, changed("1", "a", "1")));
    try (var connection =
            DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("events.db"));
        var statement = connection.createStatement()) {
      statement.execute("PRAGMA user_version=" + (EventDatabase.VERSION + 1));
    }
    IOException later = assertThrows(IOException.class, () -> lane().open(CUSTOMERS));
    assertTrue(Objects.requireNonNull(later.getMessage()).contains("version"), later::toString);
  }

  @Test
  void shouldRefuseWhatComesAfterItsEnd() throws Exception {
    EventLane lane = lane();
    lane.close();
    assertInstanceOf(EventReceipt.StoreUnavailable.class, post(lane, changed("1", "a", "1")));
  }
}
