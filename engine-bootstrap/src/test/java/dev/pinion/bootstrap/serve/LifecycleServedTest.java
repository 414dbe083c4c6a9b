package dev.pinion.bootstrap.serve;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.bootstrap.history.Sink;
import dev.pinion.bootstrap.serve.KillableEngine.Victim;
import dev.pinion.bootstrap.serve.ServedEngine.Answer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * A sink of lifecycle events of an engine with two replicas whose processes are killed: it is told
 * the begin and the end of every acknowledged instance, in this order, under the same ids.
 */
@EnabledOnOs(OS.LINUX)
class LifecycleServedTest {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final String STARTS = "/v1/namespaces/test/definitions/naps/instances";
  private static final String BEGIN = "io.serverlessworkflow.workflow.started.v1";
  private static final String END = "io.serverlessworkflow.workflow.completed.v1";
  private static final String DEFINITION =
      """
      document: { dsl: '1.0.3', namespace: test, name: naps, version: '1.0.0' }
      do:
        - nap: { wait: { milliseconds: 30 } }
      """;

  @TempDir Path data;

  private final Set<String> acknowledged = new TreeSet<>();
  private int keys;

  @Test
  @Tag("long") // in short: PublishedServedTest, LifecycleSinksTest
  void shouldTellASinkOfEverythingAlthoughAnyProcessIsKilled() throws Exception {
    run(List.of(Victim.PARENT), 10);
  }

  @Test
  @Tag("long")
  void shouldTellASinkOfEverythingOverManyKills() throws Exception {
    run(
        List.of(
            Victim.FIRST, Victim.PARENT, Victim.BOTH, Victim.SECOND, Victim.PARENT, Victim.FIRST),
        50);
  }

  /**
   * @param between instances acknowledged before each kill
   */
  private void run(List<Victim> victims, int between) throws Exception {
    try (Sink sink = new Sink(n -> n % 10 == 3 ? 503 : 204);
        KillableEngine engine = new KillableEngine(data, options(sink))) {
      Answer deployed = engine.get().post("/v1/definitions", "application/yaml", DEFINITION);
      assertEquals(201, deployed.status(), deployed.body());
      for (Victim victim : victims) {
        start(engine, between);
        killHistory(engine.get());
        engine.kill(victim, () -> {});
      }
      start(engine, between);
      await().atMost(PATIENCE).until(() -> told(sink, END).containsAll(acknowledged));
      assertTrue(told(sink, BEGIN).containsAll(acknowledged));
      checkOrder(sink);
      await().atMost(PATIENCE).until(() -> tellsOfTheSink(engine.get()));
    }
  }

  /** No emitted event has a type that begins so: the sink gets lifecycle events alone. */
  private static String[] options(Sink sink) {
    return new String[] {
      "--history", "sqlite",
      "--event-sinks", "audit:none=" + sink.url(),
      "--lifecycle-events", "audit:workflow@test",
      "--set", "publish.retryMillis=10"
    };
  }

  /** Starts instances, each with a separate key and repeatedly until there is a response. */
  private void start(KillableEngine engine, int count) {
    for (int i = 0; i < count; i++) {
      int key = ++keys;
      await()
          .pollDelay(Duration.ZERO)
          .pollInterval(Duration.ofMillis(20))
          .atMost(PATIENCE)
          .until(() -> isAcknowledged(engine, key));
    }
  }

  private boolean isAcknowledged(KillableEngine engine, int key) {
    try {
      Answer answer =
          ServedEngine.ask(
              "POST",
              engine.get().uri().resolve(STARTS),
              "{}",
              "Content-Type",
              "application/json",
              "Idempotency-Key",
              "\"" + key + "\"",
              "Prefer",
              "respond-async");
      if (answer.status() == 503) {
        return false;
      }
      assertTrue(Set.of(200, 202, 409).contains(answer.status()), answer.body());
      acknowledged.add(answer.json().path("id").asText());
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private static void killHistory(ServedEngine engine) throws IOException {
    URI admin = engine.admin().resolve("/admin/v1/history");
    long pid = ServedEngine.ask("GET", admin, null).json().path("pid").asLong();
    if (pid > 0) {
      ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
    }
  }

  /** Instances of which the sink has accepted an event of a type. */
  private static Set<String> told(Sink sink, String type) {
    Set<String> instances = new HashSet<>();
    for (Sink.Got each : sink.got()) {
      if (each.status() == 204 && each.type().equals(type)) {
        instances.add(each.json().path("subject").asText());
      }
    }
    return instances;
  }

  /** By the first acceptance: the begin comes before the end, and each has one id. */
  private void checkOrder(Sink sink) {
    Map<String, String> begun = new HashMap<>();
    Map<String, String> ended = new HashMap<>();
    for (Sink.Got each : sink.got()) {
      if (each.status() == 204) {
        JsonNode event = each.json();
        String instance = event.path("subject").asText();
        Map<String, String> ids = each.type().equals(BEGIN) ? begun : ended;
        assertTrue(begun.containsKey(instance) || each.type().equals(BEGIN), each::body);
        String before = ids.putIfAbsent(instance, each.event());
        assertTrue(before == null || before.equals(each.event()), each::body);
        assertEquals("naps-" + instance + ".test", event.at("/data/name").asText());
      }
    }
    assertEquals(acknowledged, new TreeSet<>(ended.keySet()));
  }

  private static boolean tellsOfTheSink(ServedEngine engine) throws IOException {
    String metrics = ServedEngine.ask("GET", engine.admin().resolve("/metrics"), null).body();
    return metrics.contains("pinion_lifecycle_events_delivered_total{sink=\"audit@test\"}");
  }
}
