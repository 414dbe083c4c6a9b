package dev.pinion.bootstrap.serve;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two replicas and their history process, as in a deployment. */
class HistoryServedTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  private static final String DEFINITION =
      """
      document: { dsl: '1.0.0', namespace: test, name: adds, version: '1.0.0' }
      do:
        - add: { set: { n: '${ .n + 1 }' } }
        - nap: { wait: { milliseconds: 20 } }
      """;

  @TempDir Path data;

  private final HttpClient client = HttpClient.newHttpClient();

  private JsonNode send(URI base, String method, String path, String type, String body)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(base.resolve(path))
            .header("content-type", type)
            .method(
                method,
                body.isEmpty()
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofString(body))
            .build();
    HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
    return JSON.readTree(answer.body());
  }

  private JsonNode get(URI base, String path) throws IOException, InterruptedException {
    return send(base, "GET", path, "application/json", "");
  }

  private String start(URI base, int n) throws IOException, InterruptedException {
    String body =
        String.format(
            Locale.ROOT,
            "{\"input\":{\"n\":%d},\"businessKey\":\"order-%d\",\"labels\":{\"parity\":\"%s\"}}",
            n,
            n,
            n % 2 == 0 ? "even" : "odd");
    return send(
            base,
            "POST",
            "/v1/namespaces/test/definitions/adds/instances",
            "application/json",
            body)
        .path("id")
        .asText();
  }

  private void untilEnded(URI base, String id) {
    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> {
              JsonNode items = get(base, "/v1/instances/" + id + "/events").path("items");
              return items.size() > 0
                  && items.get(items.size() - 1).path("kind").asText().equals("INSTANCE_COMPLETED");
            });
  }

  @Test
  void shouldKeepTheHistoryWhateverBecomesOfItsProcess() throws Exception {
    String first;
    try (ServedEngine engine =
        ServedEngine.start(data, "--history", "sqlite", "--replicas", "sosoa:2:1")) {
      URI base = engine.uri();
      send(base, "POST", "/v1/definitions", "application/yaml", DEFINITION);
      first = start(base, 0);
      untilEnded(base, first);
      JsonNode events = get(base, "/v1/instances/" + first + "/events").path("items");
      assertEquals("INSTANCE_STARTED", events.get(0).path("kind").asText());
      assertEquals(0, events.get(0).path("input").path("n").asInt());
      JsonNode napped = events.get(events.size() - 2);
      assertEquals("TASK_COMPLETED", napped.path("kind").asText());
      assertTrue(napped.path("durationMillis").asLong() >= 20, napped::toString);
      assertEquals(1, napped.path("output").path("n").asInt());

      JsonNode before = get(engine.admin(), "/admin/v1/history");
      ProcessHandle.of(before.path("pid").asLong()).orElseThrow().destroyForcibly();
      String last = "";
      for (int n = 1; n < 10; n++) {
        last = start(base, n);
        assertFalse(last.isEmpty());
      }
      untilEnded(base, last);
      assertTrue(get(engine.admin(), "/admin/v1/history").path("starts").asInt() > 1);

      JsonNode odd = get(base, "/v1/history/instances?label=parity=odd&limit=2");
      assertEquals(2, odd.path("items").size(), odd::toString);
      assertEquals(last, odd.path("items").get(0).path("id").asText());
      JsonNode rest =
          get(
              base,
              "/v1/history/instances?label=parity=odd&limit=9&cursor=" + odd.path("next").asText());
      assertEquals(3, rest.path("items").size(), rest::toString);
      JsonNode one = get(base, "/v1/history/instances?businessKey=order-3&state=COMPLETED");
      assertEquals(1, one.path("items").size(), one::toString);
      JsonNode wrong =
          get(base, "/v1/history/instances?limit=9&cursor=" + odd.path("next").asText());
      assertEquals("unknown-cursor", wrong.path("code").asText());
    }
    assertTrue(Files.exists(data.resolve("history").resolve("history.db")));
  }

  @Test
  @Tag("long")
  void shouldServeWithoutHistory() throws Exception {
    try (ServedEngine engine = ServedEngine.start(data)) {
      URI base = engine.uri();
      send(base, "POST", "/v1/definitions", "application/yaml", DEFINITION);
      String id = start(base, 1);
      JsonNode answer = get(base, "/v1/instances/" + id + "/events");
      assertEquals("history-unavailable", answer.path("code").asText());
      assertEquals(503, answer.path("status").asInt());
    }
  }
}
