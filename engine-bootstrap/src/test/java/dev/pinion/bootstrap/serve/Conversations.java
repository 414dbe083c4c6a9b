package dev.pinion.bootstrap.serve;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.bootstrap.serve.ServedEngine.Answer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Instances that talk by events during faults of the engine, with each other and with clients; at
 * the end each has heard every event that was meant for it once.
 *
 * <pre>
 *   client ── start ──▶ talk ── asked ──▶ answerer
 *     └─────── go ───▶  talk ◀─ answered ────┘
 *                       talk ── told ───▶ collector
 * </pre>
 */
final class Conversations implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final Duration RETRY = Duration.ofMillis(20);
  private static final int CLIENTS = 8;

  /** Conversations that a client has under way. */
  private static final int TOGETHER = 4;

  private static final String TALK =
      """
      document: {dsl: 1.0.3, namespace: test, name: talk, version: 1.0.0}
      do:
        - both:
            fork:
              branches:
                - ask: {emit: {event: {with: {type: asked, data: {n: '${ .n }'}}}}}
                - answer:
                    listen:
                      to:
                        one:
                          with: {type: answered}
                          correlate: {n: {from: .data.n, expect: .n}}
                - go:
                    listen:
                      to:
                        one:
                          with: {type: go, data: '${ .n == $input.n }'}
        - tell:
            emit: {event: {with: {type: told, data: {n: '${ .[1][0].n }'}}}}
            output: {as: '${ $input[1] + $input[2] }'}
      """;

  private static final String ANSWERER =
      """
      document: {dsl: 1.0.3, namespace: test, name: answerer, version: 1.0.0}
      do:
        - answers:
            listen: {to: {any: [{with: {type: asked}}], until: {one: {with: {type: stop}}}}}
            foreach:
              item: asked
              do:
                - answer: {emit: {event: {with: {type: answered, data: {n: '${ $asked.n }'}}}}}
            output: {as: '${ length }'}
      """;

  private static final String COLLECTOR =
      """
      document: {dsl: 1.0.3, namespace: test, name: collector, version: 1.0.0}
      do:
        - collect:
            listen: {to: {any: [{with: {type: told}}], until: {one: {with: {type: stop}}}}}
            output: {as: '${ map(.n) }'}
      """;

  private final Supplier<ServedEngine> engine;
  private final ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
  private final AtomicInteger lastNumber = new AtomicInteger();
  private final AtomicInteger ended = new AtomicInteger();
  private final AtomicInteger repeated = new AtomicInteger();
  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
  private final String answerer;
  private final String collector;
  private volatile boolean over;

  /** Deploys the definitions and has those listen who listen to all. */
  Conversations(Supplier<ServedEngine> engine) throws IOException {
    this.engine = engine;
    for (String document : List.of(TALK, ANSWERER, COLLECTOR)) {
      Answer deployed = engine.get().post("/v1/definitions", "application/yaml", document);
      assertEquals(201, deployed.status(), deployed.body());
    }
    this.answerer = start("answerer", 0);
    this.collector = start("collector", 0);
  }

  /** Lets clients begin conversations. */
  void begin() {
    for (int i = 0; i < CLIENTS; i++) {
      clients.execute(
          () -> {
            try {
              while (!over) {
                converse();
              }
            } catch (Throwable e) {
              failures.add(e);
            }
          });
    }
  }

  private void converse() {
    int first = lastNumber.getAndAdd(TOGETHER) + 1;
    List<String> ids = new ArrayList<>();
    for (int n = first; n < first + TOGETHER; n++) {
      ids.add(start("talk", n));
    }
    for (int n = first; n < first + TOGETHER; n++) {
      post("go", n);
    }
    for (int n = first; n < first + TOGETHER; n++) {
      String one = "{\"n\":" + n + "}";
      assertEquals("[" + one + "," + one + "]", output(ids.get(n - first)).toString());
      ended.incrementAndGet();
    }
  }

  private String start(String name, int n) {
    String[] id = new String[1];
    await()
        .pollDelay(Duration.ZERO)
        .pollInterval(RETRY)
        .atMost(PATIENCE)
        .ignoreExceptionsInstanceOf(IOException.class)
        .until(
            () -> {
              Answer answer =
                  ServedEngine.ask(
                      "POST",
                      engine
                          .get()
                          .uri()
                          .resolve("/v1/namespaces/test/definitions/" + name + "/instances"),
                      "{\"input\":{\"n\":" + n + "}}",
                      "Content-Type",
                      "application/json",
                      "Idempotency-Key",
                      "\"" + name + "-" + n + "\"",
                      "Prefer",
                      "respond-async");
              assertTrue(List.of(202, 409, 503).contains(answer.status()), answer.body());
              id[0] = answer.json().path("id").asText();
              return answer.status() != 503;
            });
    return id[0];
  }

  /** Repeats an event until it is acknowledged. */
  private void post(String type, int n) {
    String event =
        """
        {"specversion":"1.0","source":"/client","id":"%1$s-%2$d","type":"%1$s","data":{"n":%2$d}}\
        """
            .formatted(type, n);
    await()
        .pollDelay(Duration.ZERO)
        .pollInterval(RETRY)
        .atMost(PATIENCE)
        .ignoreExceptionsInstanceOf(IOException.class)
        .until(
            () -> {
              Answer answer =
                  engine
                      .get()
                      .post("/v1/namespaces/test/events", "application/cloudevents+json", event);
              assertTrue(List.of(202, 503).contains(answer.status()), answer.body());
              repeated.addAndGet(answer.json().path("repeated").asInt());
              return answer.status() == 202;
            });
  }

  /** The output of an instance as soon as it has ended. */
  private JsonNode output(String id) {
    JsonNode[] shown = new JsonNode[1];
    await()
        .pollDelay(Duration.ZERO)
        .pollInterval(RETRY)
        .atMost(PATIENCE)
        .ignoreExceptionsInstanceOf(IOException.class)
        .until(
            () -> {
              Answer answer = engine.get().get("/v1/instances/" + id);
              shown[0] = answer.json();
              String state = shown[0].path("state").asText();
              return answer.status() != 503 && !List.of("RUNNING", "WAITING").contains(state);
            });
    assertEquals("COMPLETED", shown[0].path("state").asText(), shown[0]::toString);
    return shown[0].path("output");
  }

  /** Waits until so many more conversations have ended. */
  void awaitEnded(int more) {
    int goal = ended.get() + more;
    await()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(5))
        .atMost(PATIENCE)
        .until(() -> ended.get() >= goal || !failures.isEmpty());
    assertTrue(failures.isEmpty(), failures::toString);
  }

  /** Ends all conversations and checks what those heard who listened to all. */
  void check() throws InterruptedException {
    over = true;
    clients.shutdown();
    assertTrue(clients.awaitTermination(2 * PATIENCE.toSeconds(), TimeUnit.SECONDS), "clients");
    assertTrue(failures.isEmpty(), failures::toString);
    post("stop", 0);
    assertEquals(ended.get(), output(answerer).asInt(), "questions heard");
    List<Integer> told = new ArrayList<>();
    output(collector).forEach(n -> told.add(n.asInt()));
    told.sort(null);
    assertEquals(
        IntStream.rangeClosed(1, lastNumber.get()).boxed().toList(), told, "each told once");
    System.out.printf(
        "%d conversations of %d events each, %d events of clients repeated%n",
        ended.get(), 4, repeated.get());
  }

  @Override
  public void close() {
    over = true;
    clients.shutdownNow();
  }
}
