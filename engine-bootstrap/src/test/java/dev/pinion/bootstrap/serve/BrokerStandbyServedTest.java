package dev.pinion.bootstrap.serve;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A broker that is killed, or stopped, with a standby. */
@EnabledOnOs(OS.LINUX)
class BrokerStandbyServedTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String JSON = "application/json";

  @TempDir private Path data;

  private static JsonNode broker(ServedEngine engine) throws IOException {
    return ServedEngine.ask("GET", engine.admin().resolve("/admin/v1/broker"), null).json();
  }

  private static void made(ServedEngine.Answer answer) {
    assertEquals(201, answer.status(), answer::toString);
  }

  private static ServedEngine.Answer put(ServedEngine engine, String path, String body)
      throws IOException {
    return ServedEngine.ask(
        "PUT", engine.uri().resolve("/v1/broker/" + path), body, "Content-Type", JSON);
  }

  private static JsonNode untilBothRun(ServedEngine engine) throws IOException {
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              JsonNode both = broker(engine);
              return both.path("standby").asLong() > 0
                  && both.path("pid").asLong() > 0
                  && engine.get("/v1/broker/plan").status() == 200;
            });
    return broker(engine);
  }

  @Test
  @Tag("long")
  void shouldTakeOverWhenTheFirstOneIsKilled() throws Exception {
    takeOver("-KILL");
  }

  /** It is killed after ten seconds without a message; until then no other one becomes active. */
  @Test
  @Tag("long")
  void shouldTakeOverWhenTheFirstOneHangs() throws Exception {
    takeOver("-STOP");
  }

  private void takeOver(String signal) throws Exception {
    try (ServedEngine engine =
        ServedEngine.start(data, "--replicas", "1", "--broker", "on", "--broker-standby", "true")) {
      JsonNode before = untilBothRun(engine);
      made(
          put(
              engine,
              "services/sky",
              """
              {"serves": ["flights"], "endpoint": "%s", "idempotent": true,
               "r": 0.1, "d": 0.99, "c": 1, "load": 100}"""
                  .formatted(engine.uri().resolve("/livez"))));
      made(put(engine, "model", "{\"process\": {\"type\": \"task\", \"task\": \"flights\"}}"));
      made(put(engine, "classes/std", "{\"r_max\": 0.5, \"price\": 5}"));
      long first = before.path("pid").asLong();
      new ProcessBuilder("kill", signal, Long.toString(first)).start().waitFor();
      await()
          .atMost(PATIENCE)
          .until(() -> broker(engine).path("pid").asLong() == before.path("standby").asLong());
      await().atMost(PATIENCE).until(() -> engine.get("/v1/broker/classes/std").status() == 200);
      made(put(engine, "classes/other", "{\"price\": 1}"));
      JsonNode after = untilBothRun(engine);
      assertEquals(before.path("standby"), after.path("pid"), "it goes on");
      assertTrue(after.path("standby").asLong() != first, "another one stands by");
    }
  }
}
