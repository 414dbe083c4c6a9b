package dev.pinion.bootstrap.serve;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
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
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Two replicas that bind calls by a table that changes while they run, and stub services. */
@EnabledOnOs(OS.LINUX)
class BoundCallsServedTest {
  private static final String DEFINITION =
      """
      document: { dsl: '1.0.0', namespace: test, name: flies, version: '1.0.0' }
      do:
        - ask:
            call: http
            with: { method: post, endpoint: 'svc://flights/search', body: { to: x } }
      """;

  @TempDir private Path data;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final CountDownLatch over = new CountDownLatch(1);
  private final AtomicInteger failing = new AtomicInteger();
  private final AtomicInteger slow = new AtomicInteger();
  private HttpServer services;

  @BeforeEach
  void startServices() throws IOException {
    services = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    services.setExecutor(threads);
    services.createContext("/failing", exchange -> answer(exchange, failing, 500));
    services.createContext("/good", exchange -> answer(exchange, new AtomicInteger(), 200));
    services.createContext(
        "/slow",
        exchange -> {
          slow.incrementAndGet();
          try {
            over.await(60, TimeUnit.SECONDS);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          exchange.close();
        });
    services.start();
  }

  @AfterEach
  void stopServices() {
    over.countDown();
    services.stop(0);
    threads.shutdownNow();
  }

  private static void answer(HttpExchange exchange, AtomicInteger calls, int status)
      throws IOException {
    calls.incrementAndGet();
    byte[] asked = exchange.getRequestBody().readAllBytes();
    String text =
        "{\"path\": \"%s\", \"asked\": %s}"
            .formatted(
                exchange.getRequestURI().getPath(), new String(asked, StandardCharsets.UTF_8));
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("content-type", "application/json");
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  private RegisteredService service(String id, InterfaceMapping interfaceMapping) {
    return new RegisteredService(
        new ConcreteService(id, 0.1, 0.9, 1, Double.POSITIVE_INFINITY),
        Set.of("flights"),
        "http://127.0.0.1:" + services.getAddress().getPort() + "/" + id,
        true,
        interfaceMapping,
        null,
        null);
  }

  private void publish(long version, CoordinationPattern coordinationPattern, String... ids)
      throws IOException {
    publish(version, Map.of(), coordinationPattern, ids);
  }

  private void publish(
      long version,
      Map<String, Map<String, Double>> rates,
      CoordinationPattern coordinationPattern,
      String... ids)
      throws IOException {
    InterfaceMapping interfaceMapping =
        new InterfaceMapping("/v2/{path}", Map.of(), "{destination: .to}", "{found: .}");
    ServiceRegistry serviceRegistry =
        ServiceRegistry.EMPTY
            .with(service("failing", InterfaceMapping.NONE))
            .with(service("slow", InterfaceMapping.NONE))
            .with(service("good", interfaceMapping));
    TableShare all = new TableShare(coordinationPattern, List.of(ids), 1);
    BrokerFolder folder = new BrokerFolder(data);
    try (BrokerFolder.WriteLock _ = folder.lock()) {
      PublishedTable table =
          new PublishedTable(
                  version, "std", serviceRegistry, Map.of("std", Map.of("flights", List.of(all))))
              .withRates(rates);
      BrokerFolder.write(folder.table(), RegistryWriter.table(table));
    }
  }

  /** Applied within a second, reported with the next beat, which comes each second. */
  private static void untilAllHave(ServedEngine engine, long version) {
    await()
        .atMost(Duration.ofSeconds(30))
        .until(
            () -> {
              JsonNode replicas =
                  ServedEngine.ask("GET", engine.admin().resolve("/admin/v1/replicas"), null)
                      .json()
                      .path("replicas");
              int having = 0;
              for (JsonNode each : replicas) {
                having += each.path("lastBeat").path("bindingVersion").asLong() == version ? 1 : 0;
              }
              return having == 2;
            });
  }

  /** Runs enough instances for both replicas to run some. */
  private static void run(ServedEngine engine) throws IOException {
    for (int i = 0; i < 6; i++) {
      ServedEngine.Answer answer =
          ServedEngine.ask(
              "POST",
              engine.uri().resolve("/v1/namespaces/test/definitions/flies/instances"),
              "{}",
              "Content-Type",
              "application/json",
              "Prefer",
              "wait=20");
      JsonNode found = answer.json().path("output").path("found");
      assertEquals("/good/v2/search", found.path("path").asText(), answer::toString);
      assertEquals("x", found.path("asked").path("destination").asText(), answer::toString);
    }
  }

  private static void holdsToTheContract(ServedEngine engine) throws IOException {
    int within = 0;
    for (int i = 0; i < 12; i++) {
      ServedEngine.Answer answer =
          engine.post("/v1/namespaces/test/definitions/flies/instances", "application/json", "{}");
      within += answer.status() == 429 ? 0 : 1;
      if (answer.status() == 429) {
        assertTrue(Integer.parseInt(answer.field("Retry-After")) > 0, answer::toString);
        assertTrue(answer.body().contains("\"throttled\""), answer::toString);
      }
    }
    assertEquals(3, within, "of both replicas together");
    await()
        .atMost(Duration.ofSeconds(30))
        .until(
            () ->
                ServedEngine.ask("GET", engine.admin().resolve("/metrics"), null)
                        .body()
                        .lines()
                        .filter(line -> line.startsWith("pinion_contract_starts_total"))
                        .filter(line -> line.contains("outcome=\"beyond\""))
                        .mapToInt(
                            line ->
                                (int) Double.parseDouble(line.substring(line.indexOf("} ") + 2)))
                        .sum()
                    == 9);
  }

  private void turnsAwayWhatIsNotServed(ServedEngine engine) throws IOException {
    ServiceRegistry serviceRegistry =
        ServiceRegistry.EMPTY.with(service("good", InterfaceMapping.NONE));
    BrokerFolder folder = new BrokerFolder(data);
    try (BrokerFolder.WriteLock _ = folder.lock()) {
      PublishedTable table =
          new PublishedTable(4, "std", serviceRegistry, Map.of()).withServed(Map.of("std", 0.0));
      BrokerFolder.write(folder.table(), RegistryWriter.table(table));
    }
    untilAllHave(engine, 4);
    for (int i = 0; i < 4; i++) {
      ServedEngine.Answer answer =
          engine.post("/v1/namespaces/test/definitions/flies/instances", "application/json", "{}");
      assertEquals(503, answer.status(), answer::toString);
      assertEquals("10", answer.field("Retry-After"));
      assertEquals("class-not-served", answer.json().path("code").asText(), answer::toString);
      assertEquals(4, answer.json().path("plan").asInt(), answer::toString);
    }
    await().atMost(Duration.ofSeconds(30)).until(() -> shed(engine) == 4);
  }

  private static int shed(ServedEngine engine) throws IOException {
    return ServedEngine.ask("GET", engine.admin().resolve("/metrics"), null)
        .body()
        .lines()
        .filter(line -> line.startsWith("pinion_class_starts_shed_total"))
        .filter(line -> line.contains("class=\"std\""))
        .mapToInt(line -> (int) Double.parseDouble(line.substring(line.indexOf("} ") + 2)))
        .sum();
  }

  @Test
  void shouldBindByTablesThatChange() throws IOException {
    publish(1, CoordinationPattern.ALTERNATE, "failing", "good");
    try (ServedEngine engine =
        ServedEngine.start(
            data,
            "--history",
            "none",
            "--replicas",
            "sosoa:2:1",
            "--broker-throttle",
            "refuse",
            "--set",
            "request.contractBurstSeconds=3600")) {
      engine.post("/v1/definitions", "application/yaml", DEFINITION);
      untilAllHave(engine, 1);
      run(engine);
      assertEquals(6, failing.get());

      publish(2, CoordinationPattern.PARALLEL, "slow", "good");
      untilAllHave(engine, 2);
      run(engine);
      assertEquals(6, failing.get(), "no part of the second table");
      assertTrue(slow.get() > 0, "called beside the one that was first");

      // 3.6 per hour: three at once, and the next one after some minutes
      publish(3, Map.of("std", Map.of("", 0.001)), CoordinationPattern.SINGLE, "good");
      untilAllHave(engine, 3);
      holdsToTheContract(engine);
      turnsAwayWhatIsNotServed(engine);
    }
  }
}
