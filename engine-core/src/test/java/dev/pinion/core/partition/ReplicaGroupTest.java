package dev.pinion.core.partition;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pinion.core.engine.TestReplicas;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.InstanceId;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Replicas that answer as one: two engines with separate entrances, a common store and common Unix
 * sockets.
 *
 * <pre>
 *   client ──▶ replica 0 ◀── Unix sockets ──▶ replica 1 ◀── client
 *                   └────── definitions ──────┘
 * </pre>
 */
class ReplicaGroupTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String STARTS = "/v1/namespaces/test/definitions/echo/instances";

  @TempDir private Path directory;

  @Test
  void shouldFindADefinitionEverywhereOnceItIsDeployed() throws Exception {
    try (TestReplicas testReplicas = TestReplicas.start(directory, 3, StartPolicy.LOCAL)) {
      for (int version = 0; version < 20; version++) {
        String number = "1.0." + version;
        HttpResponse<String> deployed = testReplicas.deploy(version % 3, echo(number));

        assertEquals(201, deployed.statusCode(), deployed.body());
        for (int replica = 0; replica < 3; replica++) {
          String path = "/v1/namespaces/test/definitions/echo/versions/" + number + "/instances";
          assertEquals(200, testReplicas.post(replica, path, "").statusCode());
        }
      }
    }
  }

  /** Field fault 29: deleted in every replica, but kept for instances that were started before. */
  @Test
  void shouldDeleteADefinitionEverywhereOnceNothingOfItIsUnderWay() throws Exception {
    String path = "/v1/namespaces/test/definitions/sleeper/versions/1.0.0";
    String starts = "/v1/namespaces/test/definitions/sleeper/instances";
    try (TestReplicas testReplicas = TestReplicas.start(directory, 2, StartPolicy.LOCAL)) {
      assertEquals(201, testReplicas.deploy(0, sleeper()).statusCode());
      InstanceId id = id(testReplicas.postWith(1, starts, "Prefer", "respond-async"));
      HttpResponse<String> inUse = testReplicas.delete(0, path);
      assertEquals(409, inUse.statusCode());
      assertTrue(inUse.body().contains(id.toString()), inUse.body());

      testReplicas.post(0, "/v1/instances/" + id + "/cancellation", "{}");
      assertEquals(204, testReplicas.delete(0, path).statusCode());
      for (int replica = 0; replica < 2; replica++) {
        assertEquals(404, testReplicas.post(replica, starts, "").statusCode());
        assertEquals(404, testReplicas.get(replica, path).statusCode());
      }
      assertEquals(201, testReplicas.deploy(1, sleeper().replace("1 }", "2 }")).statusCode());
      testReplicas.stop(1);
      testReplicas.restart(1);
      HttpResponse<String> old = testReplicas.get(1, "/v1/instances/" + id);
      assertEquals(200, old.statusCode(), old.body());
      assertTrue(old.body().contains("CANCELLED"), old.body());
    }
  }

  @Test
  void shouldFindADefinitionThatWasDeployedBeforeItStarted() throws Exception {
    try (TestReplicas testReplicas = TestReplicas.start(directory, 2, StartPolicy.LOCAL)) {
      testReplicas.stop(1);

      assertEquals(201, testReplicas.deploy(0, echo("1.0.0")).statusCode());
      testReplicas.restart(1);

      assertEquals(200, testReplicas.post(1, STARTS, "").statusCode());
    }
  }

  @Test
  void shouldLetOneContentWinWhenReplicasAreAskedAtOnce() throws Exception {
    try (TestReplicas testReplicas = TestReplicas.start(directory, 2, StartPolicy.LOCAL);
        ExecutorService clients = Executors.newFixedThreadPool(2)) {
      for (int round = 0; round < 20; round++) {
        String version = "1.0." + round;
        List<Future<HttpResponse<String>>> answers = new ArrayList<>();
        for (int replica = 0; replica < 2; replica++) {
          String yaml = echo(version).replace("as: ok", "as: from-" + replica);
          int asked = replica;
          answers.add(clients.submit(() -> testReplicas.deploy(asked, yaml)));
        }

        TreeSet<Integer> statuses = new TreeSet<>();
        for (Future<HttpResponse<String>> answer : answers) {
          statuses.add(answer.get(20, TimeUnit.SECONDS).statusCode());
        }
        assertEquals(new TreeSet<>(List.of(201, 409)), statuses);
        String path = "/v1/namespaces/test/definitions/echo/versions/" + version;
        assertEquals(testReplicas.get(0, path).body(), testReplicas.get(1, path).body());
      }
    }
  }

  @Test
  void shouldAnswerForAnInstanceWhereverItIsAskedFor() throws Exception {
    try (TestReplicas testReplicas = TestReplicas.start(directory, 2, StartPolicy.LOCAL)) {
      testReplicas.deploy(0, echo("1.0.0"));
      String id = json(testReplicas.post(0, STARTS, "{\"input\":{\"a\":1}}")).path("id").asText();

      for (int replica = 0; replica < 2; replica++) {
        HttpResponse<String> shown = testReplicas.get(replica, "/v1/instances/" + id);
        assertEquals(200, shown.statusCode(), shown.body());
        assertEquals("COMPLETED", json(shown).path("state").asText());
        assertTrue(shown.headers().firstValue("etag").isPresent());
        assertEquals(
            "{\"as\":\"ok\"}", testReplicas.get(replica, "/v1/instances/" + id + "/output").body());
      }
    }
  }

  @Test
  void shouldCancelAnInstanceOfAnotherReplicaAndTellWhoWaitsForIt() throws Exception {
    try (TestReplicas testReplicas = TestReplicas.start(directory, 2, StartPolicy.LOCAL)) {
      testReplicas.deploy(0, sleeper());
      HttpResponse<String> started =
          testReplicas.postWith(
              0, "/v1/namespaces/test/definitions/sleeper/instances", "Prefer", "respond-async");
      String id = json(started).path("id").asText();
      CompletableFuture<HttpResponse<String>> waiting =
          testReplicas.getWith(1, "/v1/instances/" + id, "Prefer", "wait=30");

      assertEquals(
          202, testReplicas.post(1, "/v1/instances/" + id + "/cancellation", "").statusCode());
      JsonNode ended = json(waiting.get(20, TimeUnit.SECONDS));

      assertEquals("CANCELLED", ended.path("state").asText());
    }
  }

  @Test
  void shouldListTheInstancesOfAllReplicasNewestFirst() throws Exception {
    try (TestReplicas testReplicas = TestReplicas.start(directory, 3, StartPolicy.LOCAL)) {
      testReplicas.deploy(0, echo("1.0.0"));
      TreeSet<InstanceId> started = new TreeSet<>();
      for (int i = 0; i < 30; i++) {
        started.add(id(testReplicas.post(i % 3, STARTS, "")));
      }

      List<InstanceId> listed = new ArrayList<>();
      String next = "/v1/instances?limit=7";
      while (!next.isEmpty()) {
        JsonNode page = json(testReplicas.get(listed.size() % 3, next));
        assertFalse(page.has("missingReplicas"), page::toString);
        page.path("items").forEach(item -> listed.add(id(item)));
        String cursor = page.path("next").asText("");
        next = cursor.isEmpty() ? "" : "/v1/instances?limit=7&cursor=" + cursor;
      }

      assertEquals(List.copyOf(started.descendingSet()), listed);
    }
  }

  @Test
  void shouldNameReplicasThatDoNotTellTheirInstances() throws Exception {
    try (TestReplicas testReplicas = TestReplicas.start(directory, 2, StartPolicy.LOCAL)) {
      testReplicas.deploy(0, echo("1.0.0"));
      testReplicas.post(0, STARTS, "");
      testReplicas.stop(1);

      JsonNode page = json(testReplicas.get(0, "/v1/instances"));

      assertEquals(1, page.path("items").size());
      assertEquals("[1]", page.path("missingReplicas").toString());
    }
  }

  @Test
  void shouldRefuseForAReplicaThatIsGoneAndSayWhenToAskAgain() throws Exception {
    try (TestReplicas testReplicas = TestReplicas.start(directory, 2, StartPolicy.LOCAL)) {
      testReplicas.deploy(0, echo("1.0.0"));
      InstanceId id = id(testReplicas.post(1, STARTS, ""));
      testReplicas.stop(1);

      HttpResponse<String> shown = testReplicas.get(0, "/v1/instances/" + id);

      assertEquals(503, shown.statusCode());
      assertEquals("1", shown.headers().firstValue("retry-after").orElse(""));
      assertTrue(shown.body().contains("replica-unavailable"), shown::body);
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldStartWhereThePolicySays(StartPolicy policy) throws Exception {
    try (TestReplicas testReplicas = TestReplicas.start(directory, 2, policy)) {
      testReplicas.deploy(0, echo("1.0.0"));
      int[] starts = new int[2];
      for (int i = 0; i < 20; i++) {
        HttpResponse<String> answer = testReplicas.post(0, STARTS, "");
        assertEquals(200, answer.statusCode(), answer.body());
        starts[id(answer).partition() % 2]++;
      }

      switch (policy) {
        case IN_TURN -> assertArrayEquals(new int[] {10, 10}, starts);
        // When called one after the other, the own replica never has more under way than another.
        case LOCAL, LEAST_LOADED -> assertArrayEquals(new int[] {20, 0}, starts);
      }
    }
  }

  @Test
  void shouldStartHereWhatAReplicaThatIsGoneDidNotBegin() throws Exception {
    try (TestReplicas testReplicas = TestReplicas.start(directory, 2, StartPolicy.IN_TURN)) {
      testReplicas.deploy(0, echo("1.0.0"));
      testReplicas.stop(1); // the others have not been notified yet

      for (int i = 0; i < 10; i++) {
        HttpResponse<String> answer = testReplicas.post(0, STARTS, "{\"input\":{\"n\":" + i + "}}");
        assertEquals(200, answer.statusCode(), answer.body());
        assertEquals(0, id(answer).partition() % 2);
      }
    }
  }

  @Test
  void shouldNotRepeatAStartThatALostReplicaMayHaveBegun() throws Exception {
    try (TestReplicas testReplicas = TestReplicas.start(directory, 2, StartPolicy.IN_TURN)) {
      testReplicas.deploy(0, sleeper());
      String path = "/v1/namespaces/test/definitions/sleeper/instances";
      CompletableFuture<HttpResponse<String>> first =
          testReplicas.postAsync(0, path, "Prefer", "wait=60");
      CompletableFuture<HttpResponse<String>> second =
          testReplicas.postAsync(0, path, "Prefer", "wait=60");
      testReplicas.awaitRunning(0, 1);
      testReplicas.awaitRunning(1, 1);

      testReplicas.stop(1);
      HttpResponse<String> lost =
          first.applyToEither(second, answer -> answer).get(20, TimeUnit.SECONDS);

      assertEquals(503, lost.statusCode());
      assertTrue(lost.body().contains("replica-lost"), lost::body);
      assertEquals(1, testReplicas.running(0), "nothing was started again");
    }
  }

  /** Field fault 11: only requests with a key or without effects may be repeated without harm. */
  @Test
  void shouldTellThatALostOwnerMayHaveBegunWhatHasNoKey() throws Exception {
    String path = "/v1/namespaces/test/definitions/sleeper/instances";
    try (TestReplicas testReplicas = TestReplicas.start(directory, 2, StartPolicy.LOCAL)) {
      testReplicas.deploy(0, sleeper());
      InstanceId old = id(testReplicas.postWith(1, path, "Prefer", "respond-async"));
      testReplicas.post(1, "/v1/instances/" + old + "/cancellation", "");
      String rerun = "/v1/instances/" + old + "/rerun";
      String ordered = orderedElsewhere(testReplicas, path);
      String wait = "wait=60";

      var start = testReplicas.postAsync(0, path, ordered, "Prefer", wait);
      var again = testReplicas.postAsync(0, rerun, "", "Prefer", wait);
      var keyed = testReplicas.postAsync(0, rerun, "", "Prefer", wait, "Idempotency-Key", "\"k\"");
      testReplicas.awaitRunning(1, 4);
      testReplicas.stop(1);

      assertLost(start.get(20, TimeUnit.SECONDS), "replica-lost");
      assertLost(again.get(20, TimeUnit.SECONDS), "replica-lost");
      assertLost(keyed.get(20, TimeUnit.SECONDS), "replica-unavailable");
      assertLost(testReplicas.postWith(0, path, ordered, "Prefer", wait), "replica-unavailable");
      String retry = "/v1/instances/" + old + "/retry";
      assertLost(testReplicas.post(0, retry, ""), "replica-unavailable");
    }
  }

  /** Body of a start that replica 1 has begun, with an ordering key of one of its partitions. */
  private static String orderedElsewhere(TestReplicas testReplicas, String path) throws Exception {
    for (int key = 0; ; key++) {
      String body = "{\"orderingKey\":\"k" + key + "\"}";
      if (elsewhere(id(testReplicas.postWith(0, path, body, "Prefer", "respond-async")))) {
        return body;
      }
    }
  }

  private static void assertLost(HttpResponse<String> answer, String code) {
    assertEquals(503, answer.statusCode(), answer.body());
    assertEquals("1", answer.headers().firstValue("retry-after").orElse(""));
    assertTrue(answer.body().contains("\"" + code + "\""), answer.body());
  }

  @Test
  void shouldLetAnIdleReplicaTakeStartsThatWait() throws Exception {
    EngineLimits oneAhead = EngineLimits.defaults().with(Map.of("request.startsAhead", 1));
    try (TestReplicas testReplicas =
        TestReplicas.start(directory, 2, StartPolicy.LOCAL, oneAhead)) {
      testReplicas.deploy(0, echo("1.0.0"));
      Set<InstanceId> ids = new HashSet<>();

      // when one replica gets all of the work, burst after burst
      for (int burst = 0;
          burst < 50 && ids.stream().noneMatch(ReplicaGroupTest::elsewhere);
          burst++) {
        List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
          answers.add(testReplicas.postAsync(0, STARTS, "Prefer", "wait=30"));
        }
        for (CompletableFuture<HttpResponse<String>> answer : answers) {
          HttpResponse<String> got = answer.get(30, TimeUnit.SECONDS);
          assertEquals(200, got.statusCode(), got.body());
          assertTrue(ids.add(id(got)), "an instance of its own");
        }
      }

      // then the other one has taken some
      assertTrue(ids.stream().anyMatch(ReplicaGroupTest::elsewhere), "none was taken");
    }
  }

  private static boolean elsewhere(InstanceId id) {
    return id.partition() % 2 == 1;
  }

  @Test
  void shouldSendStartsElsewhereWhileItDrains() throws Exception {
    try (TestReplicas testReplicas = TestReplicas.start(directory, 2, StartPolicy.LOCAL)) {
      testReplicas.deploy(0, echo("1.0.0"));
      testReplicas.drain(0);

      HttpResponse<String> answer = testReplicas.post(0, STARTS, "");

      assertEquals(200, answer.statusCode(), answer.body());
      assertEquals(1, id(answer).partition() % 2);
    }
  }

  private static String echo(String version) {
    return """
    document: { dsl: '1.0.3', namespace: test, name: echo, version: '%s' }
    do:
      - answer:
          set: { as: ok }
    """
        .formatted(version);
  }

  private static String sleeper() {
    return """
    document: { dsl: '1.0.3', namespace: test, name: sleeper, version: '1.0.0' }
    do:
      - sleep:
          wait: { hours: 1 }
    """;
  }

  private static JsonNode json(HttpResponse<String> response) throws Exception {
    return JSON.readTree(response.body());
  }

  private static InstanceId id(HttpResponse<String> response) throws Exception {
    return id(json(response));
  }

  private static InstanceId id(JsonNode instance) {
    return InstanceId.parse(instance.path("id").asText()).orElseThrow();
  }
}
