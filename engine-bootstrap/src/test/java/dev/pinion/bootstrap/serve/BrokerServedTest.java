package dev.pinion.bootstrap.serve;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import dev.pinion.broker.registry.BrokerFolder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * A broker in a separate process beside two replicas, killed, stopped, and with a damaged table,
 * while clients start instances and contracts change.
 */
@EnabledOnOs(OS.LINUX)
class BrokerServedTest {
  private static final String DEFINITION =
      """
      document: { dsl: '1.0.0', namespace: test, name: flies, version: '1.0.0' }
      do:
        - ask:
            call: http
            with: { method: post, endpoint: 'svc://flights/search', body: { to: x } }
      """;
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long SEED = Long.getLong("pinion.seed", 4_711L);

  @TempDir private Path data;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Random random = new Random(SEED);
  private HttpServer services;

  @BeforeEach
  void startServices() throws IOException {
    services = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    services.setExecutor(threads);
    services.createContext(
        "/",
        exchange -> {
          byte[] body = "{\"ok\":true}".getBytes(StandardCharsets.UTF_8);
          exchange.getRequestBody().readAllBytes();
          exchange.getResponseHeaders().set("content-type", "application/json");
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    services.start();
  }

  @AfterEach
  void stopServices() {
    services.stop(0);
    threads.shutdownNow();
  }

  private static ServedEngine.Answer put(ServedEngine engine, String path, String body)
      throws IOException {
    return ServedEngine.ask(
        "PUT",
        engine.uri().resolve("/v1/broker/" + path),
        body,
        "Content-Type",
        "application/json");
  }

  private static void made(ServedEngine.Answer answer) {
    assertEquals(201, answer.status(), answer::toString);
  }

  private void register(ServedEngine engine) throws IOException {
    await().atMost(PATIENCE).until(() -> engine.get("/v1/broker/plan").status() == 200);
    for (String id : List.of("sky", "sea")) {
      made(
          put(
              engine,
              "services/" + id,
              String.format(
                  Locale.ROOT,
                  """
                  {"serves": ["flights"], "endpoint": "http://127.0.0.1:%d/%s", "idempotent": true,
                   "r": 0.1, "d": 0.99, "c": 1, "load": 100}\
                  """,
                  services.getAddress().getPort(),
                  id)));
    }
    made(put(engine, "model", "{\"process\": {\"type\": \"task\", \"task\": \"flights\"}}"));
    made(put(engine, "classes/std", "{\"r_max\": 0.5, \"price\": 5}"));
    made(put(engine, "slas/first", "{\"class\": \"std\", \"rate\": 10, \"user\": \"ann\"}"));
  }

  private static void refusesWhatNobodyServes(ServedEngine engine) throws IOException {
    ServedEngine.Answer refused =
        ServedEngine.ask(
            "POST",
            engine.uri().resolve("/v1/definitions"),
            DEFINITION,
            "Content-Type",
            "application/yaml");
    assertEquals(422, refused.status(), refused::toString);
    JsonNode problem = refused.json().path("errors").path(0);
    assertEquals("/do/0/ask/with/endpoint", problem.path("pointer").asText(), refused::toString);
    assertTrue(problem.path("detail").asText().contains("served are none"), refused::toString);
  }

  /** Only users with a contract are served. */
  private static void checkCallers(ServedEngine engine) throws IOException {
    assertEquals(401, start(engine).status());
    assertEquals(403, start(engine, "X-User", "eve").status());
    String started = start(engine, "X-User", "ann").body();
    assertTrue(started.contains("\"COMPLETED\""), started);
  }

  private static ServedEngine.Answer start(ServedEngine engine, String... fields)
      throws IOException {
    List<String> all = new ArrayList<>(List.of("Content-Type", "application/json"));
    all.addAll(List.of("Prefer", "wait=20"));
    all.addAll(List.of(fields));
    return ServedEngine.ask(
        "POST",
        engine.uri().resolve("/v1/namespaces/test/definitions/flies/instances"),
        "{}",
        all.toArray(String[]::new));
  }

  private static JsonNode broker(ServedEngine engine) throws IOException {
    return ServedEngine.ask("GET", engine.admin().resolve("/admin/v1/broker"), null).json();
  }

  private static void untilAllHave(ServedEngine engine, long version) {
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              for (JsonNode each : engine.replicaStates()) {
                if (each.path("lastBeat").path("bindingVersion").asLong() < version) {
                  return false;
                }
              }
              return true;
            });
  }

  @Test
  void shouldLoseNoRequestAndNoContractByWhatBecomesOfTheBroker() throws Exception {
    harm(1, true);
  }

  @Test
  @Tag("long")
  void shouldLoseNoRequestAndNoContractInManyRounds() throws Exception {
    harm(Integer.getInteger("pinion.rounds", 6), false);
  }

