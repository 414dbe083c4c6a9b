package dev.pinion.bootstrap.serve;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.bootstrap.serve.KillableEngine.Victim;
import dev.pinion.bootstrap.serve.ServedEngine.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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
 * External events sent to two replicas that are killed: acknowledged ones are in the tables of
 * both, each event once.
 */
@EnabledOnOs(OS.LINUX)
class EventsServedTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int SUBJECTS = 4;
  private static final List<Victim> VICTIMS = List.of(Victim.values());
  private static final String EVENTS = "/v1/namespaces/shop/events";
  private static final String STARTS = "/v1/namespaces/shop/definitions/look/instances";

  private static final String CHAINS =
      """
      chains:
      - name: customers
        at: request-in
        definition: shop/look
        handlers:
        - use: enrich
          settings:
            key: /input/id
            target: /input/row
            table: {events: {namespace: shop, type: customer.changed}}
      """;

  private static final String DEFINITION =
      """
      document: {dsl: 1.0.3, namespace: shop, name: look, version: 1.0.0}
      do:
        - look: {set: '${ . }'}
      """;

  @TempDir private Path data;
  @TempDir private Path chains;
  private final AtomicBoolean enough = new AtomicBoolean();
  private final AtomicInteger acknowledged = new AtomicInteger();
  private final AtomicInteger repeated = new AtomicInteger();
  private final int[] last = new int[SUBJECTS];

  @Test
  void shouldLoseNoEventThatWasAcknowledged() throws Exception {
    run(List.of(Victim.BOTH), 20);
  }

  @Test
  @Tag("long")
  void shouldLoseNoEventOverManyKills() throws Exception {
    List<Victim> victims = new ArrayList<>();
    for (int i = 0; i < 24; i++) {
      victims.add(VICTIMS.get(i % VICTIMS.size()));
    }
    run(victims, 100);
  }

  /**
   * @param between events acknowledged between two kills
   */
  private void run(List<Victim> victims, int between) throws Exception {
    Files.writeString(chains.resolve("chains.yaml"), CHAINS);
    try (KillableEngine engine = new KillableEngine(data, "--handlers", chains.toString());
        ExecutorService clients = Executors.newFixedThreadPool(SUBJECTS)) {
      Answer deployed = engine.get().post("/v1/definitions", "application/yaml", DEFINITION);
      assertEquals(201, deployed.status(), deployed.body());
      List<Future<?>> under = new ArrayList<>();
      for (int subject = 0; subject < SUBJECTS; subject++) {
        int mine = subject;
        under.add(clients.submit(() -> postInTurn(engine, mine)));
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
      engine.awaitReady(KillableEngine.REPLICAS);
      for (int subject = 0; subject < SUBJECTS; subject++) {
        int mine = subject;
        for (int connection = 0; connection < 2 * KillableEngine.REPLICAS; connection++) {
          await().atMost(PATIENCE).until(() -> row(engine.get(), mine) == last[mine]);
        }
      }
    }
    System.out.printf(
        "%d kills, %d events acknowledged, %d of them were known already%n",
        victims.size(), acknowledged.get(), repeated.get());
  }

  private void awaitAcknowledged(int goal) {
    await()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(1))
        .atMost(PATIENCE)
        .until(() -> acknowledged.get() >= goal);
  }

  /** A client repeats an event, over another connection, until it is acknowledged. */
  private void postInTurn(KillableEngine engine, int subject) {
    while (!enough.get()) {
      int n = last[subject] + 1;
      await()
          .pollDelay(Duration.ZERO)
          .pollInterval(Duration.ofMillis(20))
          .atMost(PATIENCE)
          .until(() -> isAcknowledged(engine, subject, n));
      last[subject] = n;
      acknowledged.incrementAndGet();
    }
  }

  private boolean isAcknowledged(KillableEngine engine, int subject, int n) {
    String event =
        String.format(
            Locale.ROOT,
            """
            {"specversion":"1.0","source":"/crm","id":"%d-%d","type":"customer.changed",
             "subject":"%d","data":{"n":%d}}\
            """,
            subject,
            n,
            subject,
            n);
    try {
      Answer answer = engine.get().post(EVENTS, "application/cloudevents+json", event);
      assertTrue(List.of(202, 503).contains(answer.status()), answer.body());
      if (answer.status() == 202) {
        repeated.addAndGet(answer.json().path("repeated").asInt());
      }
      return answer.status() == 202;
    } catch (IOException e) {
      return false;
    }
  }

  /** Row of a subject in a replica; the connection decides which one. */
  private static int row(ServedEngine engine, int subject) throws IOException {
    Answer answer =
        engine.post(STARTS, "application/json", "{\"input\":{\"id\":\"" + subject + "\"}}");
    assertEquals(200, answer.status(), answer.body());
    JsonNode output = answer.json().path("output");
    return output.path("row").path("n").asInt(-1);
  }
}
