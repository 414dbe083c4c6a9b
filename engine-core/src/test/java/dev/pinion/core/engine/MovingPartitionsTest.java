package dev.pinion.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pinion.core.model.EngineLimits;
import dev.pinion.core.model.StartKey;
import dev.pinion.core.peer.StartPolicy;
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
class MovingPartitionsTest {
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
    try (Replicas replicas = start(1, snapshotBytes)) {
      assertEquals(201, replicas.deploy(0, sleeper()).statusCode());
      startAll(replicas, 0, "a", ids);
      check(replicas, new int[] {0}, ids);

      replicas.join(1);
      replicas.assign(0, 1, 0);
      replicas.awaitSettled();
      startAll(replicas, 1, "b", ids);
      check(replicas, new int[] {0, 1}, ids);
      assertTrue(replicas.running(1) > 0, "none came");

      replicas.join(2);
      replicas.assign(0, 1, 2);
      replicas.awaitSettled();
      startAll(replicas, 2, "c", ids);
      check(replicas, new int[] {0, 1, 2}, ids);
      assertEquals(ids.size(), replicas.running(0) + replicas.running(1) + replicas.running(2));

      replicas.leave(1);
      replicas.assign(0, 2, 2);
      replicas.awaitSettled();
      startAll(replicas, 0, "d", ids);
      check(replicas, new int[] {0, 2}, ids);

      replicas.leave(2);
      replicas.assign(0, 0, 0);
      replicas.awaitSettled();
      startAll(replicas, 0, "e", ids);
      check(replicas, new int[] {0}, ids);
      assertEquals(5 * KEYS, replicas.running(0));

      replicas.join(1);
      replicas.assign(0, 1, 0);
      replicas.awaitSettled();
      check(replicas, new int[] {0, 1}, ids);
    }
    try (Replicas replicas = start(2, snapshotBytes)) {
      check(replicas, new int[] {0, 1}, ids);
      for (String id : ids.values()) {
        HttpResponse<String> cancelled =
            replicas.post(0, "/v1/instances/" + id + "/cancellation", "");
        assertEquals(202, cancelled.statusCode(), cancelled.body());
      }
      assertEquals(0, replicas.running(0) + replicas.running(1));
    }
  }

  @Test
  void shouldAnswerWithNothingElseThanLaterWhileASlotMoves() throws Exception {
    Map<String, String> ids = new HashMap<>();
    try (Replicas replicas = start(2, NEVER)) {
      replicas.deploy(0, sleeper());
      startAll(replicas, 0, "a", ids);
      Set<Integer> statuses = new HashSet<>();
      for (int round = 0; round < 5; round++) {
        List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
        replicas.assign(0, 1, round % 2 == 0 ? 1 : 0);
        for (String id : ids.values()) {
          answers.add(replicas.getWith(round % 2, "/v1/instances/" + id, "Accept", "*/*"));
        }
        for (CompletableFuture<HttpResponse<String>> each : answers) {
          HttpResponse<String> answer = each.get(20, TimeUnit.SECONDS);
          statuses.add(answer.statusCode());
          if (answer.statusCode() == 503) {
            assertEquals("1", answer.headers().firstValue("retry-after").orElse(""));
          }
        }
        replicas.awaitSettled();
      }
      statuses.removeAll(Set.of(200, 503));
      assertEquals(Set.of(), statuses);
      check(replicas, new int[] {0, 1}, ids);
    }
  }

  @Test
  void shouldTakeBackWhatNobodyHasTaken() throws Exception {
    Map<String, String> ids = new HashMap<>();
    try (Replicas replicas = start(1, 1 << 16)) {
      replicas.deploy(0, sleeper());
      startAll(replicas, 0, "a", ids);
      for (int round = 0; round < 3; round++) {
        replicas.assign(0, 1, 2); // these do not run
        replicas.awaitSettled();
        assertTrue(replicas.running(0) < KEYS);
        replicas.assign(0, 0, 0);
        replicas.awaitSettled();
        assertEquals(KEYS, replicas.running(0));
      }
      check(replicas, new int[] {0}, ids);
      replicas.assign(0, 1, 2);
      replicas.awaitSettled();
    }
    try (Replicas replicas = start(1, NEVER)) { // what was released is found as well
      check(replicas, new int[] {0}, ids);
    }
  }

  @Test
  void shouldTellWhoWaitsThatTheInstanceMoves() throws Exception {
    try (Replicas replicas = start(2, NEVER)) {
      replicas.deploy(0, sleeper());
      CompletableFuture<HttpResponse<String>> starting =
          replicas.postAsync(0, STARTS, "Idempotency-Key", keyOf(2));
      replicas.awaitRunning(0, 1);

      replicas.assign(0, 1, 1);
      replicas.awaitSettled();

      HttpResponse<String> answer = starting.get(20, TimeUnit.SECONDS);
      assertEquals(202, answer.statusCode(), answer.body());
      String id = JSON.readTree(answer.body()).path("id").asText();
      assertEquals("WAITING", state(replicas, 0, id));
      assertEquals(1, replicas.running(1));
      assertEquals(0, replicas.running(0));
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

  private Replicas start(int count, int snapshotBytes) throws Exception {
    EngineLimits limits =
        EngineLimits.defaults()
            .with(
                Map.of(
                    "journal.snapshotLogBytes", snapshotBytes,
                    "journal.closeLogBytes", snapshotBytes));
    return Replicas.startFirst(directory, 3, count, StartPolicy.LOCAL, limits);
  }

  private static void startAll(Replicas replicas, int slot, String prefix, Map<String, String> ids)
      throws Exception {
    for (int i = 0; i < KEYS; i++) {
      String key = prefix + i;
      HttpResponse<String> accepted = startWith(replicas, slot, key);
      assertEquals(202, accepted.statusCode(), accepted.body());
      ids.put(key, JSON.readTree(accepted.body()).path("id").asText());
    }
  }

  private static HttpResponse<String> startWith(Replicas replicas, int slot, String key)
      throws Exception {
    return replicas.postWith(
        slot, STARTS, "{}", "Prefer", "respond-async", "Idempotency-Key", "\"" + key + "\"");
  }

  /** Checks that every replica knows every instance, its key too, and lists all of them. */
  private static void check(Replicas replicas, int[] serving, Map<String, String> ids)
      throws Exception {
    for (int slot : serving) {
      for (Map.Entry<String, String> each : ids.entrySet()) {
        assertEquals("WAITING", state(replicas, slot, each.getValue()), each.toString());
        HttpResponse<String> again = startWith(replicas, slot, each.getKey());
        assertEquals(202, again.statusCode(), again.body());
        assertEquals(each.getValue(), JSON.readTree(again.body()).path("id").asText());
      }
      JsonNode list = JSON.readTree(replicas.get(slot, "/v1/instances?limit=100").body());
      assertEquals(ids.size(), list.path("items").size());
    }
  }

  private static String state(Replicas replicas, int slot, String id) throws Exception {
    HttpResponse<String> shown = replicas.get(slot, "/v1/instances/" + id);
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
