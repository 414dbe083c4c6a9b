package dev.pinion.bootstrap.history;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.bootstrap.history.Sink.Got;
import dev.pinion.bootstrap.history.publish.StandingSubscriptions;
import dev.pinion.bootstrap.history.publish.Subscription;
import dev.pinion.bootstrap.history.publish.SubscriptionStore;
import dev.pinion.bootstrap.settings.EventSinkSpec;
import dev.pinion.bootstrap.settings.LifecycleSinkSpec;
import dev.pinion.bootstrap.settings.SinkPolicy;
import dev.pinion.bootstrap.supervise.HistorySupervisor.SinkStatus;
import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.spi.History;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lifecycle events of a real engine; projection and dispatcher are driven by hand. */
class LifecycleSinksTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @TempDir Path data;

  private EngineLimits limits =
      EngineLimits.defaults()
          .with(
              Map.of(
                  "history.batchRecords", 3,
                  "publish.retryMillis", 1,
                  "publish.maxRetryMillis", 10,
                  "request.defaultWaitMillis", 2_000));

  private HistoryDatabase database() {
    DatabaseTarget target =
        Objects.requireNonNull(DatabaseTarget.of(DatabaseTarget.SQLITE, data, "", ""));
    return new HistoryDatabase(target, limits.history());
  }

  private static List<Subscription> sinks(String setting, Sink sink) {
    return StandingSubscriptions.of(
        LifecycleSinkSpec.parse(setting), EventSinkSpec.parse("audit=" + sink.url()));
  }

  private void subscribe(Sink sink, String members) throws Exception {
    String wish = "{\"sink\":\"" + sink.url() + "\"" + members + "}";
    byte[] bytes = wish.getBytes(StandardCharsets.UTF_8);
    Subscription _ =
        new SubscriptionStore(data, limits, SinkPolicy.DEFAULT, Clock.system())
            .create(new PayloadCodec(limits.json()).read(bytes, 0, bytes.length));
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

  private static List<String> types(Sink sink) {
    return sink.got().stream().map(Got::type).toList();
  }

  private static List<String> instances(Sink sink) {
    return sink.taken().stream().map(id -> id.substring(0, id.indexOf('-'))).toList();
  }

  /** A projection and its publishing. */
  private final class Publishing implements AutoCloseable {
    final HistoryProjection projection;
    final OutboxDispatcher outboxDispatcher;

    Publishing(List<Subscription> standing) throws IOException {
      projection =
          new HistoryProjection(data, database(), limits, Clock.system(), () -> {}, false)
              .publishingTo(standing);
      outboxDispatcher =
          projection.dispatcher(
              SinkPolicy.DEFAULT, Thread.ofPlatform().daemon().factory(), () -> {});
    }

    void until(Callable<Boolean> reached) {
      await()
          .atMost(PATIENCE)
          .pollDelay(Duration.ZERO)
          .pollInterval(Duration.ofMillis(2))
          .until(
              () -> {
                int _ = projection.poll();
                assertEquals(null, projection.failure());
                boolean _ = outboxDispatcher.dispatchBatch();
                return reached.call();
              });
    }

    /** Runs passes until a sink has accepted a number of events, and a few more. */
    void untilTaken(Sink sink, int taken) {
      until(() -> sink.taken().size() >= taken);
      int[] passes = {0};
      until(() -> ++passes[0] > 3);
    }

    void untilRow(String query, String expected) {
      until(() -> Tables.rows(database(), query).equals(List.of(expected)));
    }

    @Override
    public void close() {
      outboxDispatcher.close();
      projection.close();
    }
  }

  @Test
  void shouldSendLifecycleEventsToSinksOfTheConfiguration() throws Exception {
    try (Sink sink = Sink.willing();
        Publishing process = new Publishing(sinks("audit:workflow@test", sink))) {
      InstanceId id = work(1).getFirst();
      process.untilTaken(sink, 2);

      assertEquals(
          List.of(
              "io.serverlessworkflow.workflow.started.v1",
              "io.serverlessworkflow.workflow.completed.v1"),
          types(sink));
      Got first = sink.got().getFirst();
      assertEquals("application/cloudevents+json; charset=utf-8", first.contentType());
      JsonNode event = first.json();
      assertEquals("/v1/namespaces/test/definitions/steps", event.path("source").asText());
      assertEquals(id.toString(), event.path("subject").asText());
      assertEquals("steps-" + id + ".test", event.at("/data/name").asText());
      assertEquals("1.0.0", event.at("/data/definition/version").asText());
      assertEquals(event.path("time"), event.at("/data/startedAt"));
      JsonNode end = sink.got().getLast().json();
      assertTrue(end.at("/data/output/ok").asBoolean(), end::toString);
    }
  }

  @Test
  void shouldSendEventsOfTasksInTheirOrder() throws Exception {
    try (Sink sink = Sink.willing();
        Publishing process = new Publishing(sinks("audit:task+status", sink))) {
      try (WorkedEngine engine = new WorkedEngine(data, limits, History.NONE)) {
        InstanceId _ = engine.start("faults", "{\"input\":{\"detail\":\"why\"}}");
      }
      process.untilTaken(sink, 8);

      assertEquals(
          List.of(
              "workflow.status-changed running",
              "task.created ",
              "task.status-changed pending",
              "task.started ",
              "task.status-changed running",
              "task.faulted ",
              "task.status-changed faulted",
              "workflow.status-changed faulted"),
          sink.got().stream().map(LifecycleSinksTest::typeAndStatus).toList());
      JsonNode fault = sink.got().get(5).json();
      assertEquals("/do/0/bad", fault.at("/data/task").asText());
      assertEquals("why", fault.at("/data/error/detail").asText());
      assertEquals(400, fault.at("/data/error/status").asInt());
      assertEquals(8, sink.taken().stream().distinct().count());
    }
  }

  private static String typeAndStatus(Got got) {
    String type = got.type().replaceFirst("io\\.serverlessworkflow\\.(.*)\\.v1", "$1");
    return type + " " + got.json().at("/data/status").asText();
  }

  @Test
  void shouldSendThemToSubscribersInTheirForm() throws Exception {
    try (Sink sink = Sink.willing();
        Publishing process = new Publishing(List.of())) {
      subscribe(
          sink,
          ",\"types\":[\"io.serverlessworkflow.workflow.completed.v1\","
              + "\"dev.pinion.instance.completed\"],\"mode\":\"binary\",\"transform\":\".type\"");
      String id = work(1).getFirst().toString();
      process.untilTaken(sink, 2);

      List<String> expected =
          List.of("dev.pinion.instance.completed", "io.serverlessworkflow.workflow.completed.v1");
      assertEquals(expected, types(sink));
      assertEquals(
          expected.stream().map(type -> '"' + type + '"').toList(),
          sink.got().stream().map(Got::body).toList());
      assertEquals(List.of(id, id), instances(sink));
    }
  }

  @Test
  void shouldSendNothingOfOtherNamespaces() throws Exception {
    try (Sink sink = Sink.willing();
        Sink other = Sink.willing();
        Publishing process = new Publishing(sinks("audit@other", sink))) {
      subscribe(other, "");
      List<InstanceId> ids = work(2);
      process.untilTaken(other, 2);

      assertEquals(ids.stream().map(InstanceId::toString).toList(), instances(other));
      assertEquals(List.of(), sink.got());
    }
  }

  @Test
  void shouldTryASinkAgainThatAnswersGone() throws Exception {
    try (Sink sink = new Sink(n -> n < 2 ? 410 : 204);
        Publishing process = new Publishing(sinks("audit:workflow.completed", sink))) {
      List<InstanceId> ids = work(2);
      process.untilTaken(sink, 2);

      assertEquals(ids.stream().map(InstanceId::toString).toList(), instances(sink));
      assertEquals(4, sink.got().size());
    }
  }

  @Test
  void shouldContinueWhereTheNameOfASinkWas() throws Exception {
    List<InstanceId> ids;
    try (Sink down = new Sink(n -> n < 3 ? 200 : 500)) {
      Publishing killed = new Publishing(sinks("audit:workflow", down)); // never closed
      ids = work(2);
      killed.untilRow("SELECT delivered FROM delivery", "3");
    }
    try (Sink sink = Sink.willing();
        Publishing process = new Publishing(sinks("audit:workflow", sink))) {
      process.untilTaken(sink, 1);

      assertEquals(List.of(ids.get(1).toString()), instances(sink));
      assertEquals(List.of("io.serverlessworkflow.workflow.completed.v1"), types(sink));
    }
    try (Publishing process = new Publishing(List.of())) {
      process.untilRow("SELECT COUNT(*) FROM delivery", "0"); // left out, and forgotten
      process.untilRow("SELECT COUNT(*) FROM outbox", "0");
    }
  }

  @Test
  void shouldCountWhatASinkMisses() throws Exception {
    limits =
        limits.with(
            Map.of("publish.maxOutbox", 5, "publish.maxQueued", 1, "publish.retryMillis", 10));
    try (Sink sink = new Sink(n -> 500);
        Publishing process = new Publishing(sinks("audit:workflow", sink))) {
      List<InstanceId> ids = work(4);
      SinkStatus missed = new SinkStatus("audit", 0, 2L * ids.size() - 5, 5);
      process.until(() -> process.outboxDispatcher.sinks().equals(List.of(missed)));
    }
  }

  @Test
  void shouldTellASuspensionToItsTasks() throws Exception {
    try (Sink sink = Sink.willing();
        Publishing process =
            new Publishing(sinks("audit:workflow.suspended+task.suspended", sink))) {
      try (WorkedEngine engine = new WorkedEngine(data, limits, History.NONE)) {
        InstanceId id = engine.startSleeper();
        assertEquals(
            202, engine.send("POST", "/v1/instances/" + id + "/suspension", "").statusCode());
      }
      process.untilTaken(sink, 2);

      assertEquals(
          List.of(
              "io.serverlessworkflow.workflow.suspended.v1",
              "io.serverlessworkflow.task.suspended.v1"),
          types(sink));
      assertEquals("/do/0/nap", sink.got().getLast().json().at("/data/task").asText());
    }
  }
}
