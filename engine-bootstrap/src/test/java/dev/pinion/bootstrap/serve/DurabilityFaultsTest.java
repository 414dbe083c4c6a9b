package dev.pinion.bootstrap.serve;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.bootstrap.serve.CallLog.Call;
import dev.pinion.bootstrap.serve.ServedEngine.Answer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Engines that are killed while instances are under way: what was acknowledged goes on, by the
 * clients' notes against the services'.
 *
 * <pre>
 *   clients ── starts ──▶ engine ✗ ── first call ── wait ── second call ──▶ services
 * </pre>
 */
@EnabledOnOs(OS.LINUX)
class DurabilityFaultsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final int CLIENTS = 4;

  /** How long an instance sleeps between its calls. */
  private static final long SLEEP_MILLIS = 1_500;

  /** Instances under way at each kill, at least. */
  private static final int LEAST_LIVE = 50;

  /** Kills of the long run. */
  private static final int KILLS = Integer.getInteger("pinion.kills", 100);

  @TempDir private Path data;

  private final Queue<Acknowledged> acknowledged = new ConcurrentLinkedQueue<>();
  private final AtomicReference<ServedEngine> engine = new AtomicReference<>();
  private final AtomicInteger lastStart = new AtomicInteger();
  private final AtomicInteger unanswered = new AtomicInteger();

  /**
   * A start that was answered.
   *
   * @param number in its input and its key
   * @param id the instance
   * @param nanos when
   */
  private record Acknowledged(int number, String id, long nanos) {}

  @Test
  void shouldLoseNothingThatWasAcknowledgedWhenItIsKilled() throws Exception {
    killAtRandom(3);
  }

  @Test
  @Tag("long")
  void shouldLoseNothingThatWasAcknowledgedHoweverOftenItIsKilled() throws Exception {
    killAtRandom(KILLS);
  }

  private void killAtRandom(int kills) throws Exception {
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    int live = 0;
    try (CallLog services = new CallLog()) {
      engine.set(start());
      try {
        deploy(services);
        AtomicBoolean over = new AtomicBoolean();
        try (ExecutorService clients = Executors.newFixedThreadPool(CLIENTS)) {
          for (int i = 0; i < CLIENTS; i++) {
            clients.execute(() -> startUntil(over));
          }
          for (int i = 0; i < kills; i++) {
            int before = acknowledged.size();
            int more = 100 + random.nextInt(100);
            await()
                .pollInterval(Duration.ofMillis(20))
                .atMost(PATIENCE)
                .until(() -> acknowledged.size() >= before + more && asleep() > LEAST_LIVE);
            live += asleep();
            kill(random.nextInt(4));
          }
          over.set(true);
          clients.shutdown();
          assertTrue(clients.awaitTermination(PATIENCE.toSeconds(), TimeUnit.SECONDS));
        }
        check(services, kills, live);
      } finally {
        engine.get().close();
      }
    }
  }

  private ServedEngine start() throws IOException {
    return ServedEngine.start(
        data,
        "--replicas",
        "2",
        "--restart-window",
        "1",
        "--set",
        "kernel.maxEnded=1000000,kernel.maxEndedBytes=1000000000,journal.snapshotLogBytes=200000,"
            + "journal.closeLogBytes=10000");
  }

  private void deploy(CallLog services) throws IOException {
    String document =
        """
        document: {dsl: 1.0.3, namespace: test, name: slow, version: 1.0.0}
        do:
          - first: {call: http, with: {method: post, endpoint: %1$s/first, body: {n: '${ .n }'}}}
          - sleep: {wait: {milliseconds: %2$d}}
          - second:
              call: http
              with: {method: post, endpoint: %1$s/second, body: {first: '${ .number }'}}
          - end: {set: {second: '${ .number }'}}
        """
            .formatted(services.url(), SLEEP_MILLIS);
    Answer deployed = engine.get().post("/v1/definitions", "application/yaml", document);
    assertEquals(201, deployed.status(), deployed.body());
  }

  /** Starts instances, each under a key and again until it is answered. */
  private void startUntil(AtomicBoolean over) {
    while (!over.get()) {
      int number = lastStart.incrementAndGet();
      await()
          .pollDelay(Duration.ZERO)
          .pollInterval(Duration.ofMillis(20))
          .atMost(PATIENCE)
          .until(() -> isStarted(number));
    }
  }

  /** Whether a start was acknowledged: as begun, or as begun by an attempt without an answer. */
  private boolean isStarted(int number) {
    try {
      Answer answer =
          ServedEngine.ask(
              "POST",
              engine.get().uri().resolve("/v1/namespaces/test/definitions/slow/instances"),
              "{\"input\":{\"n\":" + number + "}}",
              "Content-Type",
              "application/json",
              "Idempotency-Key",
              "\"start-" + number + "\"",
              "Prefer",
              "respond-async");
      boolean known = answer.status() == 202 || answer.status() == 409;
      assertTrue(known || answer.status() == 503, answer.body());
      if (known) {
        String id = answer.json().path("id").asText();
        acknowledged.add(new Acknowledged(number, id, System.nanoTime()));
      }
      return known;
    } catch (IOException e) {
      unanswered.incrementAndGet();
      return false;
    }
  }

  /** Instances that were acknowledged so lately that they sleep still. */
  private int asleep() {
    long since = System.nanoTime() - TimeUnit.MILLISECONDS.toNanos(SLEEP_MILLIS);
    return (int) acknowledged.stream().filter(each -> each.nanos() > since).count();
  }

  /** Kills one of the replicas, both, or the parent. */
  private void kill(int which) throws IOException {
    ServedEngine killed = engine.get();
    List<ProcessHandle> replicas = killed.replicas();
    if (which < 3) {
      List<ProcessHandle> chosen =
          which < replicas.size() ? List.of(replicas.get(which)) : replicas;
      chosen.forEach(ProcessHandle::destroyForcibly);
      chosen.forEach(replica -> replica.onExit().join());
      return;
    }
    killed.parent().destroyForcibly();
    killed.parent().onExit().join();
    replicas.forEach(replica -> replica.onExit().join()); // they see the end of their input
    engine.set(start());
  }

  private void check(CallLog services, int kills, int live) throws Exception {
    List<String> lost = new ArrayList<>();
    Map<String, JsonNode> ends = new HashMap<>();
    for (Acknowledged each : acknowledged) {
      String id = each.id();
      await()
          .atMost(PATIENCE)
          .pollDelay(Duration.ZERO)
          .ignoreExceptionsInstanceOf(IOException.class)
          .until(
              () -> {
                Answer shown = engine.get().get("/v1/instances/" + id);
                if (shown.status() == 404) {
                  lost.add(id);
                  return true;
                }
                ends.put(id, shown.json());
                return shown.status() == 200
                    && !List.of("RUNNING", "WAITING").contains(shown.json().path("state").asText());
              });
    }
    assertEquals(List.of(), lost, "acknowledged and lost");
    List<Call> calls = services.calls();
    Map<String, List<Call>> byKey = new HashMap<>();
    calls.forEach(call -> byKey.computeIfAbsent(call.key(), key -> new ArrayList<>()).add(call));
    checkStarts(calls);
    Map<Long, Call> byAnswer = new HashMap<>();
    calls.forEach(call -> byAnswer.put(call.answer(), call));
    int repeated = 0;
    for (List<Call> same : byKey.values()) {
      repeated += same.size() - 1;
      for (int i = 1; i < same.size(); i++) {
        assertTrue(same.get(i).attempt() > same.get(i - 1).attempt(), "attempts of " + same);
        assertEquals(same.getFirst().body(), same.get(i).body(), "the same call");
      }
    }
    for (Call second : calls) {
      if (second.path().equals("/second")) {
        checkSecond(second, byAnswer, byKey);
      }
    }
    int failed = 0;
    for (Map.Entry<String, JsonNode> end : ends.entrySet()) {
      if (isFailedCall(end.getValue())) {
        failed++;
        continue;
      }
      assertEquals("COMPLETED", end.getValue().path("state").asText(), end.toString());
      long answer = end.getValue().path("output").path("second").asLong();
      Call second = Objects.requireNonNull(byAnswer.get(answer), end.toString());
      assertTrue(second.key().contains(end.getKey()), "its own second call");
    }
    System.out.printf(
        "%d kills with %d instances asleep, %d acknowledged, %d without an answer;"
            + " %d calls, %d of them repeated; none lost, %d ended by a call that failed%n",
        kills, live, acknowledged.size(), unanswered.get(), calls.size(), repeated, failed);
    assertTrue(failed <= acknowledged.size() / 50, "ended by calls that failed: " + failed);
    assertTrue(live > LEAST_LIVE * kills, "instances asleep at kills: " + live);
  }

  /** Each key began one instance: the one whose id its client was told. */
  private void checkStarts(List<Call> calls) {
    Map<Integer, String> ids = new HashMap<>();
    acknowledged.forEach(each -> ids.put(each.number(), each.id()));
    assertEquals(lastStart.get(), ids.size(), "starts that were acknowledged");
    for (Call first : calls) {
      if (first.path().equals("/first")) {
        int number = Integer.parseInt(first.body().replaceAll("\\D", ""));
        String told = String.valueOf(ids.get(number));
        assertTrue(first.key().contains(told), () -> told + " was told, found " + first);
      }
    }
  }

  /** The services' server may close a connection under a call; that too is an end. */
  private static boolean isFailedCall(JsonNode end) {
    return end.path("state").asText().equals("FAULTED")
        && end.path("error").path("type").asText().endsWith("/communication");
  }

  /**
   * A second call shows the answer of the first to others: from then on the first is not made
   * again. And it does not come before the sleep is over.
   */
  private static void checkSecond(
      Call second, Map<Long, Call> byAnswer, Map<String, List<Call>> byKey) {
    String text = second.body();
    long number = Long.parseLong(text.replaceAll("\\D", ""));
    Call first = Objects.requireNonNull(byAnswer.get(number), "whose answer is " + text);
    assertEquals("/first", first.path());
    long slept = TimeUnit.NANOSECONDS.toMillis(second.nanos() - first.nanos());
    assertTrue(slept >= SLEEP_MILLIS, "early: " + slept + " ms, " + second);
    for (Call again : byKey.getOrDefault(first.key(), List.of())) {
      assertTrue(
          again.nanos() <= second.nanos(), "made again although its answer was visible: " + again);
    }
  }
}
