package dev.pinion.bootstrap.serve;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.pinion.bootstrap.serve.ServedEngine.Answer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Secrets leave no trace: after calls that succeed, fail, are retried, wait, are cut off by a kill
 * and made again, none is in any file of the data folder, in the log or in what clients are told.
 */
@EnabledOnOs(OS.LINUX)
class CanarySecretsServedTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** Stands in the inputs, to prove that the search would find what is stored. */
  private static final String MARKER = "marker-4711-0815";

  private static final String KEY = "canary+key/äö-1111";
  private static final String PASSWORD = "canary+password-2222";
  private static final String TOKEN = "canary-token-3333";
  private static final String CLIENT = "canary+client-4444";
  private static final String VARIABLE = "canary+variable-5555";
  private static final String HOOK = "canary-hook-6666";

  private static final String DEFINITION =
      """
      document: {dsl: 1.0.3, namespace: test, name: NAME, version: 1.0.0}
      use:
        secrets: [key, login, idp, fromEnvironment, hook]
        authentications:
          shop: {basic: {use: login}}
          idp: {oauth2: {use: idp}}
      do:
        - retried:
            try:
              - asked:
                  call: http
                  with:
                    method: post
                    endpoint: {uri: 'SERVER/flaky', authentication: {use: shop}}
                    headers: {X-Key: '${ $secrets.key | @uri }', X-Again: '${ $authorization.parameter }'}
                    query: {key: '${ $secrets.key }'}
                    body: {key: '${ $secrets.key }', all: '${ . }'}
                    output: response
            catch:
              as: problem
              retry: {limit: {attempt: {count: 1}}}
              do:
                - keep: {set: {problem: '${ $problem }', marker: '${ .marker }'}}
            export: {as: '${ {seen: .} }'}
        - given:
            input: {from: '${ {bot: $secrets.key, name: $secrets.fromEnvironment, marker} }'}
            call: http
            with:
              method: put
              endpoint: 'SERVER/bots/{bot}'
              headers: {X-Name: '${ .name }'}
              body: '${ . }'
        - hooked:
            call: http
            with: {method: post, endpoint: '${ $secrets.hook }', body: '${ $secrets.key }'}
        - tokened:
            call: http
            with: {method: get, endpoint: {uri: SERVER/held, authentication: {use: idp}}}
        - failed:
            call: http
            with:
              method: get
              endpoint: {uri: 'SERVER/echo', authentication: {bearer: {token: '${ $secrets.key | @base64 }'}}}
      """;

  @TempDir private Path folder;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final CountDownLatch killed = new CountDownLatch(1);
  private final Queue<String> held = new ConcurrentLinkedQueue<>();
  private final Queue<String> requests = new ConcurrentLinkedQueue<>();
  private final List<String> told = new ArrayList<>();
  private HttpServer service;

  @BeforeEach
  void startService() throws IOException {
    service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    service.setExecutor(threads);
    service.createContext("/", this::answer);
    service.start();
  }

  @AfterEach
  void stopService() {
    killed.countDown();
    service.stop(0);
    threads.shutdownNow();
  }

  private String base() {
    return "http://127.0.0.1:" + service.getAddress().getPort();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      String authorization = String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"));
      String path = exchange.getRequestURI().getPath();
      requests.add(path + " " + authorization + " " + body);
      switch (path) {
        case "/flaky" -> send(exchange, 500, "{\"said\":\"" + authorization + " " + KEY + "\"}");
        case "/oauth2/token" ->
            send(exchange, 200, "{\"access_token\":\"" + TOKEN + "\",\"expires_in\":300}");
        case "/held" -> {
          held.add(authorization);
          if (held.size() == 1) {
            killed.await(); // the caller has gone by then
          }
          send(exchange, 200, "{\"held\":true}");
        }
        case "/echo" -> send(exchange, 403, "{\"said\":\"" + authorization + "\"}");
        default -> send(exchange, 200, "{\"ok\":true}");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void send(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  private void secret(String name, String text) throws IOException {
    Path file = Files.createDirectories(folder.resolve("secrets")).resolve(name);
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }

  private ServedEngine start() throws IOException {
    List<String> log =
        List.of(
            "env",
            "PINION_SECRET_FROMENVIRONMENT=" + VARIABLE,
            "sh",
            "-c",
            "exec 2>>" + folder.resolve("log") + "; exec \"$@\"",
            "sh");
    return ServedEngine.startUnder(
        log,
        folder.resolve("data"),
        "--history",
        "sqlite",
        "--replicas",
        "1",
        "--restart-window",
        "1",
        "--secrets-directory",
        folder.resolve("secrets").toString(),
        "--handlers",
        folder.resolve("chains.yaml").toString(),
        "--set",
        "journal.snapshotLogBytes=1,journal.closeLogBytes=0,kernel.maxCalls=2,"
            + "kernel.maxHeldBytes=4194304");
  }

  private String told(Answer answer) {
    told.add(answer.body());
    return answer.body();
  }

  private String start(ServedEngine engine, String name, String filler) throws IOException {
    Answer answer =
        ServedEngine.ask(
            "POST",
            engine.uri().resolve("/v1/namespaces/test/definitions/" + name + "/instances"),
            "{\"input\":{\"marker\":\"" + MARKER + "\",\"filler\":\"" + filler + "\"}}",
            "Content-Type",
            "application/json",
            "Prefer",
            "respond-async");
    assertEquals(202, answer.status(), told(answer));
    return answer.json().path("id").asText();
  }

  private void awaitEnd(ServedEngine engine, String id) {
    await()
        .atMost(PATIENCE)
        .ignoreExceptions()
        .until(() -> told(engine.get("/v1/instances/" + id)).contains("FAULTED"));
  }

  @Test
  @Tag("long")
  void shouldLeaveNoTraceOfSecrets() throws Exception {
    secret("key", KEY + "\n");
    secret("login", "{\"username\":\"ann\",\"password\":\"" + PASSWORD + "\"}");
    secret(
        "idp",
        "{\"authority\":\"%s\",\"grant\":\"client_credentials\",\"client\":{\"id\":\"a\",\"secret\":\"%s\"}}"
            .formatted(base(), CLIENT));
    secret("hook", base() + "/hooks/" + HOOK + "\n");
    Files.writeString(
        folder.resolve("chains.yaml"),
        "chains: [{name: calls, at: before-call, handlers: [{use: correlation}, {use: audit,"
            + " settings: {file: '"
            + folder.resolve("data/audit.log")
            + "', force: false}}]}]");
    String id;
    try (ServedEngine engine = start()) {
      String yaml = DEFINITION.replace("SERVER", base()).replace("NAME", "canary");
      Answer deployed = engine.post("/v1/definitions", "application/yaml", yaml);
      assertEquals(201, deployed.status(), told(deployed));
      id = start(engine, "canary", "");
      List<String> others = new ArrayList<>();
      for (int i = 0; i < 8; i++) { // they wait for permits, with their values packed
        others.add(start(engine, "canary", "f".repeat(250_000)));
      }
      await().atMost(PATIENCE).until(() -> !held.isEmpty());
      told(engine.get("/v1/instances/" + id));
      engine.replicas().stream()
          .filter(each -> each.info().commandLine().orElse("").contains("ReplicaMain"))
          .forEach(ProcessHandle::destroyForcibly);
      killed.countDown();
      awaitEnd(engine, id);
      for (String other : others) {
        awaitEnd(engine, other);
      }
      told(engine.get("/v1/history/instances/" + id));
      told(engine.get("/v1/history/instances/" + id + "/events"));
      told(ServedEngine.ask("GET", engine.admin().resolve("/metrics"), null));
      await().atMost(PATIENCE).until(() -> told(engine.get("/v1/history/instances")).contains(id));
    }

    assertTrue(held.size() > 1, "the call was made again");
    assertEquals(List.of("Bearer " + TOKEN), held.stream().distinct().toList());
    assertTrue(
        requests.stream().anyMatch(each -> each.contains("/bots/" + KEY)), requests::toString);
    assertTrue(requests.stream().anyMatch(each -> each.contains("/hooks/" + HOOK)));
    assertTrue(
        requests.stream()
            .anyMatch(each -> each.contains(CLIENT) || each.contains(CanarySearch.form(CLIENT))));
    Map<String, List<String>> found =
        new CanarySearch(
                MARKER, List.of(KEY, PASSWORD, TOKEN, CLIENT, VARIABLE, HOOK, "ann:" + PASSWORD))
            .find(folder.resolve("data"), folder.resolve("log"), told);
    assertTrue(found.getOrDefault(MARKER, List.of()).size() > 1, found::toString);
    found.remove(MARKER);
    assertEquals(Map.of(), found);
  }
}
