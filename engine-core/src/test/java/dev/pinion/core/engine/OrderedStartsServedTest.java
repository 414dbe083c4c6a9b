package dev.pinion.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.peer.StartPolicy;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Starts with one ordering key come to one partition, whichever replica is asked. */
class OrderedStartsServedTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String STARTS = "/v1/namespaces/test/definitions/sleeper/instances";
  private static final String RESPOND_ASYNC = "respond-async";

  @TempDir private Path directory;

  @ParameterizedTest
  @EnumSource
  void shouldStartInOrderWhicheverReplicaIsAsked(StartPolicy policy) throws Exception {
    try (Replicas replicas = Replicas.start(directory, 2, policy)) {
      replicas.deploy(0, sleeper());
      Set<Integer> partitions = new HashSet<>();
      for (int key = 0; key < 8; key++) {
        List<InstanceId> ids = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
          String body = "{\"input\":{\"n\":" + i + "},\"orderingKey\":\"account-" + key + "\"}";
          ids.add(id(replicas.postWith(i % 2, STARTS, body, "Prefer", RESPOND_ASYNC)));
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
    try (Replicas replicas = Replicas.start(directory, 2, StartPolicy.LOCAL)) {
      replicas.deploy(0, sleeper());
      first = id(replicas.postWith(0, STARTS, body, "Prefer", RESPOND_ASYNC));
    }
    for (int count : new int[] {1, 3}) {
      try (Replicas replicas = Replicas.start(directory, count, StartPolicy.LOCAL)) {
        InstanceId later = id(replicas.postWith(count - 1, STARTS, body, "Prefer", RESPOND_ASYNC));
        assertEquals(first.partition(), later.partition());
        assertTrue(first.compareTo(later) < 0, "ids in order of arrival");
      }
    }
  }

  @Test
  void shouldKeepOneInstanceForOneIdempotencyKeyInThatPartition() throws Exception {
    String body = "{\"orderingKey\":\"account\"}";
    try (Replicas replicas = Replicas.start(directory, 2, StartPolicy.LOCAL)) {
      replicas.deploy(0, sleeper());
      InstanceId plain = id(replicas.postWith(0, STARTS, body, "Prefer", RESPOND_ASYNC));
      InstanceId once = id(start(replicas, 0, body));
      for (int slot = 0; slot < 2; slot++) {
        HttpResponse<String> again = start(replicas, slot, body);
        assertEquals(409, again.statusCode(), again.body());
        assertEquals(once.toString(), json(again).path("id").asText());
        HttpResponse<String> other =
            start(replicas, slot, "{\"input\":1,\"orderingKey\":\"account\"}");
        assertEquals(422, other.statusCode(), other.body());
      }
      assertEquals(plain.partition(), once.partition());
    }
  }

  private static HttpResponse<String> start(Replicas replicas, int slot, String body)
      throws Exception {
    return replicas.postWith(
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
    return """
        document: { dsl: '1.0.3', namespace: test, name: sleeper, version: '1.0.0' }
        do:
          - sleep:
              wait: { hours: 1 }
        """;
  }
}
