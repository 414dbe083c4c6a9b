package dev.pinion.bootstrap.serve;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.bootstrap.serve.ServedEngine.Answer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Field fault 1: results that exceed the heap are listed, and read by many clients concurrently.
 */
@Tag("long")
class LargeResultsServedTest {
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final Duration AGAIN = Duration.ofMillis(100);
  private static final int INSTANCES = 60;
  private static final int CLIENTS = 40;
  private static final int READS = 3;
  private static final String STARTS = "/v1/namespaces/results/definitions/echo/instances";
  private static final Pattern NOTHING_ON_ITS_WAY =
      Pattern.compile("(?m)^pinion_carried_bytes(\\{[^}]*\\})? 0(\\.0)?$");

  /** 200 kB, and 6.5 MB as a value. */
  private static final String ITEMS = "[" + "{\"a\":1},".repeat(25_000) + "{\"a\":1}]";

  @TempDir private Path data;

  @Test
  void shouldListAndReadMoreThanFitsTheHeap() throws Exception {
    try (ServedEngine engine = ServedEngine.start(data, "--replicas", "1", "--heap", "256m");
        ExecutorService clients = Executors.newFixedThreadPool(CLIENTS)) {
      Answer deployed = engine.post("/v1/definitions", "application/yaml", DEFINITION);
      assertEquals(201, deployed.status(), deployed.body());
      List<String> paths = new ArrayList<>();
      for (int i = 0; i < INSTANCES; i++) {
        paths.add(start(engine, ITEMS));
      }
      paths.forEach(path -> await().atMost(PATIENCE).until(() -> isRead(engine, path, ITEMS)));

      Answer list = engine.get("/v1/instances?limit=100");
      assertEquals(200, list.status(), list.body());
      assertEquals(INSTANCES, list.json().path("items").size());
      List<Future<?>> reading = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        reading.add(clients.submit(() -> readAgainAndAgain(engine, paths.getFirst())));
      }
      for (Future<?> each : reading) {
        each.get();
      }
      assertEquals(0, engine.replicaStates().path(0).path("restarts").asInt(), "restarts");
      await("bytes on their way").atMost(PATIENCE).until(() -> isAtRest(engine));
    }
  }

  /** Payloads of ten megabytes need settings only. */
  @Test
  void shouldTakeAndReturnTenMegabytes() throws Exception {
    String text = "\"" + "x".repeat(10_000_000) + "\"";
    String limits = "request.maxBodyBytes=16777216,instance.maxPayloadBytes=16777216";
    try (ServedEngine engine =
        ServedEngine.start(data, "--replicas", "1", "--heap", "2g", "--set", limits)) {
      Answer deployed = engine.post("/v1/definitions", "application/yaml", DEFINITION);
      assertEquals(201, deployed.status(), deployed.body());
      String path = start(engine, text);
      await().atMost(PATIENCE).pollInterval(AGAIN).until(() -> isRead(engine, path, text));
    }
  }

  private static final String DEFINITION =
      """
      document: {dsl: 1.0.3, namespace: results, name: echo, version: 1.0.0}
      do:
        - t: {set: '${ . }'}
      """;

  private static String start(ServedEngine engine, String input) {
    List<String> location = new ArrayList<>();
    await()
        .atMost(PATIENCE)
        .pollInterval(AGAIN)
        .until(
            () -> {
              Answer answer =
                  ServedEngine.ask(
                      "POST",
                      engine.uri().resolve(STARTS),
                      "{\"input\":" + input + "}",
                      "Content-Type",
                      "application/json",
                      "Prefer",
                      "respond-async");
              assertTrue(answer.status() == 202 || answer.status() == 503, answer::body);
              return answer.status() == 202 && location.add(answer.field("location"));
            });
    return location.getFirst();
  }

  private static void readAgainAndAgain(ServedEngine engine, String path) {
    for (int i = 0; i < READS; i++) {
      await().atMost(PATIENCE).pollInterval(AGAIN).until(() -> isRead(engine, path, ITEMS));
    }
  }

  private static boolean isRead(ServedEngine engine, String path, String expected)
      throws IOException {
    Answer answer = engine.get(path + "/output");
    if (answer.status() == 200) {
      assertEquals(expected, answer.body());
    }
    assertTrue(answer.status() == 200 || answer.status() == 202 || answer.status() == 503);
    return answer.status() == 200;
  }

  private static boolean isAtRest(ServedEngine engine) throws IOException {
    String metrics = ServedEngine.ask("GET", engine.admin().resolve("/metrics"), null).body();
    return NOTHING_ON_ITS_WAY.matcher(metrics).find();
  }
}
