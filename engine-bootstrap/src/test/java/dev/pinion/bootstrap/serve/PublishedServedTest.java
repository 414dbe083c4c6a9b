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
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Subscribers of an engine with two replicas whose processes are killed: there are events of every
 * acknowledged instance, and those of one instance come in order.
 */
@EnabledOnOs(OS.LINUX)
class PublishedServedTest {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final String STARTS = "/v1/namespaces/test/definitions/naps/instances";
  private static final String DEFINITION =
      """
      document: { dsl: '1.0.3', namespace: test, name: naps, version: '1.0.0' }
      do:
        - one: { set: { n: '${ .n }' } }
        - nap: { wait: { milliseconds: 30 } }
        - two: { set: { n: '${ .n }' } }
      """;

  /** A tenth of all attempts fail: with the default, waiting alone would take longer than kills. */
  private static final String[] OPTIONS = {
    "--history", "sqlite", "--publishers", "2", "--set", "publish.retryMillis=10"
  };

  @TempDir Path data;

  private final Set<String> acknowledged = new TreeSet<>();
  private int keys;

  @Test
  @Tag("long")
  void shouldTellOfEverythingAcknowledgedAlthoughAnyProcessIsKilled() throws Exception {
    run(List.of(Victim.PARENT), 20);
  }

  @Test
  @Tag("long")
  void shouldTellOfEverythingOverManyKills() throws Exception {
    List<Victim> victims = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      victims.addAll(List.of(Victim.FIRST, Victim.BOTH, Victim.PARENT, Victim.SECOND));
    }
    run(victims, 50);
  }

  /**
   * @param between instances acknowledged before each kill
   */
  private void run(List<Victim> victims, int between) throws Exception {
    try (Sink ends = Sink.willing();
        Sink steps = new Sink(n -> n % 10 == 3 ? 503 : 200);
        KillableEngine engine = new KillableEngine(data, OPTIONS)) {
      Answer deployed = engine.get().post("/v1/definitions", "application/yaml", DEFINITION);
      assertEquals(201, deployed.status(), deployed.body());
      subscribe(engine, ends, "");
      subscribe(
          engine,
          steps,
          ",\"types\":[\"dev.pinion.instance.started\",\"dev.pinion.task.completed\","
              + "\"dev.pinion.instance.completed\"]");
      for (int i = 0; i < victims.size(); i++) {
        start(engine, between);
        if (i % 2 == 0) {
          killHistory(engine.get());
        }
        engine.kill(victims.get(i), () -> {});
      }
      start(engine, between);
      await().atMost(PATIENCE).until(() -> instances(ends).containsAll(acknowledged));
      await().atMost(PATIENCE).until(() -> ended(steps).containsAll(acknowledged));
      checkOrder(steps);
      System.out.printf(
          "%d kills, %d instances acknowledged; %d events for their ends, %d for their steps, of"
              + " which %d and %d were sent again%n",
          victims.size() + (victims.size() + 1) / 2,
          acknowledged.size(),
          ends.taken().size(),
          steps.taken().size(),
          ends.taken().size() - new HashSet<>(ends.taken()).size(),
          steps.taken().size() - new HashSet<>(steps.taken()).size());
    }
  }

  private static void subscribe(KillableEngine engine, Sink sink, String members)
      throws IOException {
    String wish = "{\"sink\":\"" + sink.url() + "\"" + members + "}";
    Answer made = engine.get().post("/v1/subscriptions", "application/json", wish);
    assertEquals(201, made.status(), made.body());
    Answer shown = engine.get().get(made.field("location"));
    assertEquals(200, shown.status(), shown.body());
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
              "{\"input\":{\"n\":" + key + "}}",
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

  private static Set<String> instances(Sink sink) {
    Set<String> instances = new HashSet<>();
    sink.taken().forEach(id -> instances.add(id.substring(0, id.indexOf('-'))));
    return instances;
  }

  private static Set<String> ended(Sink sink) {
    Set<String> instances = new HashSet<>();
    for (Sink.Got each : sink.got()) {
      if (each.status() == 200 && each.type().equals("dev.pinion.instance.completed")) {
        instances.add(each.event().substring(0, each.event().indexOf('-')));
      }
    }
    return instances;
  }

  /**
   * By the first acceptance of each event: sequence numbers of an instance ascend, none is missing.
   */
  private void checkOrder(Sink sink) {
    Set<String> seen = new HashSet<>();
    for (String instance : acknowledged) {
      List<String> types = new ArrayList<>();
      String last = "";
      for (Sink.Got each : sink.got()) {
        JsonNode event = each.json();
        boolean first = each.status() == 200 && event.path("subject").asText().equals(instance);
        if (first && seen.add(each.event())) {
          String sequence = event.path("sequence").asText();
          assertTrue(sequence.compareTo(last) > 0, () -> "order of " + each.event());
          last = sequence;
          types.add(each.type());
        }
      }
      assertEquals(
          List.of(
              "dev.pinion.instance.started",
              "dev.pinion.task.completed",
              "dev.pinion.task.completed",
              "dev.pinion.task.completed",
              "dev.pinion.instance.completed"),
          types,
          instance);
    }
  }
}
