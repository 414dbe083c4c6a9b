package dev.pinion.core.engine;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pinion.core.partition.StartPolicy;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One instance for one key, whichever replica is called, how often, and after which restart. */
class IdempotentStartsTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String STARTS = "/v1/namespaces/test/definitions/sleeper/instances";
  private static final int CLIENTS = 64;
  private static final int KEYS = 5;

  @TempDir private Path directory;

  @ParameterizedTest
  @EnumSource
  void shouldStartOneInstanceForClientsThatRace(StartPolicy policy) throws Exception {
    try (TestReplicas testReplicas = TestReplicas.start(directory, 2, policy)) {
      testReplicas.deploy(0, sleeper());
      for (int key = 0; key < KEYS; key++) {
        List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
          answers.add(
              testReplicas.postAsync(i % 2, STARTS, "Idempotency-Key", "\"key-" + key + "\""));
        }

        int begun = key + 1;
        await().until(() -> list(testReplicas).size() == begun);
        cancelAll(testReplicas);
        Set<String> ids = new HashSet<>();
        int first = 0;
        for (CompletableFuture<HttpResponse<String>> each : answers) {
          HttpResponse<String> answer = each.get();
          first += answer.statusCode() == 200 ? 1 : 0;
          assertTrue(Set.of(200, 409).contains(answer.statusCode()), answer::body);
          ids.add(json(answer).path("id").asText());
        }
        assertEquals(1, ids.size(), "instances");
        assertTrue(first >= 1, "who was told the end");
      }
    }
  }

  private static JsonNode list(TestReplicas testReplicas) throws Exception {
    return json(testReplicas.get(0, "/v1/instances?limit=100")).path("items");
  }

  private static void cancelAll(TestReplicas testReplicas) throws Exception {
    for (JsonNode instance : list(testReplicas)) {
      testReplicas.post(0, "/v1/instances/" + instance.path("id").asText() + "/cancellation", "");
    }
  }

  @Test
  void shouldKnowItsKeysAfterRestartsWithOtherNumbersOfReplicas() throws Exception {
    List<String> ids = new ArrayList<>();
    try (TestReplicas testReplicas = TestReplicas.start(directory, 2, StartPolicy.LOCAL)) {
      testReplicas.deploy(0, sleeper());
      for (int key = 0; key < 8; key++) {
        HttpResponse<String> answer = start(testReplicas, key % 2, key, "{}");
        assertEquals(202, answer.statusCode(), answer.body());
        ids.add(json(answer).path("id").asText());
      }
      testReplicas.post(0, "/v1/instances/" + ids.getFirst() + "/cancellation", "");
    }
    for (int count : new int[] {1, 3, 2}) {
      try (TestReplicas testReplicas = TestReplicas.start(directory, count, StartPolicy.LOCAL)) {
        for (int key = 0; key < ids.size(); key++) {
          HttpResponse<String> again = start(testReplicas, key % count, key, "{}");
          assertEquals(202, again.statusCode(), again.body());
          assertEquals(ids.get(key), json(again).path("id").asText());
          assertEquals(422, start(testReplicas, key % count, key, "{\"input\":1}").statusCode());
        }
        assertEquals(ids.size(), list(testReplicas).size());
      }
    }
  }

  private static HttpResponse<String> start(
      TestReplicas testReplicas, int slot, int key, String body) throws Exception {
    return testReplicas.postWith(
        slot, STARTS, body, "Prefer", "respond-async", "Idempotency-Key", "key-" + key);
  }

  private static JsonNode json(HttpResponse<String> response) throws Exception {
    return JSON.readTree(response.body());
  }

  private static String sleeper() {
    return """
    document: { dsl: '1.0.3', namespace: test, name: sleeper, version: '1.0.0' }
    do:
      - sleep:
          wait: { hours: 1 }
    """;
  }
}
