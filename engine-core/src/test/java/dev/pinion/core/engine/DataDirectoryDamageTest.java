package dev.pinion.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pinion.core.engine.DirectoryDamage.Change;
import dev.pinion.core.engine.DirectoryDamage.Kind;
import dev.pinion.core.journal.disk.FileStorage;
import dev.pinion.core.journal.store.JournalFormatException;
import dev.pinion.core.journal.store.JournalVerification;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.partition.StartPolicy;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Changes every file of the data directory of two stopped replicas: the engine refuses to start,
 * naming the file, or all its answers are unchanged.
 */
class DataDirectoryDamageTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int REPLICAS = 2;
  private static final int OF_EACH_KIND = 3;
  private static final int NEVER = 1 << 30;

  @TempDir private Path folder;

  /** The definition that was started under each key. */
  private final Map<String, String> definitions = new TreeMap<>();

  private final Map<Kind, Integer> refused = new TreeMap<>();
  private final Map<Kind, Integer> harmless = new TreeMap<>();
  private Path stopped = Path.of("");

  /** Two engines that made snapshots, and then two that only wrote records after them. */
  @BeforeEach
  void runAndStop() throws Exception {
    stopped = folder.resolve("stopped");
    try (TestReplicas testReplicas = start(stopped, 1)) {
      deploy(testReplicas, "sleeper", "wait: { hours: 1 }");
      deploy(testReplicas, "adder", "set: { sum: '${ .n + 1 }' }");
      begin(testReplicas, "a");
    }
    try (TestReplicas testReplicas = start(stopped, NEVER)) {
      deploy(testReplicas, "doubler", "set: { product: '${ .n * 2 }' }");
      begin(testReplicas, "b");
    }
  }

  @Test
  void shouldRefuseOrNotMindWhateverIsChosen() throws Exception {
    long seed = Long.getLong("pinion.seed", System.nanoTime());
    System.out.println("seed " + seed);
    List<Change> changes = DirectoryDamage.of(stopped);
    Collections.shuffle(changes, new Random(seed));
    List<Change> sample = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      changes.stream().filter(each -> each.kind() == kind).limit(OF_EACH_KIND).forEach(sample::add);
    }
    check(sample);
  }

  @Test
  @Tag("long")
  void shouldRefuseOrNotMindEveryChange() throws Exception {
    check(DirectoryDamage.of(stopped));
  }

  private void check(List<Change> changes) throws Exception {
    Map<String, JsonNode> whole = told(copy(stopped));
    List<String> wrong = new ArrayList<>();
    for (Change change : changes) {
      Path changed = copy(stopped);
      change.apply(changed);
      check(change, changed, whole, wrong);
      delete(changed);
    }
    System.out.printf("%d changes: refused %s, harmless %s%n", changes.size(), refused, harmless);
    assertEquals(List.of(), wrong);
  }

  private void check(Change change, Path changed, Map<String, JsonNode> whole, List<String> wrong)
      throws Exception {
    boolean verified = isSound(changed);
    try {
      Map<String, JsonNode> found = told(changed);
      if (!whole.equals(found)) {
        wrong.add(change + " unnoticed: " + difference(whole, found));
      }
      harmless.merge(change.kind(), 1, Integer::sum);
    } catch (IOException | RuntimeException e) {
      if (change.files().stream().noneMatch(file -> e.toString().contains(place(file)))) {
        wrong.add(change + " refused without its name: " + e);
      }
      if (verified) {
        wrong.add(change + " refused, but sound by verification: " + e);
      }
      refused.merge(change.kind(), 1, Integer::sum);
    }
  }

  /** The subject that a message names: a file, or the journal whose files all begin with FORMAT. */
  private static String place(Path file) {
    String name = String.valueOf(file.getFileName());
    return switch (name) {
      case "FORMAT" -> String.valueOf(file.getParent());
      case "claims-0", "claims-1" -> name;
      default -> file.toString();
    };
  }

  /** Whether {@code pinion journal verify} would report no problem. */
  private static boolean isSound(Path directory) throws IOException {
    if (!DataDirectoryVerification.run(directory).isEmpty()) {
      return false;
    }
    for (int slot = 0; slot < REPLICAS; slot++) {
      Path journal = directory.resolve("journal").resolve(Integer.toString(slot));
      try {
        if (!JournalVerification.run(new FileStorage(journal)).isSound()) {
          return false;
        }
      } catch (JournalFormatException e) {
        return false;
      }
    }
    return true;
  }

  private static String difference(Map<String, JsonNode> whole, Map<String, JsonNode> found) {
    return whole.entrySet().stream()
        .filter(each -> !each.getValue().equals(found.get(each.getKey())))
        .map(each -> each + " became " + found.get(each.getKey()))
        .findFirst()
        .orElse("more is told than there was");
  }

  private TestReplicas start(Path directory, int closeLogBytes) throws IOException {
    return TestReplicas.start(
        directory,
        REPLICAS,
        StartPolicy.LOCAL,
        EngineLimits.defaults().with(Map.of("journal.closeLogBytes", closeLogBytes)));
  }

  private static void deploy(TestReplicas testReplicas, String name, String task) throws Exception {
    String yaml =
        """
        document: { dsl: '1.0.3', namespace: test, name: %s, version: '1.0.0' }
        do:
          - only:
              %s
        """
            .formatted(name, task);
    HttpResponse<String> deployed = testReplicas.deploy(0, yaml);
    assertEquals(201, deployed.statusCode(), deployed.body());
  }

  private void begin(TestReplicas testReplicas, String prefix) throws Exception {
    for (int i = 0; i < 8; i++) {
      String key = prefix + i;
      definitions.put(key, i % 2 == 0 ? "sleeper" : "adder");
      HttpResponse<String> answer = repeat(testReplicas, key);
      assertEquals(202, answer.statusCode(), answer.body());
    }
  }

  /** Starts under a key, or returns the instance that it has started. */
  private HttpResponse<String> repeat(TestReplicas testReplicas, String key) throws Exception {
    return testReplicas.postWith(
        key.hashCode() % REPLICAS,
        "/v1/namespaces/test/definitions/" + definitions.get(key) + "/instances",
        "{\"input\":{\"n\":" + key.substring(1) + "}}",
        "Prefer",
        "respond-async",
        "Idempotency-Key",
        key);
  }

  /** All answers of engines on a directory: definitions, instances, and the starts of keys. */
  private Map<String, JsonNode> told(Path directory) throws Exception {
    Map<String, JsonNode> told = new TreeMap<>();
    try (TestReplicas testReplicas = start(directory, NEVER)) {
      for (String list : List.of("/v1/definitions", "/v1/instances?limit=100")) {
        told.put(list, JSON.readTree(testReplicas.get(0, list).body()));
      }
      for (String key : definitions.keySet()) {
        HttpResponse<String> again = repeat(testReplicas, key);
        assertTrue(Set.of(202, 409).contains(again.statusCode()), again::body);
        String path = "/v1/instances/" + JSON.readTree(again.body()).path("id").asText();
        told.put(key, JSON.readTree(testReplicas.get(1, path).body()));
      }
    }
    return told;
  }

  private Path copy(Path directory) throws IOException {
    Path copy = folder.resolve("copy");
    delete(copy);
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.toList()) {
        Files.copy(
            file, copy.resolve(directory.relativize(file)), StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
    return copy;
  }

  private static void delete(Path directory) throws IOException {
    if (Files.exists(directory)) {
      try (Stream<Path> files = Files.walk(directory)) {
        for (Path file : files.sorted(Collections.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }
}
