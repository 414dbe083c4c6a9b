package dev.pinion.bootstrap.serve;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.pinion.bootstrap.serve.ServedEngine.Answer;
import dev.pinion.broker.document.RegistryWriter;
import dev.pinion.broker.model.ConcreteService;
import dev.pinion.broker.model.CoordinationPattern;
import dev.pinion.broker.registry.BrokerFolder;
import dev.pinion.broker.registry.InterfaceMapping;
import dev.pinion.broker.registry.PublishedTable;
import dev.pinion.broker.registry.RegisteredService;
import dev.pinion.broker.registry.ServiceRegistry;
import dev.pinion.broker.registry.TableShare;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Two replicas that are killed while a service that responds later has their calls. */
@EnabledOnOs(OS.LINUX)
class LateAnswersServedTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String JSON = "application/json";
  private static final int INSTANCES = 7;
  private static final String DEFINITION =
      """
      document: { dsl: '1.0.0', namespace: test, name: books, version: '1.0.0' }
      do:
        - ask:
            call: http
            with: { method: post, endpoint: 'svc://seats/book', body: '${ {n: .n} }' }
      """;

  @TempDir private Path data;
  private final Queue<Asked> asked = new ConcurrentLinkedQueue<>();
  private HttpServer service;

  /** A request to the service, with the address for its response. */
  private record Asked(String body, String key, String attempt, String address) {}

  @BeforeEach
  void startService() throws IOException {
    service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    service.createContext("/", this::accept);
    service.start();
  }

  @AfterEach
  void stopService() {
    service.stop(0);
  }

  private void accept(HttpExchange exchange) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), US_ASCII);
    var fields = exchange.getRequestHeaders();
    asked.add(
        new Asked(
            body,
            fields.getFirst("Idempotency-Key"),
            fields.getFirst("Pinion-Attempt"),
            fields.getFirst("Pinion-Callback")));
    exchange.sendResponseHeaders(202, -1);
    exchange.close();
  }

  private void publish() throws IOException {
    RegisteredService sky =
        new RegisteredService(
            new ConcreteService("sky", 1, 0.9, 1, Double.POSITIVE_INFINITY),
            Set.of("seats"),
            "http://127.0.0.1:" + service.getAddress().getPort(),
            new RegisteredService.Traits(false, false, true),
            new InterfaceMapping(null, Map.of(), null, "{booked: .seat}"),
            null,
            null);
    TableShare all = new TableShare(CoordinationPattern.SINGLE, List.of("sky"), 1);
    BrokerFolder folder = new BrokerFolder(data);
    try (BrokerFolder.WriteLock _ = folder.lock()) {
      PublishedTable table =
          new PublishedTable(
              1,
              "std",
              ServiceRegistry.EMPTY.with(sky),
              Map.of("std", Map.of("seats", List.of(all))));
      BrokerFolder.write(folder.table(), RegistryWriter.table(table));
    }
  }

  private static String start(ServedEngine engine, int n) throws IOException {
    Answer started =
        ServedEngine.ask(
            "POST",
            engine.uri().resolve("/v1/namespaces/test/definitions/books/instances"),
            "{\"input\": {\"n\": " + n + "}}",
            "Content-Type",
            JSON,
            "Prefer",
            "respond-async");
    assertEquals(202, started.status(), started.body());
    return "/v1/instances/" + started.json().path("id").asText();
  }

  /** Requests to the service for an instance, in order. */
  private List<Asked> asked(int n) {
    return asked.stream().filter(each -> each.body().contains(":" + n + "}")).toList();
  }

  private static Answer answer(ServedEngine engine, String address, String body, String... fields)
      throws IOException {
    List<String> all = new ArrayList<>(List.of("Content-Type", JSON));
    all.addAll(List.of(fields));
    return ServedEngine.ask(
        "POST", engine.uri().resolve(address), body, all.toArray(String[]::new));
  }

  private static Answer event(ServedEngine engine, String address) throws IOException {
    String token = address.substring(address.lastIndexOf('/') + 1);
    return engine.post(
        "/v1/namespaces/test/events",
        "application/cloudevents+json",
        """
        {"specversion": "1.0", "id": "1", "source": "/sky", "type": "dev.pinion.call.answered",
         "subject": "%s", "data": {"seat": "event"}}\
        """
            .formatted(token));
  }

  private static String ended(ServedEngine engine, String path) {
    String[] last = {""};
    await()
        .atMost(PATIENCE)
        .ignoreExceptionsInstanceOf(IOException.class) // no replica serves yet
        .until(
            () -> {
              last[0] = engine.get(path).body();
              return last[0].contains("\"COMPLETED\"") || last[0].contains("\"FAULTED\"");
            });
    return last[0];
  }

  @Test
  @Tag("long")
  void shouldTakeAnswersThatComeLaterAlsoAfterAKill() throws Exception {
    publish();
    try (ServedEngine engine = ServedEngine.start(data, "--replicas", "sosoa:2:1")) {
      engine.post("/v1/definitions", "application/yaml", DEFINITION);
      List<String> paths = new ArrayList<>();
      for (int n = 0; n < INSTANCES; n++) {
        paths.add(start(engine, n));
      }
      await().atMost(PATIENCE).until(() -> asked.size() == INSTANCES);
      Set<String> addresses = new HashSet<>();
      asked.forEach(each -> addresses.add(each.address()));
      assertEquals(INSTANCES, addresses.size(), addresses::toString);

      takesAnswers(engine, paths);
      List<ProcessHandle> before = engine.replicas();
      before.forEach(ProcessHandle::destroyForcibly);
      for (int n = 3; n < INSTANCES; n++) {
        takesAnswerOfBefore(engine, n, paths.get(n));
      }
      assertEquals(410, answer(engine, asked(0).getFirst().address(), "{}").status());
    }
  }

  private void takesAnswers(ServedEngine engine, List<String> paths) throws IOException {
    String first = asked(0).getFirst().address();
    assertTrue(first.startsWith("/v1/callbacks/"), first);
    assertEquals(404, answer(engine, first + "x", "{}").status(), "not sealed here");
    assertEquals(400, answer(engine, first, "{}", "Pinion-Status", "202").status());
    assertEquals(204, answer(engine, first, "{\"seat\": \"1a\"}").status());
    String booked = ended(engine, paths.get(0));
    assertTrue(booked.contains("{\"booked\":\"1a\"}"), booked);
    assertEquals(410, answer(engine, first, "{\"seat\": \"1b\"}").status());
    assertEquals(booked, engine.get(paths.get(0)).body(), "nothing has changed");

    String second = asked(1).getFirst().address();
    assertEquals(204, answer(engine, second, "{}", "Pinion-Status", "409").status());
    String refused = ended(engine, paths.get(1));
    assertTrue(refused.contains("\"status\":409"), refused);

    Answer event = event(engine, asked(2).getFirst().address());
    assertEquals(202, event.status(), event.body());
    String byEvent = ended(engine, paths.get(2));
    assertTrue(byEvent.contains("{\"booked\":\"event\"}"), byEvent);
    assertEquals(410, event(engine, asked(2).getFirst().address()).status());
  }

  /** The call is repeated with its key, and the announcement before the kill counts. */
  private void takesAnswerOfBefore(ServedEngine engine, int n, String path) throws IOException {
    await().atMost(PATIENCE).until(() -> asked(n).size() == 2);
    Asked first = asked(n).getFirst();
    Asked again = asked(n).getLast();
    assertEquals(first.key(), again.key());
    assertEquals(first.address(), again.address());
    assertEquals(List.of("1", "2"), List.of(first.attempt(), again.attempt()));
    await()
        .atMost(PATIENCE)
        .ignoreExceptionsInstanceOf(IOException.class)
        .until(
            () ->
                answer(engine, first.address(), String.format(Locale.ROOT, "{\"seat\": \"%d\"}", n))
                        .status()
                    == 204);
    String booked = ended(engine, path);
    assertTrue(booked.contains("{\"booked\":\"" + n + "\"}"), booked);
  }
}
