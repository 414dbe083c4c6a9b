package dev.pinion.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.partition.StartPolicy;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Instances that outlive their engine, also when the next one has a different number of replicas.
 */
class RepartitionTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int INSTANCES = 12;
  private static final int NEVER = 1 << 30;

  @TempDir private Path directory;
  private EngineLimits limits = EngineLimits.defaults();

  /**
   * @param closeLogBytes bytes of a journal from which a snapshot is made when its engine is closed
   */
  @ParameterizedTest
  @ValueSource(ints = {NEVER, 1})
  void shouldFindEveryInstanceWhateverTheNumberOfReplicas(int closeLogBytes) throws Exception {
    limits = EngineLimits.defaults().with(Map.of("journal.closeLogBytes", closeLogBytes));
    List<String> ids = new ArrayList<>();
    try (TestReplicas testReplicas = start(2)) {
      assertEquals(201, testReplicas.deploy(0, sleeper()).statusCode());
      startSleepers(testReplicas, 2, ids);
    }
    for (int count : new int[] {1, 3, 2, 1}) {
      try (TestReplicas testReplicas = start(count)) {
        for (String id : ids) {
          assertEquals("WAITING", state(testReplicas, ids.indexOf(id) % count, id), id);
        }
        startSleepers(testReplicas, count, ids);
      }
    }
    try (TestReplicas testReplicas = start(3)) {
      assertEquals(5 * INSTANCES, ids.size());
      for (String id : ids) {
        HttpResponse<String> cancelled =
            testReplicas.post(0, "/v1/instances/" + id + "/cancellation", "");
        assertEquals(202, cancelled.statusCode(), cancelled.body());
      }
      assertEquals(0, testReplicas.running(0) + testReplicas.running(1) + testReplicas.running(2));
    }
    try (TestReplicas testReplicas = start(2)) {
      assertEquals(0, testReplicas.running(0) + testReplicas.running(1));
      assertEquals("CANCELLED", state(testReplicas, 0, ids.getFirst()));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {NEVER, 1})
  void shouldNotTakeWhatMovedAwayForItsOwnWhenItComesBack(int closeLogBytes) throws Exception {
    limits = EngineLimits.defaults().with(Map.of("journal.closeLogBytes", closeLogBytes));
    List<String> ids = new ArrayList<>();
    try (TestReplicas testReplicas = start(2)) {
      testReplicas.deploy(0, sleeper());
      startSleepers(testReplicas, 2, ids);
    }
    try (TestReplicas testReplicas = start(1)) {
      for (String id : ids) {
        testReplicas.post(0, "/v1/instances/" + id + "/cancellation", "");
      }
    }

    try (TestReplicas testReplicas = start(2)) { // replica 1 finds them in its old journal, too
      assertEquals(0, testReplicas.running(1), "what it had before they moved");
      for (String id : ids) {
        assertEquals("CANCELLED", state(testReplicas, 1, id));
      }
    }
  }

  @Test
  void shouldRefuseToStartWithoutItsClaims() throws Exception {
    start(1).close();
    Path claims = directory.resolve("journal").resolve("claims-0");
    byte[] content = Files.readAllBytes(claims);
    Files.delete(claims);

    IOException missing = assertThrows(IOException.class, () -> start(1).close());
    assertTrue(String.valueOf(missing.getMessage()).contains("claims-0"), missing::toString);
    content[3] ^= 1;
    Files.write(claims, content);
    IOException damaged = assertThrows(IOException.class, () -> start(1).close());
    assertTrue(String.valueOf(damaged.getMessage()).contains("damaged"), damaged::toString);
  }

  @Test
  void shouldRefuseToStartWithoutAJournalThatWasThere() throws Exception {
    start(2).close();
    Path journals = directory.resolve("journal");
    Files.delete(journals.resolve("claims-1"));
    try (Stream<Path> files = Files.walk(journals.resolve("1"))) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }

    for (int replicas = 1; replicas <= 2; replicas++) {
      int count = replicas;
      IOException missing = assertThrows(IOException.class, () -> start(count).close());
      assertTrue(String.valueOf(missing.getMessage()).contains("claims-1"), missing::toString);
    }
    List<String> problems = DataDirectoryVerification.run(directory);
    assertTrue(problems.toString().contains("claims-1"), problems::toString);
    assertTrue(
        problems.toString().contains(journals.resolve("1").resolve("FORMAT").toString()),
        problems::toString);
  }

  @Test
  void shouldRefuseToStartOnTheClaimsOfAnotherReplica() throws Exception {
    start(2).close();
    Path journals = directory.resolve("journal");
    Files.copy(
        journals.resolve("claims-1"),
        journals.resolve("claims-0"),
        StandardCopyOption.REPLACE_EXISTING);

    IOException damaged = assertThrows(IOException.class, () -> start(2).close());
    assertTrue(String.valueOf(damaged.getMessage()).contains("claims-0"), damaged::toString);
    List<String> problems = DataDirectoryVerification.run(directory);
    assertEquals(1, problems.size(), problems::toString);
    assertTrue(problems.getFirst().contains("claims-0"), problems::toString);
  }

  private TestReplicas start(int count) throws IOException {
    return TestReplicas.start(directory, count, StartPolicy.LOCAL, limits);
  }

  private static void startSleepers(TestReplicas testReplicas, int count, List<String> ids)
      throws Exception {
    for (int i = 0; i < INSTANCES; i++) {
      HttpResponse<String> accepted =
          testReplicas.postWith(
              i % count,
              "/v1/namespaces/test/definitions/sleeper/instances",
              "Prefer",
              "respond-async");
      assertEquals(202, accepted.statusCode(), accepted.body());
      ids.add(JSON.readTree(accepted.body()).path("id").asText());
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
