package dev.pinion.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.instance.OrderingKey;
import dev.pinion.core.partition.StartPolicy;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Starts with one ordering key reach one partition, whichever replica is called. */
class OrderingKeyRoutingTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String STARTS = "/v1/namespaces/test/definitions/sleeper/instances";
  private static final String RESPOND_ASYNC = "respond-async";

  @TempDir private Path directory;

  @ParameterizedTest
  @EnumSource
  void shouldStartInOrderWhicheverReplicaIsAsked(StartPolicy policy) throws Exception {
    try (TestReplicas testReplicas = TestReplicas.start(directory, 2, policy)) {
      testReplicas.deploy(0, sleeper());
      Set<Integer> partitions = new HashSet<>();
      for (int key = 0; key < 8; key++) {
        List<InstanceId> ids = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
          String body = "{\"input\":{\"n\":" + i + "},\"orderingKey\":\"account-" + key + "\"}";
          ids.add(id(testReplicas.postWith(i % 2, STARTS, body, "Prefer", RESPOND_ASYNC)));
        }
        assertEquals(ids.stream().sorted().toList(), ids, "ids in order of arrival");
        assertEquals(1, ids.stream().mapToInt(InstanceId::partition).distinct().count());
        partitions.add(ids.getFirst().partition());
      }
      assertTrue(partitions.size() > 1, () -> "partitions of 8 keys: " + partitions);
    }
  }

  @Test
  void shouldFindTheSamePartitionAfterARestartWithAnotherNumberOfReplicas() throws Exception {
    InstanceId first;
    String body = "{\"orderingKey\":\"account\"}";
    try (TestReplicas testReplicas = TestReplicas.start(directory, 2, StartPolicy.LOCAL)) {
      testReplicas.deploy(0, sleeper());
      first = id(testReplicas.postWith(0, STARTS, body, "Prefer", RESPOND_ASYNC));
    }
    for (int count : new int[] {1, 3}) {
      try (TestReplicas testReplicas = TestReplicas.start(directory, count, StartPolicy.LOCAL)) {
        InstanceId later =
            id(testReplicas.postWith(count - 1, STARTS, body, "Prefer", RESPOND_ASYNC));
        assertEquals(first.partition(), later.partition());
        assertTrue(first.compareTo(later) < 0, "ids in order of arrival");
      }
    }
  }

  @Test
  void shouldTakeTheKeyThatTheDefinitionMakesOfTheInput() throws Exception {
    try (TestReplicas testReplicas = TestReplicas.start(directory, 2, StartPolicy.IN_TURN)) {
      testReplicas.deploy(
          0, sleeper("${ if .account == 0 then [range(1000000)] else .account end }"));
      Map<Integer, List<InstanceId>> byAccount = new TreeMap<>();
      for (int i = 0; i < 24; i++) {
        int account = 1 + i % 4;
        String body = "{\"input\":{\"account\":" + account + "}}";
        byAccount
            .computeIfAbsent(account, each -> new ArrayList<>())
            .add(id(testReplicas.postWith(i / 4 % 2, STARTS, body, "Prefer", RESPOND_ASYNC)));
      }
      for (List<InstanceId> ids : byAccount.values()) {
        assertEquals(ids.stream().sorted().toList(), ids, "ids in order of arrival");
        assertEquals(1, ids.stream().mapToInt(InstanceId::partition).distinct().count());
      }
      int given =
          id(testReplicas.postWith(0, STARTS, start("1", "1"), "Prefer", RESPOND_ASYNC))
              .partition();
      assertEquals(new OrderingKey("test", "1").partition(), given);
      assertTrue(
          byAccount.getOrDefault(1, List.of()).stream().allMatch(id -> id.partition() == given));
      for (String bad :
          List.of(
              start("1", "2"),
              start("null", null),
              start("1.5", null),
              start("{}", null),
              start("\"\"", null),
              start("0", null))) {
        HttpResponse<String> refused = testReplicas.post(1, STARTS, bad);
        assertEquals(400, refused.statusCode(), bad);
        assertTrue(refused.body().contains("rderingKey"), refused.body());
      }
    }
  }

  @Test
  void shouldTakeOneKeyForAllStartsOfADefinition() throws Exception {
    try (TestReplicas testReplicas = TestReplicas.start(directory, 2, StartPolicy.IN_TURN)) {
      testReplicas.deploy(0, sleeper("nightly"));
      Set<Integer> partitions = new HashSet<>();
      for (int i = 0; i < 6; i++) {
        partitions.add(
            id(testReplicas.postWith(i % 2, STARTS, "", "Prefer", RESPOND_ASYNC)).partition());
      }
      assertEquals(Set.of(new OrderingKey("test", "nightly").partition()), partitions);
    }
  }

  private static String start(String account, @Nullable String key) {
    return "{\"input\":{\"account\":"
        + account
        + "}"
        + (key == null ? "" : ",\"orderingKey\":\"" + key + "\"")
        + "}";
  }

  @Test
  void shouldKeepOneInstanceForOneIdempotencyKeyInThatPartition() throws Exception {
    String body = "{\"orderingKey\":\"account\"}";
    try (TestReplicas testReplicas = TestReplicas.start(directory, 2, StartPolicy.LOCAL)) {
      testReplicas.deploy(0, sleeper());
      InstanceId plain = id(testReplicas.postWith(0, STARTS, body, "Prefer", RESPOND_ASYNC));
      InstanceId once = id(start(testReplicas, 0, body));
      for (int slot = 0; slot < 2; slot++) {
        HttpResponse<String> again = start(testReplicas, slot, body);
        assertEquals(202, again.statusCode(), again.body());
        assertEquals(once.toString(), json(again).path("id").asText());
        HttpResponse<String> other =
            start(testReplicas, slot, "{\"input\":1,\"orderingKey\":\"account\"}");
        assertEquals(422, other.statusCode(), other.body());
      }
      assertEquals(plain.partition(), once.partition());
    }
  }

  private static HttpResponse<String> start(TestReplicas testReplicas, int slot, String body)
      throws Exception {
    return testReplicas.postWith(
        slot, STARTS, body, "Prefer", RESPOND_ASYNC, "Idempotency-Key", "once");
  }

  private static InstanceId id(HttpResponse<String> response) throws Exception {
    assertEquals(202, response.statusCode(), response.body());
    return InstanceId.parse(json(response).path("id").asText()).orElseThrow();
  }

  private static JsonNode json(HttpResponse<String> response) throws Exception {
    return JSON.readTree(response.body());
  }

  private static String sleeper() {
    return document("");
  }

  private static String sleeper(String orderingKey) {
    return document(", metadata: { pinion: { orderingKey: '" + orderingKey + "' } }");
  }

  private static String document(String metadata) {
    return """
    document: { dsl: '1.0.3', namespace: test, name: sleeper, version: '1.0.0'%s }
    do:
      - sleep:
          wait: { hours: 1 }
    """
        .formatted(metadata);
  }
}
