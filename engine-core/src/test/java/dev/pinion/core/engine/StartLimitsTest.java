package dev.pinion.core.engine;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.api.port.Readiness;
import dev.pinion.core.definition.DefinitionRegistry;
import dev.pinion.core.definition.InMemoryDefinitionStore;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.settings.EngineSettings;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Field fault 21: a replica that refuses starts for long is not ready; one under load is. */
class StartLimitsTest {
  private static final int MOST_STARTS = 10;
  private static final String START = "/v1/namespaces/test/definitions/naps/instances";
  private static final long NAP_NANOS = 3_600_000_000_000L;
  private static final String NAPS =
      """
      document: { dsl: '1.0.3', namespace: test, name: naps, version: '1.0.0' }
      do:
        - nap:
            wait: { hours: 1 }
      """;
  private static final long HALF = StartCapacity.PATIENCE_NANOS / 2;

  private final MovedClock clock = new MovedClock();
  private boolean met;
  private long taken;
  private boolean keysFull;
  private final StartCapacity limits =
      new StartCapacity(
          clock,
          List.of(
              new StartCapacity.Limit("never", () -> false, () -> 0),
              new StartCapacity.Limit("some", () -> met, () -> taken)),
          () -> keysFull);

  @Test
  void shouldRefuseOnceALimitHasLetNobodyInForLong() {
    met = true;
    assertNull(limits.refusing());
    clock.move(HALF);
    assertNull(limits.refusing());
    clock.move(HALF);
    assertEquals("some", limits.refusing());
    met = false;
    assertNull(limits.refusing());
  }

  @Test
  void shouldTakeALimitThatIsMetAgainAndAgainForLoad() {
    met = true;
    for (int i = 0; i < 10; i++) {
      assertNull(limits.refusing());
      clock.move(HALF);
      assertNull(limits.refusing());
      taken++; // one has left and another one was admitted between two checks
      clock.move(HALF);
    }
    met = false;
    assertNull(limits.refusing());
    clock.move(10 * HALF);
    met = true;
    assertNull(limits.refusing(), "nobody knows since when");
  }

  @Test
  void shouldTellOfKeysAndStayReady() {
    keysFull = true;
    Readiness.Check keys = limits.checks().getLast();
    assertEquals("keys false false", keys.name() + " " + keys.ready() + " " + keys.required());
    keysFull = false;
    assertTrue(limits.checks().stream().allMatch(Readiness.Check::ready));
  }

  @ParameterizedTest
  @CsvSource({"kernel.maxInstances, 2", "kernel.maxHeldBytes, 1024"})
  void shouldTellAtTheEngineWhichLimitRefusesStarts(String limit, int value) throws Exception {
    EngineLimits sized = EngineLimits.defaults().with(Map.of(limit, value));
    DefinitionRegistry registry = new DefinitionRegistry(sized, new InMemoryDefinitionStore());
    try (Engine engine =
            Engine.start(EngineSettings.of(registry).withLimits(sized).withClock(clock));
        HttpClient client = HttpClient.newHttpClient()) {
      send(client, engine, "/v1/definitions", NAPS, 201);
      String refused = "";
      for (int i = 0; i < MOST_STARTS && refused.isEmpty(); i++) {
        HttpResponse<String> started = send(client, engine, START, "{}");
        refused = started.statusCode() == 503 ? started.body() : "";
      }
      assertTrue(refused.contains(limit), refused);
      send(client, engine, "/readyz", null, 200);
      assertNull(engine.refusingLimit());

      clock.move(StartCapacity.PATIENCE_NANOS);

      String told = send(client, engine, "/readyz", null, 503);
      assertTrue(told.contains(limit + " is reached"), told);
      assertEquals(limit, engine.refusingLimit());
      clock.move(NAP_NANOS);
      await().until(() -> engine.running() == 0);
      send(client, engine, "/readyz", null, 200);
    }
  }

  private static String send(
      HttpClient client, Engine engine, String path, @Nullable String body, int status)
      throws Exception {
    HttpResponse<String> answer = send(client, engine, path, body);
    assertEquals(status, answer.statusCode(), answer.body());
    return answer.body();
  }

  private static HttpResponse<String> send(
      HttpClient client, Engine engine, String path, @Nullable String body)
      throws IOException, InterruptedException {
    URI uri = URI.create("http://127.0.0.1:" + engine.address().getPort() + path);
    HttpRequest.Builder request = HttpRequest.newBuilder(uri);
    if (body != null) {
      request
          .header("Content-Type", body.startsWith("{") ? "application/json" : "application/yaml")
          .header("Prefer", "respond-async")
          .POST(HttpRequest.BodyPublishers.ofString(body));
    }
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }
}
