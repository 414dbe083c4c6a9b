package dev.pinion.bootstrap.serve;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.bootstrap.serve.SteadyLoad.Request;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Replicas that are killed or restarted under an open load.
 *
 * <pre>
 *   clients ──▶ parent ──▶ replica 0   ✗ killed, comes back
 *                     └──▶ replica 1   must not notice
 * </pre>
 */
@EnabledOnOs(OS.LINUX)
class ReplicaFaultsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final int CLIENTS = 16;
  private static final double STARTS_PER_SECOND = 200;

  /** Requests that end this soon after a kill count as under way at it. */
  private static final long AFTERMATH_NANOS = Duration.ofSeconds(3).toNanos();

  @TempDir private Path data;

  @Test
  void shouldSpareTheOtherReplicaWhenOneIsKilled() throws Exception {
    killAtRandom(3);
  }

  @Test
  @Tag("long")
  void shouldSpareTheOtherReplicaHoweverOftenOneIsKilled() throws Exception {
    killAtRandom(100);
  }

  @Test
  void shouldFailNoRequestWhileReplicasAreRestartedInTurn() throws Exception {
    restartInTurn(2);
  }

  @Test
  @Tag("long")
  void shouldFailNoRequestHoweverOftenReplicasAreRestartedInTurn() throws Exception {
    restartInTurn(50);
  }

  @Test
  void shouldKeepClientsWaitingWhileTheOnlyReplicaIsStartedAgain() throws Exception {
    try (ServedEngine engine = ServedEngine.start(data, "--replicas", "1")) {
      for (int i = 0; i < 2; i++) {
        engine.replicas().forEach(ProcessHandle::destroyForcibly);

        assertEquals(200, engine.get("/livez").status(), "a connection while nobody accepts");
      }
    }
  }

  private record Kill(int slot, long nanos) {}

  private void killAtRandom(int kills) throws Exception {
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    try (ServedEngine engine = start()) {
      awaitServing(engine, 2);
      List<Kill> killed = new ArrayList<>();
      List<Request> requests;
      long parentDescriptors;
      try (SteadyLoad load = load(engine, seed)) {
        awaitRequests(load, 500);
        parentDescriptors = descriptors(engine);
        for (int i = 0; i < kills; i++) {
          int slot = random.nextInt(2);
          long pid = replica(engine, slot).path("pid").asLong();
          awaitRequests(load, 50 + random.nextInt(100));
          killed.add(new Kill(slot, System.nanoTime()));
          ProcessHandle.of(pid).orElseThrow().destroyForcibly();
          await().atMost(PATIENCE).until(() -> servesAs(engine, slot, pid));
        }
        awaitRequests(load, 300);
        requests = load.requests();
        await().atMost(PATIENCE).until(() -> descriptors(engine) <= parentDescriptors + 2);
      }
      report(requests, killed);
      for (Request wrong : requests.stream().filter(each -> !each.right()).toList()) {
        assertTrue(
            killed.stream().anyMatch(kill -> explains(kill, wrong)),
            () -> wrong + " failed, killed were " + killed + ", seed " + seed);
      }
      assertEquals(2, engine.replicas().size(), "processes of replicas");
    }
  }

  /** Whether a request failed because its replica was killed. */
  private static boolean explains(Kill kill, Request wrong) {
    boolean soonAfter =
        wrong.endedNanos() >= kill.nanos()
            && wrong.intendedNanos() <= kill.nanos() + AFTERMATH_NANOS;
    return soonAfter && (wrong.slot() == kill.slot() || wrong.slot() < 0);
  }

  private static void report(List<Request> requests, List<Kill> killed) {
    Predicate<Request> aftermath =
        each ->
            killed.stream()
                .anyMatch(
                    kill ->
                        each.slot() == 1 - kill.slot()
                            && each.intendedNanos() >= kill.nanos()
                            && each.intendedNanos() < kill.nanos() + AFTERMATH_NANOS);
    Predicate<Request> calm =
        each ->
            killed.stream()
                .noneMatch(
                    kill ->
                        each.intendedNanos() >= kill.nanos() - AFTERMATH_NANOS / 3
                            && each.intendedNanos() < kill.nanos() + AFTERMATH_NANOS);
    long wrong = requests.stream().filter(each -> !each.right()).count();
    System.out.printf(
        "%d kills, %d requests, %d lost with their replica; p99 calm %.2f ms, of the other replica"
            + " within 3 s of a kill %.2f ms%n",
        killed.size(), requests.size(), wrong, p99(requests, calm), p99(requests, aftermath));
  }

  private static double p99(List<Request> requests, Predicate<Request> which) {
    List<Double> millis =
        requests.stream()
            .filter(Request::right)
            .filter(which)
            .map(Request::millis)
            .sorted()
            .toList();
    return millis.isEmpty() ? Double.NaN : millis.get((millis.size() - 1) * 99 / 100);
  }

  private void restartInTurn(int rolls) throws Exception {
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    try (ServedEngine engine = start()) {
      awaitServing(engine, 2);
      List<Request> requests;
      try (SteadyLoad load = load(engine, seed)) {
        awaitRequests(load, 300);
        for (int i = 0; i < rolls; i++) {
          List<Long> before = pids(engine);
          assertEquals(
              202,
              ServedEngine.ask("POST", engine.admin().resolve("/admin/v1/replicas/restart"), "")
                  .status());
          await()
              .atMost(PATIENCE)
              .until(
                  () -> pids(engine).stream().noneMatch(before::contains) && serving(engine) == 2);
        }
        awaitRequests(load, 300);
        requests = load.requests();
      }
      long refused = requests.stream().filter(each -> each.status() == 503).count();
      long unread = requests.stream().filter(each -> each.status() == 0).count();
      System.out.printf(
          "%d rolls, %d requests, %d refused, %d connections closed before an answer%n",
          rolls, requests.size(), refused, unread);
      for (Request each : requests) {
        assertTrue(
            each.right() || (each.status() == 503 && each.retryAfter()),
            () -> each + " failed, seed " + seed);
      }
    }
  }

  private ServedEngine start() throws IOException {
    return ServedEngine.start(
        data,
        "--replicas",
        "2",
        "--dispatch",
        "handover",
        "--layout",
        "fused:1",
        "--restart-window",
        "3");
  }

  private static SteadyLoad load(ServedEngine engine, long seed) throws IOException {
    String yaml =
        """
        document: { dsl: '1.0.3', namespace: test, name: steady, version: '1.0.0' }
        do:
          - pause:
              wait: { milliseconds: 2 }
          - answer:
              set: { done: true }
        """;
    assertEquals(201, engine.post("/v1/definitions", "application/yaml", yaml).status());
    return SteadyLoad.begin(
        engine.uri().resolve("/v1/namespaces/test/definitions/steady/instances"),
        2,
        CLIENTS,
        STARTS_PER_SECOND,
        seed);
  }

  private static void awaitRequests(SteadyLoad load, int more) {
    int enough = load.requests().size() + more;
    await().atMost(PATIENCE).until(() -> load.requests().size() >= enough);
  }

  private static void awaitServing(ServedEngine engine, int replicas) {
    await().atMost(PATIENCE).until(() -> serving(engine) == replicas);
  }

  private static JsonNode replicas(ServedEngine engine) throws IOException {
    return ServedEngine.ask("GET", engine.admin().resolve("/admin/v1/replicas"), null)
        .json()
        .path("replicas");
  }

  private static JsonNode replica(ServedEngine engine, int slot) throws IOException {
    return replicas(engine).path(slot);
  }

  private static long serving(ServedEngine engine) throws IOException {
    long serving = 0;
    for (JsonNode each : replicas(engine)) {
      if (each.path("state").asText().equals("READY")) {
        serving++;
      }
    }
    return serving;
  }

  private static boolean servesAs(ServedEngine engine, int slot, long formerPid)
      throws IOException {
    JsonNode replica = replica(engine, slot);
    return replica.path("state").asText().equals("READY")
        && replica.path("pid").asLong() != formerPid;
  }

  private static List<Long> pids(ServedEngine engine) throws IOException {
    List<Long> pids = new ArrayList<>();
    replicas(engine).forEach(each -> pids.add(each.path("pid").asLong()));
    return pids;
  }

  /** Open file descriptors of the parent. */
  private static long descriptors(ServedEngine engine) throws IOException {
    Path open = Path.of("/proc", Long.toString(engine.parent().pid()), "fd");
    try (Stream<Path> each = Files.list(open)) {
      return each.count();
    }
  }
}
