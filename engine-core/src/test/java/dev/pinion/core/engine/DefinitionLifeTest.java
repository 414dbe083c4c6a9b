package dev.pinion.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pinion.core.partition.StartPolicy;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Disabling, enabling and deleting definitions, in every replica and over restarts. */
class DefinitionLifeTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String NAME = "/v1/namespaces/test/definitions/life";
  private static final String OLD = NAME + "/versions/1.0.0";
  private static final String NEW = NAME + "/versions/2.0.0";

  @TempDir private Path directory;

  private static String yaml(String version, String task) {
    return """
    document: {dsl: 1.0.3, namespace: test, name: life, version: %s}
    do:
      - a: %s
    """
        .formatted(version, task);
  }

  private static void deployBoth(TestReplicas replicas) throws Exception {
    assertEquals(201, replicas.deploy(0, yaml("1.0.0", "{set: {by: old}}")).statusCode());
    assertEquals(201, replicas.deploy(1, yaml("2.0.0", "{wait: PT1H}")).statusCode());
  }

  private static JsonNode json(int status, HttpResponse<String> response) throws Exception {
    assertEquals(status, response.statusCode(), response.body());
    return JSON.readTree(response.body());
  }

  private static String code(HttpResponse<String> response) throws Exception {
    return json(409, response).get("code").asText();
  }

  @ParameterizedTest
  @EnumSource
  void shouldRefuseStartsOfADisabledVersionInEveryReplica(StartPolicy policy) throws Exception {
    try (TestReplicas replicas = TestReplicas.start(directory, 2, policy)) {
      deployBoth(replicas);
      String running =
          json(202, replicas.postWith(0, NAME + "/instances", "Prefer", "respond-async"))
              .get("id")
              .asText();

      JsonNode disabled = json(200, replicas.post(0, NEW + "/disablement", ""));
      assertEquals("2.0.0", disabled.get("version").asText());
      assertEquals("false", disabled.get("enabled").toString());

      for (int replica = 0; replica < 2; replica++) {
        for (int i = 0; i < 3; i++) {
          assertEquals(
              "definition-disabled", code(replicas.post(replica, NEW + "/instances", "{}")));
          JsonNode older = json(200, replicas.post(replica, NAME + "/instances", "{}"));
          assertEquals("old", older.at("/output/by").asText());
        }
        assertEquals(List.of("2.0.0"), versions(replicas.get(replica, NAME + "?enabled=false")));
        assertEquals(List.of("1.0.0"), versions(replicas.get(replica, NAME + "?enabled=true")));
        JsonNode instance = json(200, replicas.get(replica, "/v1/instances/" + running));
        assertEquals("WAITING", instance.get("state").asText());
        assertEquals(200, replicas.get(replica, NEW).statusCode());
      }

      json(200, replicas.post(1, OLD + "/disablement", "{}"));
      assertEquals("definition-disabled", code(replicas.post(0, NAME + "/instances", "{}")));
      json(200, replicas.post(1, NEW + "/enablement", ""));
      for (int replica = 0; replica < 2; replica++) {
        json(202, replicas.postWith(replica, NAME + "/instances", "Prefer", "respond-async"));
      }
    }
  }

  @Test
  void shouldKeepItOverRestarts() throws Exception {
    try (TestReplicas replicas = TestReplicas.start(directory, 2, StartPolicy.LOCAL)) {
      deployBoth(replicas);
      json(200, replicas.post(0, NEW + "/disablement", ""));
      replicas.stop(1);
      json(200, replicas.post(0, OLD + "/disablement", ""));
      replicas.restart(1);
      assertEquals("definition-disabled", code(replicas.post(1, OLD + "/instances", "{}")));
    }
    try (TestReplicas replicas = TestReplicas.start(directory, 1, StartPolicy.LOCAL)) {
      assertEquals(List.of("1.0.0", "2.0.0"), versions(replicas.get(0, NAME + "?enabled=false")));
      assertEquals("definition-disabled", code(replicas.post(0, NEW + "/instances", "{}")));
      json(200, replicas.post(0, OLD + "/enablement", ""));
      json(200, replicas.post(0, NAME + "/instances", "{}"));
    }
  }

  @Test
  void shouldDeleteADisabledVersionOnceNothingWaits() throws Exception {
    try (TestReplicas replicas = TestReplicas.start(directory, 2, StartPolicy.LOCAL)) {
      deployBoth(replicas);
      String waiting =
          json(202, replicas.postWith(1, NAME + "/instances", "Prefer", "respond-async"))
              .get("id")
              .asText();
      json(200, replicas.post(0, NEW + "/disablement", ""));

      JsonNode refused = json(409, replicas.delete(0, NEW));
      assertEquals("definition-in-use", refused.get("code").asText());
      assertEquals(waiting, refused.at("/instances/0").asText());

      json(202, replicas.post(0, "/v1/instances/" + waiting + "/cancellation", ""));
      assertEquals(204, replicas.delete(0, NEW).statusCode());
      for (int replica = 0; replica < 2; replica++) {
        assertEquals(404, replicas.post(replica, NEW + "/disablement", "").statusCode());
        assertEquals(404, replicas.post(replica, NEW + "/instances", "{}").statusCode());
      }
      JsonNode again = json(201, replicas.deploy(1, yaml("2.0.0", "{set: {by: new}}")));
      assertTrue(again.get("enabled").asBoolean());
      json(200, replicas.post(0, NEW + "/instances", "{}"));
    }
  }

  @Test
  void shouldTellTheSameTimeOfDeploymentInEveryReplica() throws Exception {
    String first;
    try (TestReplicas replicas = TestReplicas.start(directory, 2, StartPolicy.LOCAL)) {
      deployBoth(replicas);
      first = replicas.get(0, NAME).body();
      assertEquals(first, replicas.get(1, NAME).body());
    }
    try (TestReplicas replicas = TestReplicas.start(directory, 1, StartPolicy.LOCAL)) {
      assertEquals(first, replicas.get(0, NAME).body());
      String time = JSON.readTree(first).at("/items/1/deployedAt").asText();
      assertEquals(
          List.of("2.0.0"), last(versions(replicas.get(0, NAME + "?deployedAfter=" + time))));
      assertEquals(
          List.of(), versions(replicas.get(0, NAME + "?deployedAfter=2999-01-01T00:00:00Z")));
      assertEquals(400, replicas.get(0, NAME + "?deployedAfter=yesterday").statusCode());
    }
  }

  private static List<String> last(List<String> versions) {
    return versions.subList(versions.size() - 1, versions.size());
  }

  private static List<String> versions(HttpResponse<String> page) throws Exception {
    return StreamSupport.stream(json(200, page).get("items").spliterator(), false)
        .map(item -> item.get("version").asText())
        .toList();
  }
}
