package dev.pinion.bootstrap.serve;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.bootstrap.serve.ServedEngine.Answer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Field faults 5 and 21: whole engines whose data is on a small volume, or on a full one. */
@EnabledOnOs(OS.LINUX)
@Tag("long")
class SmallVolumeServedTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String JSON = "application/json";
  private static final String YAML = "application/yaml";
  private static final String EVENTS = "application/cloudevents+json";
  private static final int STARTS = 1_500;
  private static final int CLIENTS = 2;
  private static final String INPUT = "{\"input\":{\"x\":\"" + "y".repeat(250_000) + "\"}}";

  /** Too many for the volume, since the history stores each value five times. */
  private static final int KEPT_UP_STARTS = 300;

  /** Bytes that are 250 kB as Base64. */
  private static final int NOISE_BYTES = 187_500;

  /** Number of latest results that are returned in any case. */
  private static final int TOLD = 40;

  private static final String ECHO =
      """
      document: {dsl: '1.0.3', namespace: test, name: echo, version: '1.0.0'}
      do:
        - t: {set: '${ . }'}
      """;

  private static final String CHAINS =
      """
      chains:
      - name: customers
        at: request-in
        definition: test/other
        handlers:
        - use: enrich
          settings:
            key: /input/id
            target: /input/row
            table: {events: {namespace: test, type: customer.changed}}
      """;

  private @TempDir Path folder;
  private final AtomicInteger left = new AtomicInteger(STARTS);

  private SmallVolume mount(int mebibytes) throws IOException {
    @Nullable SmallVolume volume = SmallVolume.mount(folder.resolve("volume"), mebibytes);
    assumeTrue(volume != null, "no volume is filled: this user may not mount any");
    return Objects.requireNonNull(volume);
  }

  /** 250 kB times 1,500 exceed the volume; none of these instances stays alive. */
  @ParameterizedTest
  @ValueSource(strings = {"none", "sqlite"})
  void shouldGoOnWithAllThatEndsOnAVolumeOf256Mebibytes(String history) throws Exception {
    try (SmallVolume volume = mount(256)) {
      try (ServedEngine engine = volume.start("--replicas", "1", "--history", history)) {
        assertEquals(201, deploy(engine, "ends").status());
        startAll(engine);
        System.out.printf("history %s: %d MiB in use%n", history, volume.used() >> 20);
        kill(engine);
      }
      try (ServedEngine again = volume.start("--replicas", "1", "--history", history)) {
        assertEquals(200, start(again.uri(), INPUT).status());
        System.out.printf("after a kill: %d MiB in use%n", volume.used() >> 20);
      }
    }
  }

  /**
   * The history keeps up and would fill the volume several times: it evicts the instances that
   * ended first, and leaves the journal its room.
   */
  @Test
  void shouldGoOnWhileTheHistoryKeepsUpOnAVolumeOf256Mebibytes() throws Exception {
    try (SmallVolume volume = mount(256)) {
      List<String> ids = new ArrayList<>();
      try (ServedEngine engine = volume.start("--replicas", "1", "--history", "sqlite")) {
        assertEquals(201, engine.post("/v1/definitions", YAML, ECHO).status());
        for (int i = 0; i < KEPT_UP_STARTS; i++) {
          ids.add(startBesideHistory(engine, i));
        }
        awaitHistory(engine, 0);
        System.out.printf("history kept up: %d MiB in use%n", volume.used() >> 20);
        assertResults(engine, ids);
        assertTrue(volume.used() < (240L << 20), "bytes in use: " + volume.used());
        kill(engine);
      }
      try (ServedEngine again = volume.start("--replicas", "1", "--history", "sqlite")) {
        ids.add(startBesideHistory(again, KEPT_UP_STARTS));
        awaitHistory(again, 0);
        assertResults(again, ids);
      }
    }
  }

  private static String startBesideHistory(ServedEngine engine, int number) throws IOException {
    awaitHistory(engine, 40);
    URI starts = engine.uri().resolve("/v1/namespaces/test/definitions/echo/instances");
    byte[] noise = new byte[NOISE_BYTES];
    new Random(number).nextBytes(noise);
    String value = Base64.getEncoder().encodeToString(noise);
    String input = "{\"input\":{\"x\":\"" + value + "\"}}";
    Answer answer = ServedEngine.ask("POST", starts, input, "Content-Type", JSON);
    assertEquals(200, answer.status(), () -> "start " + number + ": " + answer.body());
    return answer.json().path("id").asText();
  }

  private static void awaitHistory(ServedEngine engine, long most) {
    URI history = engine.admin().resolve("/admin/v1/history");
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(50))
        .until(
            () -> {
              long lag = ServedEngine.ask("GET", history, null).json().path("lagRecords").asLong();
              return lag >= 0 && lag <= most;
            });
  }

  /**
   * Checks that the last results exist, also those without room in the kernel; the first do not.
   */
  private static void assertResults(ServedEngine engine, List<String> ids) throws IOException {
    for (String id : ids.subList(ids.size() - TOLD, ids.size())) {
      Answer output = engine.get("/v1/instances/" + id + "/output");
      assertEquals(200, output.status(), output.body());
      assertEquals(250_000, output.json().path("x").asText().length(), id);
    }
    assertEquals(410, engine.get("/v1/instances/" + ids.getFirst()).status());
    Answer page = engine.get("/v1/instances/" + ids.getLast() + "/events");
    assertEquals(200, page.status(), page.body());
  }

  private void startAll(ServedEngine engine) throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(CLIENTS)) {
      List<Future<?>> clients = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        clients.add(threads.submit(() -> startInTurn(engine.uri())));
      }
      for (Future<?> client : clients) {
        client.get();
      }
    }
  }

  private @Nullable Void startInTurn(URI engine) throws IOException {
    for (int each = left.getAndDecrement(); each > 0; each = left.getAndDecrement()) {
      Answer answer = start(engine, INPUT);
      int number = STARTS - each;
      assertEquals(200, answer.status(), () -> "start " + number + ": " + answer.body());
    }
    return null;
  }

  private static void kill(ServedEngine engine) {
    List<ProcessHandle> family = new ArrayList<>(engine.replicas());
    engine.parent().destroyForcibly().onExit().join();
    await().atMost(PATIENCE).until(() -> family.stream().noneMatch(ProcessHandle::isAlive));
  }

  @Test
  void shouldTellEverywhereThatTheDiskIsFullUntilItIsNot() throws Exception {
    Path chains = Files.createDirectories(folder.resolve("chains"));
    Files.writeString(chains.resolve("chains.yaml"), CHAINS);
    String settings =
        "journal.segmentBytes=1048576,invoker.maxResponseBytes=4096,request.maxBodyBytes=65536,"
            + "definition.maxBytes=65536,kernel.maxRetryBytes=4096";
    try (SmallVolume volume = mount(256);
        ServedEngine engine =
            volume.start(
                "--replicas",
                "1",
                "--history",
                "sqlite",
                "--broker",
                "on",
                "--handlers",
                chains.toString(),
                "--set",
                settings)) {
      assertEquals(201, deploy(engine, "ends").status());
      assertEquals(201, deploy(engine, "other").status());
      await().atMost(PATIENCE).until(() -> service(engine, "first").status() == 201);
      assertEquals(202, event(engine, 0).status());
      assertEquals(200, ready(engine.uri()).status());
      await().atMost(PATIENCE).until(() -> check(ready(engine.admin()), "history"));

      volume.fill();
      String input = "{\"input\":{\"x\":\"" + "y".repeat(60_000) + "\"}}";
      await().atMost(PATIENCE).until(() -> start(engine.uri(), input).status() == 507);
      await().atMost(PATIENCE).untilAsserted(() -> assertNotReady(engine));
      volume.fill();
      assertRefused(deploy(engine, "third"));
      assertRefused(engine.post("/v1/subscriptions", JSON, "{\"sink\":\"http://127.0.0.1:9/\"}"));
      assertRefused(service(engine, "second"));
      AtomicInteger number = new AtomicInteger();
      await().atMost(PATIENCE).until(() -> event(engine, number.incrementAndGet()).status() == 507);
      assertEquals(200, engine.get("/livez").status());

      volume.empty();
      await().atMost(PATIENCE).until(() -> ready(engine.uri()).status() == 200);
      await().atMost(PATIENCE).until(() -> ready(engine.admin()).status() == 200);
      await().atMost(PATIENCE).until(() -> check(ready(engine.admin()), "history"));
      assertEquals(200, start(engine.uri(), input).status());
      assertEquals(201, deploy(engine, "third").status());
      assertEquals(201, service(engine, "second").status());
      assertEquals(202, event(engine, number.incrementAndGet()).status());
      assertEquals(0, engine.replicaStates().path(0).path("restarts").asInt());
    }
  }

  private static void assertNotReady(ServedEngine engine) throws IOException {
    for (URI listener : List.of(engine.uri(), engine.admin())) {
      Answer answer = ready(listener);
      assertEquals(503, answer.status(), answer.body());
      assertFalse(check(answer, "disk"), answer.body());
    }
  }

  private static boolean check(Answer ready, String name) throws IOException {
    for (JsonNode check : ready.json().path("checks")) {
      if (check.path("name").asText().equals(name)) {
        return check.path("ready").asBoolean();
      }
    }
    throw new AssertionError("expected a check of " + name + ", found " + ready.body());
  }

  private static void assertRefused(Answer answer) {
    assertEquals(507, answer.status(), answer.body());
    assertTrue(answer.field("content-type").startsWith("application/problem+json"));
  }

  private static Answer ready(URI listener) throws IOException {
    return ServedEngine.ask("GET", listener.resolve("/readyz"), null);
  }

  private static Answer deploy(ServedEngine engine, String name) throws IOException {
    String definition =
        """
        document: {dsl: '1.0.3', namespace: test, name: %s, version: '1.0.0'}
        do:
          - t: {set: '${ . }'}
        output:
          as: '${ .x | length }'
        """
            .formatted(name);
    return engine.post("/v1/definitions", YAML, definition);
  }

  private static Answer start(URI engine, String input) throws IOException {
    URI starts = engine.resolve("/v1/namespaces/test/definitions/ends/instances");
    return ServedEngine.ask("POST", starts, input, "Content-Type", JSON);
  }

  private static Answer service(ServedEngine engine, String id) throws IOException {
    String document =
        """
        {"serves": ["flights"], "endpoint": "http://127.0.0.1:9/x", "idempotent": true,
         "r": 0.1, "d": 0.99, "c": 1, "load": 100}\
        """;
    URI uri = engine.uri().resolve("/v1/broker/services/" + id);
    return ServedEngine.ask("PUT", uri, document, "Content-Type", JSON);
  }

  private static Answer event(ServedEngine engine, int number) throws IOException {
    String event =
        """
        {"specversion":"1.0","source":"/crm","id":"%1$s","type":"customer.changed",
         "subject":"%1$s","data":{"x":"%2$s"}}\
        """
            .formatted(Integer.toString(number), "y".repeat(4_000));
    return engine.post("/v1/namespaces/test/events", EVENTS, event);
  }
}
