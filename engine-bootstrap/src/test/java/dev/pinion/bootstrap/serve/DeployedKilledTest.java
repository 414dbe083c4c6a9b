package dev.pinion.bootstrap.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.bootstrap.serve.KillableEngine.Victim;
import dev.pinion.bootstrap.serve.ServedEngine.Answer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Field fault 10: one of two replicas is killed under load and restarts, and more is deployed
 * meanwhile: no response says that a deployed definition does not exist.
 */
@EnabledOnOs(OS.LINUX)
@Tag("long")
class DeployedKilledTest {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final int ROUNDS = 4;
  private static final int CLIENTS = 6;

  /** Definitions deployed in each round, and starts answered after each kill. */
  private static final int EACH_ROUND = 5;

  private static final int ENOUGH = 300;
  private static final String DEFINITIONS = "/v1/namespaces/test/definitions";
  private static final String JSON = "application/json";

  @TempDir private Path data;

  private final List<String> deployed = new CopyOnWriteArrayList<>();
  private final List<String> wrong = new CopyOnWriteArrayList<>();
  private final Map<Integer, Integer> answers = new ConcurrentSkipListMap<>();
  private final AtomicInteger served = new AtomicInteger();
  private final AtomicBoolean enough = new AtomicBoolean();

  @ParameterizedTest
  @ValueSource(strings = {"handover", "reuseport", "round-robin", "least-loaded"})
  void shouldNeverDenyADeployedDefinition(String dispatch) throws Exception {
    long seed = Long.getLong("pinion.seed", System.nanoTime());
    System.out.println("seed " + seed);
    try (KillableEngine engine = new KillableEngine(data, "--dispatch", dispatch);
        ExecutorService threads = Executors.newFixedThreadPool(CLIENTS)) {
      deploy(engine, EACH_ROUND);
      List<Future<?>> clients = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        Random random = new Random(seed + i);
        clients.add(threads.submit(() -> ask(engine, random)));
      }
      for (int round = 0; round < ROUNDS; round++) {
        engine.awaitReady(KillableEngine.REPLICAS);
        awaitServed(served.get() + ENOUGH);
        engine.kill(round % 2 == 0 ? Victim.FIRST : Victim.SECOND, () -> {});
        deploy(engine, EACH_ROUND);
        awaitServed(served.get() + ENOUGH);
      }
      engine.awaitReady(KillableEngine.REPLICAS);
      awaitServed(served.get() + ENOUGH);
      enough.set(true);
      for (Future<?> client : clients) {
        client.get();
      }
    }
    System.out.printf("%s: %d kills, answers by status: %s%n", dispatch, ROUNDS, answers);
    assertEquals(List.of(), wrong);
  }

  private void awaitServed(int goal) {
    Awaitility.await().atMost(PATIENCE).until(() -> served.get() >= goal || !wrong.isEmpty());
  }

  /** Deploys further definitions, each repeatedly until it is acknowledged. */
  private void deploy(KillableEngine engine, int count) {
    for (int i = 0; i < count; i++) {
      String name = "d" + deployed.size();
      Awaitility.await().atMost(PATIENCE).until(() -> isDeployed(engine.get(), name));
      deployed.add(name);
    }
  }

  private static boolean isDeployed(ServedEngine engine, String name) {
    String document =
        """
        document: {dsl: 1.0.3, namespace: test, name: %s, version: 1.0.0}
        do:
          - t: {set: {n: 1}}
        """
            .formatted(name);
    try {
      Answer answer = engine.post("/v1/definitions", "application/yaml", document);
      assertTrue(List.of(200, 201, 503).contains(answer.status()), answer.body());
      return answer.status() != 503;
    } catch (IOException e) {
      return false; // killed meanwhile
    }
  }

  /** A client that starts deployed definitions, over separate connections, and reads them. */
  private void ask(KillableEngine engine, Random random) {
    while (!enough.get()) {
      String definition = DEFINITIONS + "/" + deployed.get(random.nextInt(deployed.size()));
      URI base = engine.get().uri();
      try {
        if (random.nextInt(4) == 0) {
          heard(ServedEngine.ask("GET", base.resolve(definition + "/versions/1.0.0"), null));
        } else {
          URI starts = base.resolve(definition + "/instances");
          heard(ServedEngine.ask("POST", starts, "{}", "Content-Type", JSON));
        }
      } catch (IOException e) {
        answers.merge(0, 1, Integer::sum); // killed meanwhile
      }
    }
  }

  private void heard(Answer answer) {
    answers.merge(answer.status(), 1, Integer::sum);
    boolean later = answer.status() == 503 && !answer.field("retry-after").isEmpty();
    if (answer.status() == 200) {
      served.incrementAndGet();
    } else if (!later) {
      wrong.add(answer.toString());
    }
  }
}
