package dev.pinion.bootstrap.serve;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.bootstrap.serve.ServedEngine.Answer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Field faults 21 and 22: a history or a broker that is stopped (SIGSTOP) is reported by readiness
 * and replaced; starts are served throughout.
 */
@EnabledOnOs(OS.LINUX)
@Tag("long")
class StoppedProcessesServedTest {
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  /** Silence after which a process is replaced, plus the delay of a busy machine. */
  private static final Duration NOTICED = Duration.ofSeconds(20);

  private static final String STARTS = "/v1/namespaces/test/definitions/sets/instances";

  private @TempDir Path data;

  @ParameterizedTest
  @ValueSource(strings = {"history", "broker"})
  void shouldBeToldAndReplaced(String name) throws Exception {
    try (ServedEngine engine =
        ServedEngine.start(data, "--replicas", "1", "--history", "sqlite", "--broker", "on")) {
      deploy(engine);
      await().atMost(PATIENCE).until(() -> isReady(engine.admin(), name));
      await().atMost(PATIENCE).until(() -> isReady(engine.uri(), name));
      long stopped = pid(engine, name);

      Process kill =
          new ProcessBuilder("kill", "-STOP", Long.toString(stopped)).inheritIO().start();
      assertEquals(0, kill.waitFor());

      await().atMost(NOTICED).until(() -> !isReady(engine.uri(), name));
      assertEquals(200, engine.post(STARTS, "application/json", "{}").status());
      await().atMost(NOTICED).until(() -> pid(engine, name) != stopped);
      assertTrue(ProcessHandle.of(stopped).isEmpty(), "the stopped process is gone");
      await().atMost(PATIENCE).until(() -> isReady(engine.admin(), name));
      await().atMost(PATIENCE).until(() -> isReady(engine.uri(), name));
      assertEquals(200, engine.get("/readyz").status());
    }
  }

  private static void deploy(ServedEngine engine) throws IOException {
    String definition =
        """
        document: {dsl: '1.0.3', namespace: test, name: sets, version: '1.0.0'}
        do:
          - set: {set: {n: 1}}
        """;
    Answer deployed = engine.post("/v1/definitions", "application/yaml", definition);
    assertEquals(201, deployed.status(), deployed.body());
  }

  private static long pid(ServedEngine engine, String name) throws IOException {
    URI uri = engine.admin().resolve("/admin/v1/" + name);
    return ServedEngine.ask("GET", uri, null).json().path("pid").asLong();
  }

  /** State of the process at one of the listeners. No start is refused because of it. */
  private static boolean isReady(URI listener, String name) throws IOException {
    Answer ready = ServedEngine.ask("GET", listener.resolve("/readyz"), null);
    assertEquals(200, ready.status(), ready.body());
    for (JsonNode check : ready.json().path("checks")) {
      if (check.path("name").asText().equals(name)) {
        return check.path("ready").asBoolean();
      }
    }
    throw new AssertionError("expected a check of " + name + ", found " + ready.body());
  }
}
