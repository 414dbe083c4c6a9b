package dev.pinion.bootstrap.serve;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.bootstrap.serve.SparedTraffic.Kill;
import dev.pinion.bootstrap.serve.SparedTraffic.Span;
import dev.pinion.bootstrap.serve.SteadyLoad.Request;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
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
 *   clients ──▶ parent ──▶ replica 0   ✗ killed, restarts
 *                     └──▶ replica 1   must not notice
 * </pre>
 */
@EnabledOnOs(OS.LINUX)
class ReplicaFaultsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final int CLIENTS = 16;
  private static final double STARTS_PER_SECOND = 200;

  /** Clients of a closed load under which work waits longer than allowed with one replica. */
  private static final int FLOOD = 400;

  /** Kills of the long run. */
  private static final int KILLS = Integer.getInteger("pinion.kills", 100);

  /** Least number of kills for checking rate and latency of the other replica's connections. */
  private static final int JUDGED_KILLS = 100;

  /** Tolerance on the rate, relative to that without kills. */
  private static final double RATE_TOLERANCE = 0.02;

  /** Most 99th percentile soon after kills, as a multiple of that without kills. */
  private static final double MAX_P99_RATIO = 2;

  /**
   * Least number of CPUs for checking the latency. With fewer, the restarting replica, the clients
   * and the other replica share them, and the measurement shows that sharing.
   */
  private static final int CPUS_FOR_LATENCY = 4;

  /** Open load of the long run, as a share of the engine's capacity. */
  private static final double PART_OF_CAPACITY = 0.3;

  /** Requests after which the speed of a replica hardly grows, and for measuring it. */
  private static final int WARM_UP_REQUESTS = 20_000;

  /** Seconds of load before the first kill and after the last. */
  private static final double CALM_SECONDS = 0.5;

  private static final double LONG_CALM_SECONDS = 10;

  /** Descriptors that may come and go: connections to the other replica, files of the JVM. */
  private static final int SPARE_DESCRIPTORS = 8;

  @TempDir private Path data;

  @Test
  @Tag("long")
  void shouldSpareTheOtherReplicaWhenOneIsKilled() throws Exception {
    killAtRandom(1, false);
  }

  @Test
  @Tag("long")
  void shouldSpareTheOtherReplicaHoweverOftenOneIsKilled() throws Exception {
    killAtRandom(KILLS, true);
  }

  @Test
  void shouldFailNoRequestWhileReplicasAreRestartedInTurn() throws Exception {
    restartInTurn(1);
  }

  @Test
  @Tag("long")
  void shouldFailNoRequestHoweverOftenReplicasAreRestartedInTurn() throws Exception {
    restartInTurn(50);
  }

  @Test
  void shouldKeepClientsWaitingWhileTheOnlyReplicaIsStartedAgain() throws Exception {
    try (ServedEngine engine = ServedEngine.start(data, "--replicas", "1")) {
      engine.replicas().forEach(ProcessHandle::destroyForcibly);

      assertEquals(200, engine.get("/livez").status(), "a connection while nobody accepts");
    }
  }

  @Test
  @Tag("long")
  void shouldAddAReplicaUnderLoadAndRemoveItAfterwardsWithoutLosingARequest() throws Exception {
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    try (ServedEngine engine =
        ServedEngine.start(
            data, "--replicas", "1..2", "--dispatch", "handover", "--layout", "fused:1")) {
      awaitServing(engine, 1);
      deploy(engine);

      List<Request> requests = new ArrayList<>(flood(engine, seed));
      try (SteadyLoad lull = load(engine, STARTS_PER_SECOND, seed)) {
        await().atMost(Duration.ofMinutes(3)).until(() -> serving(engine) == 1);
        awaitRequests(lull, STARTS_PER_SECOND);
        requests.addAll(lull.end());
      }

      List<Request> wrong = requests.stream().filter(each -> !each.right()).toList();
      System.out.printf("%d requests, %d not answered with 200%n", requests.size(), wrong.size());
      assertEquals(List.of(), wrong, () -> "seed " + seed);
      await().atMost(PATIENCE).until(() -> engine.replicas().size() == 1);
    }
  }

  /** Sends more than the capacity of one replica until a second one has served for some time. */
  private static List<Request> flood(ServedEngine engine, long seed) {
    try (SteadyLoad load =
        SteadyLoad.begin(instances(engine), 2, FLOOD, Double.POSITIVE_INFINITY, seed)) {
      await().atMost(Duration.ofMinutes(3)).until(() -> serving(engine) == 2);
      awaitRequests(load, 10 * FLOOD);
      List<Request> requests = load.end();
      assertTrue(requests.stream().anyMatch(each -> each.slot() == 1), "the new one has clients");
      return requests;
    }
  }

  private void killAtRandom(int kills, boolean atCapacity) throws Exception {
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    try (ServedEngine engine = start()) {
      awaitServing(engine, 2);
      deploy(engine);
      double perSecond = atCapacity ? PART_OF_CAPACITY * capacity(engine, seed) : STARTS_PER_SECOND;
      long ofParent = descriptors(engine.parent().pid());
      long ofReplica = descriptors(pids(engine).getFirst());
      List<Kill> killed = new ArrayList<>();
      List<Request> requests;
      List<Span> calm = new ArrayList<>();
      double calmSeconds = atCapacity ? LONG_CALM_SECONDS : CALM_SECONDS;
      try (SteadyLoad load = load(engine, perSecond, seed)) {
        awaitRequests(load, perSecond);
        calm.add(span(load, perSecond * calmSeconds));
        for (int i = 0; i < kills; i++) {
          int slot = random.nextInt(2);
          killed.add(kill(slot, replica(engine, slot).path("pid").asLong()));
          long pid = killed.getLast().pid();
          await().atMost(PATIENCE).until(() -> servesAs(engine, slot, pid));
          awaitRequests(load, perSecond * (calmSeconds / 4 + random.nextDouble()));
        }
        awaitRequests(load, perSecond * calmSeconds);
        calm.add(span(load, perSecond * calmSeconds));
        requests = load.end();
      }
      SparedTraffic spared = new SparedTraffic(requests, killed, calm);
      report(requests, killed, spared, perSecond);
      for (Request wrong : requests.stream().filter(each -> !each.right()).toList()) {
        assertTrue(
            killed.stream().anyMatch(kill -> explains(kill, wrong)),
            () -> wrong + " failed, killed were " + killed + ", seed " + seed);
      }
      awaitFewDescriptors(engine, ofParent + SPARE_DESCRIPTORS, ofReplica + SPARE_DESCRIPTORS);
      assertEquals(2, engine.replicas().size(), "processes of replicas");
      if (atCapacity && kills >= JUDGED_KILLS) {
        judge(spared, seed);
      }
    }
  }

  private static void judge(SparedTraffic spared, long seed) {
    assertEquals(1, spared.rateRatio(), RATE_TOLERANCE, () -> spared + ", seed " + seed);
    if (Runtime.getRuntime().availableProcessors() >= CPUS_FOR_LATENCY) {
      assertTrue(spared.p99Ratio() <= MAX_P99_RATIO, () -> spared + ", seed " + seed);
    }
  }

  private static Span span(SteadyLoad load, double requests) {
    long from = System.nanoTime();
    awaitRequests(load, requests);
    return new Span(from, System.nanoTime());
  }

  private static Kill kill(int slot, long pid) {
    ProcessHandle replica = ProcessHandle.of(pid).orElseThrow();
    long nanos = System.nanoTime();
    replica.destroyForcibly();
    replica.onExit().join();
    return new Kill(slot, pid, nanos, System.nanoTime());
  }

  /**
   * Whether a request failed because its replica was killed: its connection led there, or had no
   * response yet that would show it, and was opened before the replica had ended.
   */
  private static boolean explains(Kill kill, Request wrong) {
    return wrong.endedNanos() >= kill.nanos()
        && wrong.openedNanos() <= kill.deadNanos()
        && wrong.endedNanos() <= kill.deadNanos() + SparedTraffic.AFTERMATH.toNanos()
        && (wrong.slot() == kill.slot() || wrong.slot() < 0);
  }

  private static void report(
      List<Request> requests, List<Kill> killed, SparedTraffic spared, double perSecond) {
    List<Request> wrong = requests.stream().filter(each -> !each.right()).toList();
    long unknown = wrong.stream().filter(each -> each.slot() < 0).count();
    System.out.printf(
        "%d kills, %d requests at %.0f/s, lost: %d on connections of the killed replica, %d on"
            + " connections opened before its end that had no answer yet%n%s%n",
        killed.size(), requests.size(), perSecond, wrong.size() - unknown, unknown, spared);
  }

  /** Responses per second of clients that send the next request as soon as they have a response. */
  private static double capacity(ServedEngine engine, long seed) {
    try (SteadyLoad load = load(engine, Double.POSITIVE_INFINITY, seed)) {
      awaitRequests(load, WARM_UP_REQUESTS);
      long begunNs = System.nanoTime();
      long before = load.count();
      awaitRequests(load, WARM_UP_REQUESTS);
      double perSecond = (load.count() - before) * 1e9 / (System.nanoTime() - begunNs);
      System.out.printf("capacity %.0f/s with %d clients%n", perSecond, CLIENTS);
      return perSecond;
    }
  }

  private void restartInTurn(int rolls) throws Exception {
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    try (ServedEngine engine = start()) {
      awaitServing(engine, 2);
      deploy(engine);
      List<Request> requests;
      try (SteadyLoad load = load(engine, STARTS_PER_SECOND, seed)) {
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
        requests = load.end();
      }
      long refused = requests.stream().filter(each -> each.status() == 503).count();
      long unread = requests.stream().filter(each -> each.status() == 0).count();
      System.out.printf(
          "%d rolls, %d requests, %d refused, %d connections closed before an answer%n",
          rolls, requests.size(), refused, unread);
      assertEquals(
          List.of(),
          requests.stream()
              .filter(each -> !each.right() && !(each.status() == 503 && each.retryAfter()))
              .toList(),
          () -> "failed, seed " + seed);
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

  private static void deploy(ServedEngine engine) throws IOException {
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
  }

  private static SteadyLoad load(ServedEngine engine, double perSecond, long seed) {
    return SteadyLoad.begin(instances(engine), 2, CLIENTS, perSecond, seed);
  }

  private static URI instances(ServedEngine engine) {
    return engine.uri().resolve("/v1/namespaces/test/definitions/steady/instances");
  }

  private static void awaitRequests(SteadyLoad load, double more) {
    double enough = load.count() + more;
    await().atMost(PATIENCE).until(() -> load.count() >= enough);
  }

  private static void awaitServing(ServedEngine engine, int replicas) {
    await().atMost(PATIENCE).until(() -> serving(engine) == replicas);
  }

  private static JsonNode replicas(ServedEngine engine) throws IOException {
    return engine.replicaStates();
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

  /**
   * Waits until neither the parent nor a replica has additional descriptors open; no client is
   * left.
   */
  private static void awaitFewDescriptors(ServedEngine engine, long ofParent, long ofReplica)
      throws IOException {
    List<Long> replicas = pids(engine);
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              assertTrue(descriptors(engine.parent().pid()) <= ofParent, "parent");
              for (long pid : replicas) {
                assertTrue(descriptors(pid) <= ofReplica, "replica " + pid);
              }
            });
  }

  /** Open file descriptors of a process. */
  private static long descriptors(long pid) throws IOException {
    try (Stream<Path> each = Files.list(Path.of("/proc", Long.toString(pid), "fd"))) {
      return each.count();
    }
  }
}
