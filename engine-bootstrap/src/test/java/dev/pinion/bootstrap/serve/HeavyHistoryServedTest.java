package dev.pinion.bootstrap.serve;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.bootstrap.history.Sink;
import dev.pinion.bootstrap.serve.ServedEngine.Answer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Field fault 3: more than fits into the history process, which is stopped, killed and restarted
 * meanwhile. It records everything, and does not die of it.
 */
@EnabledOnOs(OS.LINUX)
@Tag("long")
class HeavyHistoryServedTest {
  private static final Duration PATIENCE = Duration.ofMinutes(20);
  private static final Duration UNNOTICED = Duration.ofSeconds(30);
  private static final int INSTANCES = 600;
  private static final int WAITING = 150_000;
  private static final int CLIENTS = 2;
  private static final String JSON = "application/json";
  private static final String ITEMS = "{\"a\":1},".repeat(25_000) + "{\"a\":1}";
  private static final String INPUT = "{\"input\":{\"x\":[" + ITEMS + "]}}";

  private @TempDir Path data;
  private final AtomicInteger left = new AtomicInteger(INSTANCES);
  private final Set<String> ended = ConcurrentHashMap.newKeySet();

  @Test
  void shouldTellOfLargeInstancesThatEndWhileItIsStopped() throws Exception {
    try (Sink sink = Sink.willing();
        ServedEngine engine =
            ServedEngine.start(
                data, "--replicas", "1", "--history", "sqlite", "--history-heap", "256m")) {
      deploy(engine, "ends", "{set: '${ . }'}");
      String subscription = subscribe(engine, sink);
      await().atMost(PATIENCE).until(() -> check(engine).path("ready").asBoolean());
      long first = history(engine).path("pid").asLong();
      stop(first);
      await().atMost(UNNOTICED).until(() -> !check(engine).path("ready").asBoolean());
      startAll(() -> startInTurn(engine.uri()));
      assertEquals(INSTANCES, ended.size());
      await().atMost(UNNOTICED).until(() -> history(engine).path("pid").asLong() != first);
      await()
          .atMost(PATIENCE)
          .pollInterval(Duration.ofMillis(200))
          .until(() -> isAllTold(engine, subscription, sink));
      JsonNode history = history(engine);
      System.out.printf(
          "%d events delivered, %d of them twice; history %s%n",
          sink.taken().size(), sink.taken().size() - new HashSet<>(sink.taken()).size(), history);
      assertEquals(ended, instances(sink));
      assertEquals(2, history.path("starts").asInt(), "started again after it was stopped only");
      assertEquals(0, history.path("passedOver").asInt());
    }
  }

  /** The objects of this many instances would exceed the heap of the history. */
  @Test
  void shouldFollowManySmallInstancesThatWait() throws Exception {
    try (ServedEngine engine =
        ServedEngine.start(
            data,
            "--replicas",
            "1",
            "--heap",
            "1g",
            "--history",
            "sqlite",
            "--history-heap",
            "96m")) {
      deploy(engine, "waits", "{wait: {hours: 1}}");
      left.set(WAITING);
      startAll(() -> waitInTurn(engine.uri()));
      await().atMost(PATIENCE).until(() -> isUpToDate(engine));
      assertEquals(1, history(engine).path("starts").asInt(), "it has not died of it");

      long first = history(engine).path("pid").asLong();
      ProcessHandle.of(first).ifPresent(ProcessHandle::destroyForcibly);
      await().atMost(PATIENCE).until(() -> history(engine).path("pid").asLong() != first);
      await().atMost(PATIENCE).until(() -> isUpToDate(engine));
      JsonNode history = history(engine);
      System.out.printf("%d instances wait; history %s%n", WAITING, history);
      assertEquals(2, history.path("starts").asInt(), "it has not died of reading them again");
      assertEquals(0, history.path("passedOver").asInt());
    }
  }

  private @Nullable Void waitInTurn(URI engine) throws IOException {
    try (KeptConnection client = new KeptConnection(engine)) {
      while (left.getAndDecrement() > 0) {
        int status = client.postAsync("/v1/namespaces/test/definitions/waits/instances", "{}");
        assertEquals(202, status);
      }
    }
    return null;
  }

  private static boolean isUpToDate(ServedEngine engine) throws IOException {
    JsonNode check = check(engine);
    return check.path("ready").asBoolean() && check.path("detail").asText().startsWith("0 records");
  }

  /** A subscription that is ready, up to date and without waiting events has sent everything. */
  private boolean isAllTold(ServedEngine engine, String subscription, Sink sink)
      throws IOException {
    boolean upToDate = isUpToDate(engine);
    Answer asked = engine.get(subscription);
    JsonNode status = asked.json().path("status");
    assertEquals(0, status.path("lost").asLong(), asked::body);
    Set<String> told = instances(sink);
    if (upToDate && asked.status() == 200 && status.path("waiting").asLong() == 0) {
      assertEquals(ended.size(), told.size(), asked::body);
      return true;
    }
    return false;
  }

  private static void startAll(Callable<@Nullable Void> starter) throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(CLIENTS)) {
      List<Future<?>> clients = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        clients.add(threads.submit(starter));
      }
      for (Future<?> client : clients) {
        client.get();
      }
    }
  }

  private @Nullable Void startInTurn(URI engine) throws IOException {
    URI starts = engine.resolve("/v1/namespaces/test/definitions/ends/instances");
    while (left.getAndDecrement() > 0) {
      Answer answer = ServedEngine.ask("POST", starts, INPUT, "Content-Type", JSON);
      while (answer.status() == 503) {
        answer = ServedEngine.ask("POST", starts, INPUT, "Content-Type", JSON);
      }
      assertEquals(200, answer.status(), answer.body());
      ended.add(answer.json().path("id").asText());
    }
    return null;
  }

  private static void deploy(ServedEngine engine, String name, String task) throws IOException {
    String definition =
        """
        document: {dsl: '1.0.3', namespace: test, name: %s, version: '1.0.0'}
        do:
          - t: %s
        """
            .formatted(name, task);
    Answer deployed = engine.post("/v1/definitions", "application/yaml", definition);
    assertEquals(201, deployed.status(), deployed.body());
  }

  private static String subscribe(ServedEngine engine, Sink sink) throws IOException {
    Answer made = engine.post("/v1/subscriptions", JSON, "{\"sink\":\"" + sink.url() + "\"}");
    assertEquals(201, made.status(), made.body());
    return made.field("location");
  }

  private static JsonNode history(ServedEngine engine) throws IOException {
    return ServedEngine.ask("GET", engine.admin().resolve("/admin/v1/history"), null).json();
  }

  /** The readiness check of the history. */
  private static JsonNode check(ServedEngine engine) throws IOException {
    Answer ready = ServedEngine.ask("GET", engine.admin().resolve("/readyz"), null);
    for (JsonNode check : ready.json().path("checks")) {
      if (check.path("name").asText().equals("history")) {
        return check;
      }
    }
    throw new AssertionError("expected a check of the history, found " + ready.body());
  }

  private static void stop(long pid) throws Exception {
    assertNotEquals(0, pid);
    Process kill = new ProcessBuilder("kill", "-STOP", Long.toString(pid)).inheritIO().start();
    assertEquals(0, kill.waitFor());
  }

  private static Set<String> instances(Sink sink) {
    Set<String> instances = new HashSet<>();
    sink.taken().forEach(id -> instances.add(id.substring(0, id.indexOf('-'))));
    return instances;
  }
}
