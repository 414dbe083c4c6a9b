package dev.pinion.bootstrap.serve;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pinion.bootstrap.serve.CallLog.Call;
import dev.pinion.bootstrap.serve.KillableEngine.Victim;
import dev.pinion.bootstrap.serve.ServedEngine.Answer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Instances of one ordering key call a service in the order in which their starts were
 * acknowledged, over two replicas that are killed. Every second one first evaluates its input on
 * another thread, so the next one would overtake it if it could.
 */
@EnabledOnOs(OS.LINUX)
class OrderedStartsKilledTest {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final List<Victim> VICTIMS = List.of(Victim.values());
  private static final int KEYS = 4;
  private static final int CLIENTS_FOR_EACH = 2;

  /** The key comes with each start. */
  private static final String WITH_KEY = "with-key";

  /** The definition derives the key from the input. */
  private static final String BY_INPUT = "by-input";

  /** One connection for each kernel, so that the service sees its calls in order. */
  private static final String[] OPTIONS = {
    "--dispatch", "round-robin", "--set", "invoker.maxConnectionsPerService=1"
  };

  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path data;

  private final AtomicBoolean enough = new AtomicBoolean();
  private final AtomicInteger acknowledged = new AtomicInteger();
  private final Line[] lines = new Line[KEYS];

  /** Starts of two clients in turn. */
  private static final class Line {
    private int last;
  }

  @Test
  @Tag("long")
  void shouldCallInOrderAlthoughReplicasAreKilled() throws Exception {
    run(List.of(Victim.FIRST), 40);
  }

  @Test
  @Tag("long")
  void shouldCallInOrderOverManyKills() throws Exception {
    List<Victim> victims = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      victims.add(VICTIMS.get(i % VICTIMS.size()));
    }
    run(victims, 200);
  }

  /**
   * @param between starts acknowledged between two kills
   */
  private void run(List<Victim> victims, int between) throws Exception {
    try (CallLog services = new CallLog(1);
        KillableEngine engine = new KillableEngine(data, OPTIONS);
        ExecutorService clients = Executors.newFixedThreadPool(KEYS * CLIENTS_FOR_EACH)) {
      deploy(engine.get(), services, WITH_KEY, "");
      deploy(
          engine.get(),
          services,
          BY_INPUT,
          ", metadata: {pinion: {orderingKey: '${ \"account-\" + (.key | tostring) }'}}");
      List<Future<?>> under = new ArrayList<>();
      for (int key = 0; key < KEYS; key++) {
        lines[key] = new Line();
        for (int i = 0; i < CLIENTS_FOR_EACH; i++) {
          int mine = key;
          under.add(clients.submit(() -> startInTurn(engine, mine)));
        }
      }
      for (Victim victim : victims) {
        int goal = acknowledged.get() + between;
        engine.awaitReady(KillableEngine.REPLICAS);
        engine.kill(victim, () -> awaitAcknowledged(goal));
      }
      awaitAcknowledged(acknowledged.get() + between);
      enough.set(true);
      for (Future<?> each : under) {
        each.get();
      }
      check(services);
    }
    System.out.printf(
        "%d kills, %d starts with %d keys acknowledged, each called in order%n",
        victims.size(), acknowledged.get(), KEYS);
  }

  private void awaitAcknowledged(int goal) {
    await()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(1))
        .atMost(PATIENCE)
        .until(() -> acknowledged.get() >= goal);
  }

  private static void deploy(ServedEngine engine, CallLog services, String name, String metadata)
      throws IOException {
    String document =
        """
        document: {dsl: 1.0.3, namespace: test, name: %s, version: 1.0.0%s}
        input:
          from: '${ if .n %% 2 == 1 then {n: .n, key: .key, sum: ([range(30000)] | add)} else . end }'
        do:
          - call: {call: http, with: {method: post, endpoint: %s/first, body: {n: '${ .n }', key: '${ .key }'}}}
        """
            .formatted(name, metadata, services.url());
    Answer deployed = engine.post("/v1/definitions", "application/yaml", document);
    assertEquals(201, deployed.status(), deployed.body());
  }

  /**
   * A client sends its start after the acknowledgement of the previous one, over another
   * connection.
   */
  private void startInTurn(KillableEngine engine, int key) {
    while (!enough.get()) {
      synchronized (lines[key]) {
        int n = ++lines[key].last;
        await()
            .pollDelay(Duration.ZERO)
            .pollInterval(Duration.ofMillis(20))
            .atMost(PATIENCE)
            .until(() -> isAcknowledged(engine, key, n));
        acknowledged.incrementAndGet();
      }
    }
  }

  private static boolean isAcknowledged(KillableEngine engine, int key, int n) {
    boolean byInput = key % 2 == 1;
    String starts =
        "/v1/namespaces/test/definitions/" + (byInput ? BY_INPUT : WITH_KEY) + "/instances";
    String given = byInput ? "" : ",\"orderingKey\":\"account-" + key + "\"";
    try {
      Answer answer =
          ServedEngine.ask(
              "POST",
              engine.get().uri().resolve(starts),
              String.format(Locale.ROOT, "{\"input\":{\"n\":%d,\"key\":%d}%s}", n, key, given),
              "Content-Type",
              "application/json",
              "Idempotency-Key",
              "\"" + key + "-" + n + "\"",
              "Prefer",
              "respond-async");
      boolean unknown = answer.status() == 503;
      assertTrue(unknown || Set.of(200, 202, 409).contains(answer.status()), answer.body());
      return !unknown;
    } catch (IOException e) {
      return false;
    }
  }

  /** Checks the order by the first call of each start. */
  private void check(CallLog services) throws IOException {
    await().atMost(PATIENCE).until(() -> firstCalls(services).size() >= acknowledged.get());
    List<List<Integer>> called = new ArrayList<>();
    for (int key = 0; key < KEYS; key++) {
      called.add(new ArrayList<>());
    }
    for (Call call : firstCalls(services).values()) {
      var body = JSON.readTree(call.body());
      called.get(body.path("key").asInt()).add(body.path("n").asInt());
    }
    for (int key = 0; key < KEYS; key++) {
      List<Integer> expected = new ArrayList<>();
      for (int n = 1; n <= lines[key].last; n++) {
        expected.add(n);
      }
      assertEquals(expected, called.get(key), "order of the calls of key " + key);
    }
  }

  /** The first call of each start, in order of arrival. */
  private static Map<Long, Call> firstCalls(CallLog services) {
    Map<String, Call> byStart = new TreeMap<>();
    for (Call call : services.calls()) {
      byStart.merge(call.body(), call, (a, b) -> a.answer() < b.answer() ? a : b);
    }
    Map<Long, Call> byArrival = new TreeMap<>();
    byStart.values().forEach(call -> byArrival.put(call.answer(), call));
    return byArrival;
  }
}
