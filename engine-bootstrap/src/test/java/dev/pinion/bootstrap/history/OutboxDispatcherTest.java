package dev.pinion.bootstrap.history;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.bootstrap.history.Sink.Got;
import dev.pinion.bootstrap.history.publish.Subscription;
import dev.pinion.bootstrap.history.publish.SubscriptionStore;
import dev.pinion.bootstrap.settings.SinkPolicy;
import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.spi.History;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Requests to subscribers of a real engine; projection and dispatcher are driven by hand. */
class OutboxDispatcherTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @TempDir Path data;

  private EngineLimits limits =
      EngineLimits.defaults()
          .with(
              Map.of(
                  "history.batchRecords", 3,
                  "publish.publishers", 2,
                  "publish.maxQueued", 4,
                  "publish.retryMillis", 1,
                  "publish.maxRetryMillis", 10,
                  "request.defaultWaitMillis", 2_000));

  private HistoryDatabase database() {
    DatabaseTarget target =
        Objects.requireNonNull(DatabaseTarget.of(DatabaseTarget.SQLITE, data, "", ""));
    return new HistoryDatabase(target, limits.history());
  }

  private SubscriptionStore folder() {
    return new SubscriptionStore(data, limits, SinkPolicy.DEFAULT, Clock.system());
  }

  private Subscription subscribe(Sink sink, String members) throws Exception {
    String wish = "{\"sink\":\"" + sink.url() + "\"" + members + "}";
    byte[] bytes = wish.getBytes(StandardCharsets.UTF_8);
    return folder().create(new PayloadCodec(limits.json()).read(bytes, 0, bytes.length));
  }

  /** A projection and its publishing. */
  private final class Publishing implements AutoCloseable {
    final HistoryProjection projection;
    final OutboxDispatcher outboxDispatcher;

    Publishing() throws IOException {
      projection = new HistoryProjection(data, database(), limits, Clock.system(), () -> {}, false);
      outboxDispatcher =
          projection.dispatcher(
              SinkPolicy.DEFAULT, Thread.ofPlatform().daemon().factory(), () -> {});
    }

    void pass() {
      int _ = projection.poll();
      assertEquals(null, projection.failure());
      boolean _ = outboxDispatcher.dispatchBatch();
    }

    /** Runs passes until a sink has accepted a number of events. */
    void until(Sink sink, int taken) {
      await()
          .atMost(PATIENCE)
          .pollDelay(Duration.ZERO)
          .pollInterval(Duration.ofMillis(2))
          .until(
              () -> {
                pass();
                return sink.taken().size() >= taken;
              });
    }

    @Override
    public void close() {
      outboxDispatcher.close();
      projection.close();
    }
  }

  private List<InstanceId> work(int count) throws Exception {
    List<InstanceId> ids = new ArrayList<>();
    try (WorkedEngine engine = new WorkedEngine(data, limits, History.NONE)) {
      for (int i = 0; i < count; i++) {
        ids.add(engine.start("steps", "{\"input\":{\"n\":" + i + "}}"));
      }
    }
    return ids;
  }

  private static List<String> instances(Sink sink) {
    return sink.taken().stream().map(id -> id.substring(0, id.indexOf('-'))).toList();
  }

  private static List<String> texts(List<InstanceId> ids) {
    return ids.stream().map(InstanceId::toString).toList();
  }

  /** Field fault 22: damage that only the dispatcher meets also causes a new database. */
  @Test
  void shouldHaveADamagedOutboxSetAside() throws Exception {
    try (Sink sink = Sink.willing()) {
      subscribe(sink, "");
      try (Publishing first = new Publishing()) {
        first.pass(); // the subscription has its position
      }
      fillOutbox();
      Path file = data.resolve("history").resolve("history.db");
      Tables.compact(file);
      List<Integer> pages = Tables.pagesWith(file, "the first of them");
      String root = "SELECT rootpage FROM sqlite_master WHERE name = 'outbox'";
      pages.remove(Integer.valueOf(Tables.rows(database(), root).getFirst())); // an older copy
      assertEquals(1, pages.size(), "a leaf that only those meet who read from the beginning");
      Tables.overwrite(file, pages);

      try (Publishing publishing = new Publishing()) {
        publishing.pass();

        assertTrue(publishing.projection.isToBeginAnew(), publishing.outboxDispatcher.failure());
        String failure = String.valueOf(publishing.outboxDispatcher.failure());
        assertTrue(failure.contains("history.db.damaged-"), failure);
      }
      assertEquals(List.of(), sink.taken());
    }
  }

  private void fillOutbox() throws SQLException {
    database()
        .writer()
        .transaction(
            open -> {
              for (int i = 0; i < 40; i++) {
                open.execute(
                    "INSERT INTO outbox (id, sequence, kind, namespace, name, event)"
                        + " VALUES (?, 1, 'NOTICE', '', '', ?)",
                    i,
                    (i == 0 ? "the first of them" : "another") + " ".repeat(1_000));
              }
              return 40;
            });
  }

  @Test
  void shouldTellEachEndOnceAndInOrder() throws Exception {
    try (Sink sink = Sink.willing();
        Publishing process = new Publishing()) {
      subscribe(sink, "");
      List<InstanceId> ids = work(10);
      process.until(sink, 10);
      process.pass();
      assertEquals(texts(ids), instances(sink));

      Got first = sink.got().getFirst();
      assertEquals("application/cloudevents+json; charset=utf-8", first.contentType());
      JsonNode event = first.json();
      assertEquals("1.0", event.path("specversion").asText());
      assertEquals("dev.pinion.instance.completed", event.path("type").asText());
      assertEquals("/v1/namespaces/test/definitions/steps", event.path("source").asText());
      assertEquals(ids.getFirst().toString(), event.path("subject").asText());
      assertTrue(event.at("/data/output/ok").asBoolean(), first.body());
    }
  }

  @Test
  void shouldTellIntermediateResultsTransformedInBinaryForm() throws Exception {
    try (Sink sink = Sink.willing();
        Publishing process = new Publishing()) {
      subscribe(
          sink,
          ",\"types\":[\"dev.pinion.task.completed\"],\"mode\":\"binary\",\"mediaType\":\"text/plain\",\"transform\":\"\\\"\\\\(.data.name)"
              + " of \\\\(.subject)\\\"\"");
      InstanceId id = work(1).getFirst();
      process.until(sink, 6);
      process.pass();
      List<String> bodies = sink.got().stream().map(Got::body).toList();
      assertEquals("first of " + id, bodies.getFirst());
      assertTrue(bodies.contains("right of " + id), bodies::toString);
      assertEquals("guarded of " + id, bodies.getLast());
      assertTrue(sink.got().stream().allMatch(each -> each.contentType().equals("text/plain")));
      assertTrue(
          sink.got().stream().allMatch(each -> each.type().equals("dev.pinion.task.completed")));
      assertEquals(sink.taken().stream().distinct().count(), sink.taken().size());
    }
  }

  @Test
  void shouldEndTheSubscriptionOfASinkThatIsGone() throws Exception {
    try (Sink sink = new Sink(n -> n == 0 ? 204 : 410);
        Sink other = Sink.willing();
        Publishing process = new Publishing()) {
      Subscription gone = subscribe(sink, "");
      Subscription kept = subscribe(other, "");
      work(4);
      await()
          .atMost(PATIENCE)
          .pollDelay(Duration.ZERO)
          .pollInterval(Duration.ofMillis(2))
          .until(
              () -> {
                process.pass();
                return folder().find(gone.id()) == null;
              });
      work(4);
      process.until(other, 8);
      process.pass();
      assertEquals(List.of(204, 410), sink.got().stream().map(Got::status).toList());
      assertEquals(List.of(kept), folder().list());
    }
  }

  @Test
  void shouldSendAgainToWhoWasGoneAndIsRenewed() throws Exception {
    try (Sink sink = new Sink(n -> n == 0 ? 410 : 204);
        Publishing process = new Publishing()) {
      Subscription subscription = subscribe(sink, "");
      work(2);
      await()
          .atMost(PATIENCE)
          .pollDelay(Duration.ZERO)
          .pollInterval(Duration.ofMillis(2))
          .until(
              () -> {
                boolean asked = !sink.got().isEmpty();
                if (!asked) {
                  process.pass();
                }
                return asked;
              });
      Subscription renewed =
          folder()
              .change(subscription.id(), Payload.object(Map.of("namespace", Payload.of("test"))));
      process.until(sink, 2);
      assertEquals(renewed, folder().find(subscription.id()));
    }
  }

  @Test
  void shouldTellOnlyWhatTheFilterLetsThrough() throws Exception {
    try (Sink sink = Sink.willing();
        Sink others = Sink.willing();
        Publishing process = new Publishing()) {
      subscribe(others, ",\"definition\":\"counts\"");
      subscribe(sink, ",\"namespace\":\"test\",\"definition\":\"steps\"");
      work(3);
      try (WorkedEngine engine = new WorkedEngine(data, limits, History.NONE)) {
        engine.start("counts", "{\"input\":{\"n\":0}}");
      }
      process.until(others, 1);
      process.until(sink, 3);
      process.pass();
      assertEquals(3, sink.got().size());
      assertEquals(1, others.got().size());
    }
  }

  @Test
  void shouldSendAgainUntilTakenAndKeepTheOrder() throws Exception {
    try (Sink sink = new Sink(n -> n % 3 == 2 ? 200 : n % 3 == 1 ? 503 : 404);
        Publishing process = new Publishing()) {
      subscribe(sink, "");
      List<InstanceId> ids = work(6);
      process.until(sink, 6);
      assertEquals(texts(ids), instances(sink));
      assertEquals(18, sink.got().size());
    }
  }

  @Test
  void shouldNotLetOneThatHangsHoldUpOthers() throws Exception {
    limits = limits.with(Map.of("publish.publishers", 1, "publish.timeoutMillis", 300_000));
    try (Sink hanging = new Sink(n -> -1);
        Sink failing = new Sink(n -> 500);
        Sink sink = Sink.willing();
        Publishing process = new Publishing()) {
      Subscription stuck = subscribe(hanging, "");
      Subscription broken = subscribe(failing, "");
      subscribe(sink, "");
      List<InstanceId> ids = work(20); // more than a queue holds
      process.until(sink, 20);
      assertEquals(texts(ids), instances(sink));
      assertEquals(1, hanging.got().size());
      process.pass();

      try (HistoryReader reader = new HistoryReader(database(), limits, folder(), null)) {
        JsonNode status = status(reader, broken);
        assertEquals("answered 500", status.path("failure").asText());
        assertEquals(0, status.path("delivered").asInt());
        assertEquals(20, status.path("waiting").asInt());
        assertEquals(0, status(reader, stuck).path("delivered").asInt());
      }
    }
  }

  private static JsonNode status(HistoryReader reader, Subscription of) throws Exception {
    Payload found = Objects.requireNonNull(reader.subscriptions().find(of.id()));
    // Field fault 29: the status stood alone, without the subscription.
    assertEquals(of.id(), found.json().path("id").asText());
    assertEquals(of.sink().toString(), found.json().path("sink").asText());
    return found.json().path("status");
  }

  @Test
  void shouldGiveUpAnAnswerThatDoesNotCome() throws Exception {
    limits = limits.with(Map.of("publish.timeoutMillis", 500));
    try (Sink sink = new Sink(n -> n == 0 ? -1 : 204);
        Publishing process = new Publishing()) {
      subscribe(sink, "");
      List<InstanceId> ids = work(2);
      process.until(sink, 2);
      assertEquals(texts(ids), instances(sink));
      assertEquals(3, sink.got().size());
    }
  }

  @Test
  void shouldSkipWhatTheTransformationFailsForAndSaySo() throws Exception {
    try (Sink sink = Sink.willing();
        Publishing process = new Publishing()) {
      Subscription odd =
          subscribe(
              sink,
              ",\"types\":[\"dev.pinion.instance.started\"],\"transform\":"
                  + "\"if .data.input.n == 1 then error(\\\"no\\\") else .data.input.n end\"");
      work(3);
      process.until(sink, 2);
      untilWaiting(process, odd, 0);
      assertEquals(
          List.of("0", "2"),
          sink.got().stream().map(each -> each.json().path("data").asText()).toList());
      try (HistoryReader reader = new HistoryReader(database(), limits, folder(), null)) {
        JsonNode status = status(reader, odd);
        assertEquals(2, status.path("delivered").asInt());
        assertEquals(1, status.path("skipped").asInt());
      }
    }
  }

  @Test
  void shouldGoOnWhereItWasLeft() throws Exception {
    List<InstanceId> ids;
    try (Sink closed = new Sink(n -> n < 3 ? 200 : 500)) {
      Subscription subscription = subscribe(closed, "");
      ids = work(8);
      Publishing killed = new Publishing(); // never closed: as if it were killed
      killed.until(closed, 3);
      untilWaiting(killed, subscription, 5); // the third response has arrived, and is stored
      List<String> before = instances(closed);
      assertEquals(texts(ids.subList(0, 3)), before);
    }
    // the same subscriber, at another address
    try (Sink sink = Sink.willing();
        Publishing process = new Publishing()) {
      String id = folder().list().getFirst().id();
      Payload moved = Payload.object(Map.of("sink", Payload.of(sink.url())));
      folder().change(id, moved);
      process.until(sink, 5);
      process.pass();
      assertEquals(texts(ids.subList(3, 8)), instances(sink));
    }
  }

  @Test
  void shouldTellNothingThatCameBeforeAndEverythingThatCameAfterwards() throws Exception {
    try (Sink sink = Sink.willing();
        Publishing process = new Publishing()) {
      work(4);
      process.pass(); // some records may be unread
      for (int i = 0; i < 100; i++) {
        process.pass();
      }
      subscribe(sink, "");
      List<InstanceId> later = work(4);
      process.until(sink, 4);
      assertEquals(texts(later), instances(sink));
    }
  }

  @Test
  void shouldSendNothingForOneThatHasEnded() throws Exception {
    try (Sink sink = Sink.willing();
        Sink other = Sink.willing();
        Publishing process = new Publishing()) {
      Subscription ended = subscribe(sink, "");
      subscribe(other, "");
      work(1);
      process.until(sink, 1);
      folder().delete(ended.id());
      work(3);
      process.until(other, 4);
      assertEquals(1, sink.got().size());
      sweep(process);
      assertEquals(List.of("1"), Tables.rows(database(), "SELECT COUNT(*) FROM delivery"));
      assertEquals(List.of("0"), Tables.rows(database(), "SELECT COUNT(*) FROM outbox"));
      assertEquals(0, process.outboxDispatcher.pending());
    }
  }

  /** Runs passes until unneeded events are deleted. */
  private void sweep(Publishing process) {
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(20))
        .until(
            () -> {
              process.pass();
              return Tables.rows(database(), "SELECT COUNT(*) FROM outbox").equals(List.of("0"));
            });
  }

  @Test
  void shouldLoseTheOldestBeyondTheOutboxAndCountThem() throws Exception {
    limits =
        limits.with(
            Map.of("publish.maxOutbox", 5, "publish.maxQueued", 1, "publish.retryMillis", 10));
    try (Sink sink = new Sink(n -> 500);
        Publishing process = new Publishing()) {
      Subscription late = subscribe(sink, "");
      work(5);
      untilWaiting(process, late, 5);
      try (HistoryReader reader = new HistoryReader(database(), limits, folder(), null)) {
        assertEquals(0, status(reader, late).path("lost").asInt());
      }
      work(1);
      await()
          .atMost(PATIENCE)
          .pollInterval(Duration.ofMillis(20))
          .until(
              () -> {
                process.pass();
                return Tables.rows(database(), "SELECT lost FROM delivery").equals(List.of("1"));
              });
      assertEquals(List.of("5"), Tables.rows(database(), "SELECT COUNT(*) FROM outbox"));
      assertEquals(5, process.outboxDispatcher.pending());
    }
  }

  private void untilWaiting(Publishing process, Subscription of, int waiting) throws Exception {
    try (HistoryReader reader = new HistoryReader(database(), limits, folder(), null)) {
      await()
          .atMost(PATIENCE)
          .pollInterval(Duration.ofMillis(20))
          .until(
              () -> {
                process.pass();
                return status(reader, of).path("waiting").asInt() == waiting;
              });
    }
  }
}