  /**
   * @param standby whether there is a standby broker
   */
  private void harm(int rounds, boolean standby) throws Exception {
    try (ServedEngine engine =
        ServedEngine.start(
            data,
            "--replicas",
            "sosoa:2:1",
            "--broker",
            "on",
            "--broker-standby",
            Boolean.toString(standby),
            "--broker-callers",
            "contract-only",
            "--broker-caller-header",
            "X-User",
            "--broker-unserved",
            "refuse")) {
      refusesWhatNobodyServes(engine);
      register(engine);
      engine.post("/v1/definitions", "application/yaml", DEFINITION);
      untilAllHave(engine, 1);
      AtomicBoolean over = new AtomicBoolean();
      AtomicInteger requests = new AtomicInteger();
      Future<?> load = threads.submit(() -> load(engine, over, requests));
      List<String> acknowledged = new ArrayList<>(List.of("first"));
      for (int round = 0; round < rounds; round++) {
        int before = requests.get();
        round(engine, round, acknowledged);
        await().atMost(PATIENCE).until(() -> requests.get() > before || load.isDone());
      }
      over.set(true);
      load.get(60, TimeUnit.SECONDS);
      assertTrue(requests.get() >= rounds, () -> requests + " requests");
      System.out.println(
          "BrokerServedTest: "
              + rounds
              + " rounds of seed "
              + SEED
              + ", "
              + requests
              + " requests, none failed");
      check(engine, acknowledged);
      checkCallers(engine);
    }
    for (String each : List.of("native", "native-standby")) {
      assertFalse(Files.exists(data.resolve("broker").resolve(each)), "removed at the end");
    }
  }

  /** One change under way while the broker is killed, stopped, or its table overwritten. */
  private void round(ServedEngine engine, int round, List<String> acknowledged) throws Exception {
    String id = "c" + round;
    Future<ServedEngine.Answer> change =
        threads.submit(() -> put(engine, "slas/" + id, "{\"class\": \"std\", \"rate\": 0.5}"));
    int starts = broker(engine).path("starts").asInt();
    String pid = broker(engine).path("pid").asText();
    switch (round % 3) {
      case 0 -> signal("-KILL", pid);
      case 1 -> damage(new BrokerFolder(data).table());
      default -> signal("-STOP", pid);
    }
    if (round % 3 != 1) {
      await().atMost(PATIENCE).until(() -> broker(engine).path("starts").asInt() > starts);
    }
    await().atMost(PATIENCE).until(() -> engine.get("/v1/broker/plan").status() == 200);
    ServedEngine.Answer answer = change.get(60, TimeUnit.SECONDS);
    if (answer.status() < 300) {
      acknowledged.add(id);
    } else {
      assertEquals(503, answer.status(), answer::toString);
    }
  }

  /** Damage that a broker could leave behind. */
  private void damage(Path table) throws IOException {
    byte[] bytes = Files.readAllBytes(table);
    byte[] damaged =
        switch (random.nextInt(4)) {
          case 0 -> new byte[0];
          case 1 -> Arrays.copyOf(bytes, random.nextInt(bytes.length));
          case 2 -> {
            bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(Byte.SIZE));
            yield bytes;
          }
          default -> {
            random.nextBytes(bytes);
            yield bytes;
          }
        };
    Files.write(table, damaged);
  }

  private static void signal(String name, String pid) throws IOException, InterruptedException {
    if (!pid.equals("-1")) {
      new ProcessBuilder("kill", name, pid).start().waitFor();
    }
  }

  private static void load(ServedEngine engine, AtomicBoolean over, AtomicInteger requests) {
    while (!over.get()) {
      try {
        ServedEngine.Answer answer = start(engine, "X-User", "ann");
        assertEquals(200, answer.status(), answer::toString);
        assertTrue(answer.body().contains("\"COMPLETED\""), answer::toString);
        requests.incrementAndGet();
      } catch (IOException e) {
        throw new AssertionError("expected an answer, found none", e);
      }
    }
  }

  private void check(ServedEngine engine, List<String> acknowledged) throws IOException {
    for (String id : acknowledged) {
      assertEquals(200, engine.get("/v1/broker/slas/" + id).status(), id);
    }
    JsonNode plan = engine.get("/v1/broker/plan").json();
    assertEquals("optimal", plan.path("state").asText(), plan::toString);
    untilAllHave(engine, plan.path("version").asLong());
    await("the parent, which hears of the plan by heartbeats")
        .atMost(PATIENCE)
        .until(
            () ->
                ServedEngine.ask("GET", engine.admin().resolve("/metrics"), null)
                    .body()
                    .contains("pinion_broker_plan_state{state=\"optimal\"} 1"));
    try (var unpacked = Files.list(data.resolve("broker").resolve("native"))) {
      assertTrue(unpacked.count() <= 2, "one copy, whatever was killed");
    }
  }
}
