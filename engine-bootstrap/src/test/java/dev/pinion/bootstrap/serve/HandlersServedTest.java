package dev.pinion.bootstrap.serve;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import dev.pinion.bootstrap.serve.ServedEngine.Answer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Two replicas with chains from a folder, as in a deployment. */
@EnabledOnOs(OS.LINUX)
class HandlersServedTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final String REQUESTS =
      """
      chains:
      - {name: in, at: request-in, definition: test/calls,
         handlers: [{use: test-stamp, settings: {pointer: /input/stamp}},
           {use: notify, settings: {type: com.example.arrived, data: /input/n}}]}
      - {name: out, at: response-out, definition: test/calls, handlers: [{use: test-stamp}]}
      """;

  private static final String STAMPED = "\",chain=\"out\",handler=\"test-stamp\"} ";

  private static final String CALLS =
      "chains: [{name: calls, at: before-call, handlers: [{use: test-stamp}]}]";

  private static final String DEFINITION =
      """
      document: { dsl: '1.0.0', namespace: test, name: calls, version: '1.0.0' }
      do:
        - call: { call: http, with: { method: post, endpoint: 'URL', body: '${ . }' } }
      """;

  @TempDir private Path data;
  @TempDir private Path chains;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final CountDownLatch killed = new CountDownLatch(1);
  private final Queue<String> bodies = new ConcurrentLinkedQueue<>();
  private final Queue<String> notices = new ConcurrentLinkedQueue<>();
  private final Queue<String> stamps = new ConcurrentLinkedQueue<>();
  private final Queue<String> attempts = new ConcurrentLinkedQueue<>();
  private HttpServer service;

  @BeforeEach
  void startService() throws IOException {
    service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    service.setExecutor(threads);
    service.createContext(
        "/",
        exchange -> {
          byte[] body = exchange.getRequestBody().readAllBytes();
          String type = exchange.getRequestHeaders().getFirst("ce-type");
          if (type != null) {
            notices.add(type + " " + new String(body, StandardCharsets.UTF_8));
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
            return;
          }
          String attempt = exchange.getRequestHeaders().getFirst("Pinion-Attempt");
          bodies.add(new String(body, StandardCharsets.UTF_8));
          stamps.add(exchange.getRequestHeaders().getFirst("X-Stamp"));
          attempts.add(attempt);
          try {
            if (attempt.equals("1")) {
              killed.await(); // the client has gone by then
            }
            exchange.getResponseHeaders().set("content-type", "application/json");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          } finally {
            exchange.close();
          }
        });
    service.start();
    Files.writeString(chains.resolve("requests.yaml"), REQUESTS);
    Files.writeString(chains.resolve("calls.json"), CALLS);
  }

  @AfterEach
  void stopService() {
    killed.countDown();
    service.stop(0);
    threads.shutdownNow();
  }

  @Test
  @Tag("long")
  void shouldRecordWhatHandlersMadeOfAStartAndHandleCallsAgain() throws Exception {
    try (ServedEngine engine =
        ServedEngine.start(
            data,
            "--replicas",
            "sosoa:2:1",
            "--handlers",
            chains.toString(),
            "--history",
            "sqlite")) {
      String url = "http://127.0.0.1:" + service.getAddress().getPort() + "/";
      Answer deployed =
          engine.post("/v1/definitions", "application/yaml", DEFINITION.replace("URL", url));
      assertEquals(201, deployed.status(), deployed.body());
      String wish =
          "{\"sink\":\"" + url + "events\",\"types\":[\"dev.pinion.notice\"],\"mode\":\"binary\"}";
      Answer subscribed = engine.post("/v1/subscriptions", "application/json", wish);
      assertEquals(201, subscribed.status(), subscribed.body());
      // Before the history has created its tables there is no outbox for notices of handlers.
      await().atMost(PATIENCE).until(() -> engine.get("/v1/history/instances").status() == 200);
      await().atMost(PATIENCE).until(this::thereIsAnOutbox); // its table follows the first
      Answer started =
          ServedEngine.ask(
              "POST",
              engine.uri().resolve("/v1/namespaces/test/definitions/calls/instances"),
              "{\"input\":{\"n\":1}}",
              "Content-Type",
              "application/json",
              "Prefer",
              "respond-async");
      assertEquals(202, started.status(), started.body());
      String path = "/v1/instances/" + started.json().path("id").asText();
      await().atMost(PATIENCE).until(() -> stamps.size() == 1);
      // Unstored progress is lost with its replica.
      await().atMost(PATIENCE).until(() -> !notices.isEmpty());

      engine.replicas().forEach(ProcessHandle::destroyForcibly);
      await().atMost(PATIENCE).until(() -> stamps.size() == 2);
      killed.countDown();
      await().atMost(PATIENCE).until(() -> ended(engine, path));
      JsonNode ended = engine.get(path).json();
      assertEquals(1, ended.path("output").path("n").asInt(), ended::toString);
      assertEquals(2, bodies.size());
      String first = bodies.poll();
      assertTrue(first.contains("\"stamp\":"), first);
      assertEquals(first, bodies.poll(), "the start was recorded as handlers had left it");
      assertEquals(List.of("1", "2"), List.copyOf(attempts));
      assertNotEquals(stamps.poll(), stamps.poll(), "the call that was made again passed handlers");
      for (int i = 0; i < 4; i++) { // from its own replica, and through the other one
        assertFalse(engine.get(path).field("x-stamp").isEmpty(), "the definition is known there");
      }
      assertEquals(List.of("com.example.arrived 1"), List.copyOf(notices));
      await().atMost(PATIENCE).until(() -> counted(engine));
      reload(engine);
    }
  }

  private static boolean ended(ServedEngine engine, String path) {
    try {
      return engine.get(path).body().contains("\"COMPLETED\"");
    } catch (IOException e) {
      return false; // no replica serves yet
    }
  }

  /** The numbers of both replicas, on the operators' page. */
  private static boolean counted(ServedEngine engine) throws IOException {
    String page = ServedEngine.ask("GET", engine.admin().resolve("/metrics"), null).body();
    boolean both =
        page.contains("pinion_chains{replica=\"0\"} 3.0\n")
            && page.contains("pinion_chains{replica=\"1\"} 3.0\n");
    boolean described =
        page.split("# TYPE pinion_handler_calls_total counter\n", -1).length == 2
            && page.contains("pinion_binding_table_version{replica=\"0\"} ");
    boolean stamped =
        IntStream.range(0, 2)
            .mapToObj(replica -> "pinion_handler_calls_total{replica=\"" + replica + STAMPED)
            .anyMatch(line -> page.contains(line) && !page.contains(line + "0.0\n"));
    return both && described && stamped;
  }

  /** Every replica reads the folder again, or none applies it. */
  private void reload(ServedEngine engine) throws IOException {
    Path third = chains.resolve("third.yaml");
    Files.writeString(third, "chains: [{name: in, hadlers: []}]");
    Answer refused = engine.post("/v1/handlers/reload", "application/json", "");
    assertEquals(422, refused.status(), refused.body());
    assertTrue(refused.body().contains("third.yaml#/chains/0/hadlers"), refused.body());
    assertTrue(refused.body().contains("third.yaml#/chains/0/name"), refused.body());
    Files.writeString(third, "chains: [{name: third, handlers: []}]");
    assertEquals(200, engine.post("/v1/handlers/reload", "application/json", "").status());
    for (int i = 0; i < 4; i++) {
      assertTrue(engine.get("/v1/handlers").body().contains("\"third\""));
    }
  }

  private boolean thereIsAnOutbox() {
    String url = "jdbc:sqlite:" + data.resolve("history").resolve("history.db");
    try (Connection database = DriverManager.getConnection(url);
        Statement statement = database.createStatement();
        ResultSet rows = statement.executeQuery("SELECT count(*) FROM outbox")) {
      return rows.next();
    } catch (SQLException e) {
      return false;
    }
  }
}
