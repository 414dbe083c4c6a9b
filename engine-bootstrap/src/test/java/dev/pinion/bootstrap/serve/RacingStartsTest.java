package dev.pinion.bootstrap.serve;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.bootstrap.serve.CallLog.Call;
import dev.pinion.bootstrap.serve.KillableEngine.Victim;
import dev.pinion.bootstrap.serve.ServedEngine.Answer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
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

/**
 * 64 clients that race with one key, each until it has a response, while replicas and their parent
 * are killed: all receive the same instance, and services receive calls of no other.
 */
@EnabledOnOs(OS.LINUX)
class RacingStartsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final Duration RETRY = Duration.ofMillis(20);
  private static final int CLIENTS = 64;
  private static final String STARTS = "/v1/namespaces/test/definitions/racing/instances";

  /** Keys of the long run in each of four ways to dispatch. */
  private static final int KEYS = Integer.getInteger("pinion.keys", 250);

  private static final int KEYS_FOR_EACH_KILL = 25;

  private static final List<Victim> VICTIMS = List.of(Victim.values());

  @TempDir private Path data;

  private final AtomicInteger attempts = new AtomicInteger();

  /** Instances by their keys. */
  private final Map<Integer, String> told = new HashMap<>();

  @Test
  @Tag("long")
  void shouldStartOneInstanceForClientsThatRaceWhileAReplicaIsKilled() throws Exception {
    race("handover", 10, 10);
  }

  @ParameterizedTest
  @ValueSource(strings = {"handover", "reuseport", "round-robin", "least-loaded"})
  @Tag("long")
  void shouldStartOneInstanceForEachOfManyKeys(String dispatch) throws Exception {
    race(dispatch, KEYS, KEYS_FOR_EACH_KILL);
  }

  /**
   * @param forEachKill keys for which clients race between two kills
   */
  private void race(String dispatch, int keys, int forEachKill) throws Exception {
    long seed = Long.getLong("pinion.seed", System.nanoTime());
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    int kills = 0;
    try (CallLog services = new CallLog(1);
        ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
        KillableEngine engine = new KillableEngine(data, "--dispatch", dispatch)) {
      deploy(engine.get(), services);
      for (int key = 0; key < keys; key++) {
        boolean killing = key % forEachKill == forEachKill / 2;
        Victim victim = keys == forEachKill ? Victim.FIRST : VICTIMS.get(kills % VICTIMS.size());
        race(engine, clients, key, killing ? victim : null, random.nextInt(CLIENTS));
        kills += killing ? 1 : 0;
      }
      assertEquals(
          keys, new HashSet<>(told.values()).size(), "instances that clients were told of");
      check(engine.get(), services);
    }
    System.out.printf(
        "%s: %d keys, %d clients for each, %d kills while they raced, %d requests; one instance"
            + " for each key%n",
        dispatch, keys, CLIENTS, kills, attempts.get());
  }

  private void deploy(ServedEngine engine, CallLog services) throws IOException {
    String document =
        """
        document: {dsl: 1.0.3, namespace: test, name: racing, version: 1.0.0}
        do:
          - call: {call: http, with: {method: post, endpoint: %s/first, body: {n: '${ .n }'}}}
        """
            .formatted(services.url());
    Answer deployed = engine.post("/v1/definitions", "application/yaml", document);
    assertEquals(201, deployed.status(), deployed.body());
  }

  /**
   * Lets all clients start under one key.
   *
   * @param victim process that is killed meanwhile, or null
   * @param after number of clients with a response at the kill
   */
  private void race(
      KillableEngine engine, ExecutorService clients, int key, @Nullable Victim victim, int after)
      throws Exception {
    if (victim != null) {
      engine.awaitReady(KillableEngine.REPLICAS);
    }
    AtomicInteger answered = new AtomicInteger();
    List<Future<String>> ids = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      ids.add(
          clients.submit(
              () -> {
                String id = start(engine, key);
                answered.incrementAndGet();
                return id;
              }));
    }
    if (victim != null) {
      engine.kill(victim, () -> awaitAnswers(answered, after));
    }
    Set<String> different = new HashSet<>();
    for (Future<String> id : ids) {
      different.add(id.get());
    }
    assertEquals(1, different.size(), () -> "instances of key " + key + ": " + different);
    told.put(key, different.iterator().next());
  }

  private static void awaitAnswers(AtomicInteger answered, int enough) {
    await()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(1))
        .atMost(PATIENCE)
        .until(() -> answered.get() >= enough);
  }

  /** Repeats a start until there is a response; returns the instance in it. */
  private String start(KillableEngine engine, int key) {
    List<String> id = new ArrayList<>();
    await()
        .pollDelay(Duration.ZERO)
        .pollInterval(RETRY)
        .atMost(PATIENCE)
        .until(
            () -> {
              Answer answer = ask(engine, key);
              if (answer.status() == 503 || answer.status() == 0) {
                return false;
              }
              assertTrue(Set.of(200, 202, 409).contains(answer.status()), answer.body());
              id.add(answer.json().path("id").asText());
              return true;
            });
    return id.getFirst();
  }

  /** A response, or one of status 0 if there was none. */
  private Answer ask(KillableEngine engine, int key) {
    attempts.incrementAndGet();
    try {
      return ServedEngine.ask(
          "POST",
          engine.get().uri().resolve(STARTS),
          "{\"input\":{\"n\":" + key + "}}",
          "Content-Type",
          "application/json",
          "Idempotency-Key",
          "\"race-" + key + "\"",
          "Prefer",
          "respond-async");
    } catch (IOException e) {
      return new Answer(0, Map.of(), "");
    }
  }

  /** Every instance ends; neither services nor the engine have another one. */
  private void check(ServedEngine engine, CallLog services) throws IOException {
    for (String id : told.values()) {
      await()
          .pollDelay(Duration.ZERO)
          .atMost(PATIENCE)
          .ignoreExceptionsInstanceOf(IOException.class)
          .until(
              () -> {
                Answer shown = engine.get("/v1/instances/" + id);
                return shown.status() == 200
                    && shown.json().path("state").asText().equals("COMPLETED");
              });
    }
    Map<Integer, Set<String>> callers = new HashMap<>();
    for (Call call : services.calls()) {
      int key = Integer.parseInt(call.body().replaceAll("\\D", ""));
      callers.computeIfAbsent(key, _ -> new HashSet<>()).add(call.instance());
    }
    told.forEach((key, id) -> assertEquals(Set.of(id), callers.get(key), "callers of key " + key));
    assertEquals(Set.copyOf(told.values()), listed(engine));
  }

  private static Set<String> listed(ServedEngine engine) throws IOException {
    Set<String> ids = new HashSet<>();
    for (String next = "/v1/instances?limit=100"; !next.isEmpty(); ) {
      Answer page = engine.get(next);
      assertEquals(200, page.status(), page.body());
      for (JsonNode item : page.json().path("items")) {
        ids.add(item.path("id").asText());
      }
      String link = page.field("link");
      next = link.isEmpty() ? "" : link.substring(link.indexOf('<') + 1, link.indexOf('>'));
    }
    return ids;
  }
}
