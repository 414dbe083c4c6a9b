package dev.pinion.core.migration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pinion.core.engine.TestReplicas;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.instance.StartKey;
import dev.pinion.core.partition.StartPolicy;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Partitions that go from engine to engine while these work.
 *
 * <pre>
 *   slots 0 1 2   0 0 0 ──join──▶ 0 1 0 ──join──▶ 0 1 2 ──leave──▶ 0 1 0 …
 * </pre>
 */
class PartitionMigrationTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String STARTS = "/v1/namespaces/test/definitions/sleeper/instances";
  private static final int KEYS = 12;
  private static final int NEVER = 1 << 30;

  @TempDir private Path directory;

  /**
   * @param snapshotBytes bytes of a journal from which a snapshot is made
   */
  @ParameterizedTest
  @ValueSource(ints = {NEVER, 1 << 16})
  void shouldFindEveryInstanceWhoeverHoldsIt(int snapshotBytes) throws Exception {
    Map<String, String> ids = new HashMap<>();
    try (TestReplicas testReplicas = start(1, snapshotBytes)) {
      assertEquals(201, testReplicas.deploy(0, sleeper()).statusCode());
      startAll(testReplicas, 0, "a", ids);
      check(testReplicas, new int[] {0}, ids);

      testReplicas.join(1);
      testReplicas.assign(0, 1, 0);
      testReplicas.awaitSettled();
      startAll(testReplicas, 1, "b", ids);
      check(testReplicas, new int[] {0, 1}, ids);
      assertTrue(testReplicas.running(1) > 0, "none came");

      testReplicas.join(2);
      testReplicas.assign(0, 1, 2);
      testReplicas.awaitSettled();
      startAll(testReplicas, 2, "c", ids);
      check(testReplicas, new int[] {0, 1, 2}, ids);
      assertEquals(
          ids.size(), testReplicas.running(0) + testReplicas.running(1) + testReplicas.running(2));

      testReplicas.leave(1);
      testReplicas.assign(0, 2, 2);
      testReplicas.awaitSettled();
      startAll(testReplicas, 0, "d", ids);
      check(testReplicas, new int[] {0, 2}, ids);

      testReplicas.leave(2);
      testReplicas.assign(0, 0, 0);
      testReplicas.awaitSettled();
      startAll(testReplicas, 0, "e", ids);
      check(testReplicas, new int[] {0}, ids);
      assertEquals(5 * KEYS, testReplicas.running(0));

      testReplicas.join(1);
      testReplicas.assign(0, 1, 0);
      testReplicas.awaitSettled();
      check(testReplicas, new int[] {0, 1}, ids);
    }
    try (TestReplicas testReplicas = start(2, snapshotBytes)) {
      check(testReplicas, new int[] {0, 1}, ids);
      for (String id : ids.values()) {
        HttpResponse<String> cancelled =
            testReplicas.post(0, "/v1/instances/" + id + "/cancellation", "");
        assertEquals(202, cancelled.statusCode(), cancelled.body());
      }
      assertEquals(0, testReplicas.running(0) + testReplicas.running(1));
    }
  }

  @Test
  void shouldAnswerWithNothingElseThanLaterWhileASlotMoves() throws Exception {
    Map<String, String> ids = new HashMap<>();
    try (TestReplicas testReplicas = start(2, NEVER)) {
      testReplicas.deploy(0, sleeper());
      startAll(testReplicas, 0, "a", ids);
      Set<Integer> statuses = new HashSet<>();
      for (int round = 0; round < 5; round++) {
        List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
        testReplicas.assign(0, 1, round % 2 == 0 ? 1 : 0);
        for (String id : ids.values()) {
          answers.add(testReplicas.getWith(round % 2, "/v1/instances/" + id, "Accept", "*/*"));
        }
        for (CompletableFuture<HttpResponse<String>> each : answers) {
          HttpResponse<String> answer = each.get(20, TimeUnit.SECONDS);
          statuses.add(answer.statusCode());
          if (answer.statusCode() == 503) {
            assertEquals("1", answer.headers().firstValue("retry-after").orElse(""));
          }
        }
        testReplicas.awaitSettled();
      }
      statuses.removeAll(Set.of(200, 503));
      assertEquals(Set.of(), statuses);
      check(testReplicas, new int[] {0, 1}, ids);
    }
  }

  @Test
  void shouldTakeBackWhatNobodyHasTaken() throws Exception {
    Map<String, String> ids = new HashMap<>();
    try (TestReplicas testReplicas = start(1, 1 << 16)) {
      testReplicas.deploy(0, sleeper());
      startAll(testReplicas, 0, "a", ids);
      for (int round = 0; round < 3; round++) {
        testReplicas.assign(0, 1, 2); // these do not run
        testReplicas.awaitSettled();
        assertTrue(testReplicas.running(0) < KEYS);
        testReplicas.assign(0, 0, 0);
        testReplicas.awaitSettled();
        assertEquals(KEYS, testReplicas.running(0));
      }
      check(testReplicas, new int[] {0}, ids);
      testReplicas.assign(0, 1, 2);
      testReplicas.awaitSettled();
    }
    try (TestReplicas testReplicas = start(1, NEVER)) { // what was released is found as well
      check(testReplicas, new int[] {0}, ids);
    }
  }

  @Test
  void shouldTellWhoWaitsThatTheInstanceMoves() throws Exception {
    try (TestReplicas testReplicas = start(2, NEVER)) {
      testReplicas.deploy(0, sleeper());
      CompletableFuture<HttpResponse<String>> starting =
          testReplicas.postAsync(0, STARTS, "Idempotency-Key", keyOf(2));
      testReplicas.awaitRunning(0, 1);

      testReplicas.assign(0, 1, 1);
      testReplicas.awaitSettled();

      HttpResponse<String> answer = starting.get(20, TimeUnit.SECONDS);
      assertEquals(202, answer.statusCode(), answer.body());
      String id = JSON.readTree(answer.body()).path("id").asText();
      assertEquals("WAITING", state(testReplicas, 0, id));
      assertEquals(1, testReplicas.running(1));
      assertEquals(0, testReplicas.running(0));
    }
  }

  /** A key whose partition is in a slot. */
  private static String keyOf(int slot) {
    for (int i = 0; ; i++) {
      StartKey key = StartKey.of("test\nsleeper", "key-" + i, ByteBuffer.allocate(0));
      if (key.partition() % 3 == slot) {
        return "\"key-" + i + "\"";
      }
    }
  }

  private TestReplicas start(int count, int snapshotBytes) throws Exception {
    EngineLimits limits =
        EngineLimits.defaults()
            .with(
                Map.of(
                    "journal.snapshotLogBytes", snapshotBytes,
                    "journal.closeLogBytes", snapshotBytes));
    return TestReplicas.startFirst(directory, 3, count, StartPolicy.LOCAL, limits);
  }

  private static void startAll(
      TestReplicas testReplicas, int slot, String prefix, Map<String, String> ids)
      throws Exception {
    for (int i = 0; i < KEYS; i++) {
      String key = prefix + i;
      HttpResponse<String> accepted = startWith(testReplicas, slot, key);
      assertEquals(202, accepted.statusCode(), accepted.body());
      ids.put(key, JSON.readTree(accepted.body()).path("id").asText());
    }
  }

  private static HttpResponse<String> startWith(TestReplicas testReplicas, int slot, String key)
      throws Exception {
    return testReplicas.postWith(
        slot, STARTS, "{}", "Prefer", "respond-async", "Idempotency-Key", "\"" + key + "\"");
  }

  /** Checks that every replica knows every instance, its key too, and lists all of them. */
  private static void check(TestReplicas testReplicas, int[] serving, Map<String, String> ids)
      throws Exception {
    for (int slot : serving) {
      for (Map.Entry<String, String> each : ids.entrySet()) {
        assertEquals("WAITING", state(testReplicas, slot, each.getValue()), each.toString());
        HttpResponse<String> again = startWith(testReplicas, slot, each.getKey());
        assertEquals(202, again.statusCode(), again.body());
        assertEquals(each.getValue(), JSON.readTree(again.body()).path("id").asText());
      }
      JsonNode list = JSON.readTree(testReplicas.get(slot, "/v1/instances?limit=100").body());
      assertEquals(ids.size(), list.path("items").size());
    }
  }

  private static String state(TestReplicas testReplicas, int slot, String id) throws Exception {
    HttpResponse<String> shown = testReplicas.get(slot, "/v1/instances/" + id);
    assertEquals(200, shown.statusCode(), shown.body());
    return JSON.readTree(shown.body()).path("state").asText();
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
