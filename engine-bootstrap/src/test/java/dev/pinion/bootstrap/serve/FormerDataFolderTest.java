package dev.pinion.bootstrap.serve;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import dev.pinion.bootstrap.serve.ServedEngine.Answer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * A data folder of the engine before its types were renamed: a snapshot and the records after it,
 * definitions, history, and the broker's registry, contracts and knowledge. The engine was killed
 * while instances waited for timers, for a service and for their resumption.
 *
 * <p>Nothing here depends on the age of the folder, besides that every timer but the one of ten
 * years is due, and that its key is remembered for a year.
 */
@EnabledOnOs(OS.LINUX)
class FormerDataFolderTest {
  private static final String FOLDER = "data-folder-before-the-house.zip";
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** A key of an ended instance is forgotten a day after its start, unless told otherwise. */
  private static final String SETTINGS = "history.retainDays=0,kernel.startKeyMinutes=525600";

  @TempDir private Path data;
  private HttpServer service;
  private JsonNode instances;

  @BeforeEach
  void prepare() throws IOException {
    unpack();
    instances = JSON.readTree(data.resolve("instances.json").toFile());
    Files.delete(data.resolve("instances.json"));
    service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    service.createContext(
        "/",
        exchange -> {
          exchange.getRequestBody().readAllBytes();
          exchange.getResponseHeaders().set("content-type", "application/json");
          byte[] body = "{\"ok\":true}".getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    service.start();
  }

  @AfterEach
  void stopService() {
    service.stop(0);
  }

  private void unpack() throws IOException {
    var ownerOnly = PosixFilePermissions.fromString("rw-------");
    try (InputStream in = FormerDataFolderTest.class.getResourceAsStream(FOLDER);
        ZipInputStream zip = new ZipInputStream(in)) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        Path path = data.resolve(entry.getName());
        if (entry.isDirectory()) {
          Files.createDirectories(path);
        } else {
          Files.createDirectories(path.getParent());
          Files.copy(zip, path);
          Files.setPosixFilePermissions(path, ownerOnly);
        }
      }
    }
  }

  @Test
  void shouldGoOnWithAllOfIt() throws IOException {
    try (ServedEngine engine =
        ServedEngine.start(
            data, "--replicas", "1", "--history", "sqlite", "--broker", "on", "--set", SETTINGS)) {
      timersFire(engine);
      callIsMadeAgain(engine);
      controlsWork(engine);
      keysAreKnown(engine);
      definitionsStart(engine);
      historyIsKept(engine);
      contractsAreServed(engine);
    }
  }

  private void timersFire(ServedEngine engine) {
    assertEquals("{\"waited\":7}", output(engine, "waits"));
    assertEquals("{\"waited\":10}", output(engine, "first"));
    assertEquals("{\"n\":6}", output(engine, "short2"));
    untilIn(engine, path("loops"), "FAULTED");
  }

  /** The service that had the call does not listen any more, which the definition catches. */
  private void callIsMadeAgain(ServedEngine engine) {
    assertTrue(
        output(engine, "calls").contains("{\"caught\":true}"), () -> output(engine, "calls"));
  }

  private void controlsWork(ServedEngine engine) throws IOException {
    untilIn(engine, path("suspended"), "SUSPENDED");
    assertEquals(202, post(engine, path("suspended") + "/resumption", "").status());
    assertEquals("{\"waited\":8}", output(engine, "suspended"));
    assertEquals(202, post(engine, path("sleeps") + "/cancellation", "").status());
    untilIn(engine, path("sleeps"), "CANCELLED");
    assertEquals(202, post(engine, path("loops") + "/retry", "").status());
    untilIn(engine, path("loops"), "WAITING");
  }

  private void keysAreKnown(ServedEngine engine) throws IOException {
    // byte for byte as it came with the key before
    String body =
        "{\"input\": {\"n\": 7}, \"businessKey\": \"waits-1\", \"labels\": {\"team\": \"red\"}}";
    Answer again =
        ServedEngine.ask(
            "POST",
            engine.uri().resolve(starts("waits")),
            body,
            "Content-Type",
            "application/json",
            "Idempotency-Key",
            "\"waits-key\"");
    // it has ended meanwhile, so it is answered with its result
    assertEquals(200, again.status(), again::toString);
    assertEquals(path("waits"), "/v1/instances/" + again.json().path("id").asText());
  }

  private static void definitionsStart(ServedEngine engine) throws IOException {
    assertEquals(8, engine.get("/v1/definitions").json().path("items").size());
    Answer answer = post(engine, starts("ends"), "{\"input\":{\"n\":21}}");
    assertEquals(42, answer.json().path("output").path("doubled").asInt(), answer::toString);
  }

  private static void historyIsKept(ServedEngine engine) throws IOException {
    // until its tables have their present form, replicas answer 503 with Retry-After
    await()
        .atMost(PATIENCE)
        .until(() -> engine.get("/v1/history/instances?limit=1").status() != 503);
    Answer answer = engine.get("/v1/history/instances?businessKey=fails-1&label=team=red");
    assertEquals(
        "FAULTED", answer.json().path("items").path(0).path("state").asText(), answer::toString);
    String id = answer.json().path("items").path(0).path("id").asText();
    JsonNode events = engine.get("/v1/instances/" + id + "/events").json().path("items");
    assertEquals("INSTANCE_STARTED", events.path(0).path("kind").asText(), events::toString);
  }

  /**
   * The services moved: once they are registered where they are now, the old contract is served.
   */
  private void contractsAreServed(ServedEngine engine) {
    for (String id : List.of("sky", "sea")) {
      String registered =
          String.format(
              Locale.ROOT,
              """
              {"serves": ["flights"], "endpoint": "http://127.0.0.1:%d/%s", "idempotent": true,
               "r": 0.1, "d": 0.99, "c": 1, "load": 100}\
              """,
              service.getAddress().getPort(),
              id);
      await()
          .atMost(PATIENCE)
          .until(() -> put(engine, "services/" + id, registered).status() < 300);
    }
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              JsonNode plan = engine.get("/v1/broker/plan").json();
              assertEquals(1.0, plan.at("/classes/std/served").asDouble(), plan::toString);
            });
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              Answer flown = post(engine, starts("flies"), "{}");
              assertEquals("COMPLETED", flown.json().path("state").asText(), flown::toString);
            });
  }

  private String path(String instance) {
    return instances.path(instance).asText();
  }

  private static String starts(String definition) {
    return "/v1/namespaces/old/definitions/" + definition + "/instances";
  }

  private static Answer post(ServedEngine engine, String path, String body) throws IOException {
    return engine.post(path, "application/json", body);
  }

  private static Answer put(ServedEngine engine, String path, String body) throws IOException {
    return ServedEngine.ask(
        "PUT",
        engine.uri().resolve("/v1/broker/" + path),
        body,
        "Content-Type",
        "application/json");
  }

  private String output(ServedEngine engine, String instance) {
    untilIn(engine, path(instance), "COMPLETED");
    return await()
        .atMost(PATIENCE)
        .until(() -> engine.get(path(instance) + "/output"), answer -> answer.status() == 200)
        .body();
  }

  private static void untilIn(ServedEngine engine, String path, String state) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              Answer answer = engine.get(path);
              assertEquals(state, answer.json().path("state").asText(), answer::toString);
            });
  }
}
