package dev.pinion.bootstrap.serve;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A deployed definition is planned for, without a registered model of its process. */
@EnabledOnOs(OS.LINUX)
@Tag("long")
class DeployedModelServedTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String DEFINITION =
      """
      document: { dsl: '1.0.0', namespace: test, name: trip, version: '1.0.0' }
      do:
        - both:
            fork:
              branches:
                - fly: {call: http, with: {method: get, endpoint: 'svc://flights/x'}}
                - stay: {call: http, with: {method: get, endpoint: 'svc://hotels/x'}}
        - way:
            switch:
              - drive: {when: 'true', then: drive}
              - walk: {then: end}
        - drive: {call: http, with: {method: get, endpoint: 'svc://cars/x'}}
      """;

  @TempDir private Path data;
  private HttpServer services;

  @BeforeEach
  void startServices() throws IOException {
    services = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    services.createContext(
        "/",
        exchange -> {
          byte[] body =
              "{\"by\": \"%s\"}"
                  .formatted(exchange.getRequestURI().getPath())
                  .getBytes(StandardCharsets.UTF_8);
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
  }

  private static void made(ServedEngine engine, String path, String body) throws IOException {
    ServedEngine.Answer answer =
        ServedEngine.ask(
            "PUT",
            engine.uri().resolve("/v1/broker/" + path),
            body,
            "Content-Type",
            "application/json");
    assertEquals(201, answer.status(), answer::toString);
  }

  private static boolean bindsAll(ServedEngine engine) throws IOException {
    JsonNode plan = engine.get("/v1/broker/plan").json();
    long version =
        ServedEngine.ask("GET", engine.admin().resolve("/admin/v1/replicas"), null)
            .json()
            .at("/replicas/0/lastBeat/bindingVersion")
            .asLong();
    return plan.path("state").asText().equals("optimal")
        && plan.at("/classes/std/shares").size() == 3
        && plan.path("version").asLong() == version;
  }

  @Test
  void shouldPlanForADefinitionAndRunIt() throws IOException {
    try (ServedEngine engine =
        ServedEngine.start(data, "--replicas", "1", "--history", "none", "--broker", "on")) {
      await().atMost(PATIENCE).until(() -> engine.get("/v1/broker/plan").status() == 200);
      for (String name : List.of("flights", "hotels", "cars")) {
        String document =
            String.format(
                Locale.ROOT,
                """
                {"serves": ["%s"], "endpoint": "http://127.0.0.1:%d/my-%s", "idempotent": true,
                 "r": 0.1, "d": 0.99, "c": 1}\
                """,
                name,
                services.getAddress().getPort(),
                name);
        made(engine, "services/my-" + name, document);
      }
      made(engine, "classes/std", "{\"rate\": 10, \"r_max\": 1, \"price\": 9}");
      ServedEngine.Answer deployed = engine.post("/v1/definitions", "application/yaml", DEFINITION);
      assertEquals(201, deployed.status(), deployed::toString);

      await().atMost(PATIENCE).until(() -> bindsAll(engine));
      JsonNode behaviour = engine.get("/v1/broker/behaviour").json();
      assertEquals("deployed", behaviour.path("source").asText(), behaviour::toString);
      assertEquals("[\"test/trip/1.0.0\"]", behaviour.path("definitions").toString());
      JsonNode visits = behaviour.at("/classes/std/visits");
      assertEquals(1, visits.path("flights").asDouble(), behaviour::toString);
      assertEquals(1, visits.path("hotels").asDouble(), behaviour::toString);
      assertEquals(0.5, visits.path("cars").asDouble(), behaviour::toString);

      ServedEngine.Answer run =
          ServedEngine.ask(
              "POST",
              engine.uri().resolve("/v1/namespaces/test/definitions/trip/instances"),
              "{}",
              "Content-Type",
              "application/json",
              "Prefer",
              "wait=20");
      assertTrue(run.body().contains("/my-cars/x"), run::toString);
    }
  }
}
