package dev.pinion.bootstrap.serve;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.pinion.bootstrap.serve.ServedEngine.Answer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Secrets leave no trace behind any kind of call, although whoever is called repeats them as far as
 * messages are cut: in the data folder, the log, events to a sink, drawings and answers to clients.
 */
@EnabledOnOs(OS.LINUX)
class CanaryCallsServedTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String DEFINITIONS = "/v1/namespaces/test/definitions/";
  private static final String MARKER = "marker-4711-0815";

  /** How all secrets begin, so that parts of them are found, too. */
  private static final String CANARY = "canary";

  /** Has characters with escapes in JSON, and may stand in a header field. */
  private static final String KEY = CANARY + "\"key\\1111";

  private static final String PASSWORD = CANARY + "+password-2222";

  @TempDir private Path folder;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final List<String> events = new CopyOnWriteArrayList<>();
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
    service.stop(0);
    threads.shutdownNow();
  }

  private String base() {
    return "http://127.0.0.1:" + service.getAddress().getPort();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      String path = exchange.getRequestURI().getPath();
      if (path.equals("/sink")) {
        events.add(field(exchange, "ce-type") + " " + body);
        send(exchange, 200, "{}");
        return;
      }
      String request =
          String.join(" ", path, field(exchange, "Authorization"), field(exchange, "X-Key"), body);
      requests.add(request);
      switch (path) {
        case "/ok" -> send(exchange, 200, "{\"ok\":true}");
        case "/rpc" -> send(exchange, 200, rpcError());
        case "/digest" -> challenge(exchange);
        default -> send(exchange, 403, said(request));
      }
    }
  }

  private static String field(HttpExchange exchange, String name) {
    return String.valueOf(exchange.getRequestHeaders().getFirst(name));
  }

  private static String said(String text) throws IOException {
    return "{\"said\":" + JSON.writeValueAsString(text) + "}";
  }

  /** An error whose message is cut within the secret. */
  private static String rpcError() throws IOException {
    String message = JSON.writeValueAsString("x".repeat(243) + KEY + "y".repeat(400));
    return "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":1,\"message\":" + message + "}}";
  }

  private static void challenge(HttpExchange exchange) throws IOException {
    exchange
        .getResponseHeaders()
        .set("WWW-Authenticate", "Digest realm=\"r\", nonce=\"n\", algorithm=SHA-256");
    send(exchange, 401, said(PASSWORD));
  }

  private static void send(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  private Path write(String name, String text, String permissions) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(Objects.requireNonNull(file.getParent()));
    Files.writeString(file, text);
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
  }

  private Map<String, String> tasks() throws IOException {
    Path api = write("documents/api.yaml", CanaryTasks.api(base()), "rw-------");
    Path proto = write("documents/greeter.proto", CanaryTasks.PROTO, "rw-------");
    Path program =
        write("server", "#!/bin/sh\nread -r line\nprintf %s \"$KEY\" >&2\nexit 3\n", "rwx------");
    return CanaryTasks.all(
        api.toUri().toString(), proto.toUri().toString(), closedPort(), program.toString());
  }

  private static int closedPort() throws IOException {
    try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return closed.getLocalPort();
    }
  }

  private ServedEngine start() throws IOException {
    List<String> log =
        List.of("sh", "-c", "exec 2>>" + folder.resolve("log") + "; exec \"$@\"", "sh");
    return ServedEngine.startUnder(
        log,
        folder.resolve("data"),
        "--history",
        "sqlite",
        "--replicas",
        "1",
        "--secrets-directory",
        folder.resolve("secrets").toString(),
        "--documents",
        folder.resolve("documents").toString(),
        "--programs",
        "shell,mcp",
        "--event-sinks",
        "audit=" + base() + "/sink",
        "--lifecycle-events",
        "audit",
        "--set",
        "journal.snapshotLogBytes=1,journal.closeLogBytes=0,publish.retryMillis=10");
  }

  private String told(Answer answer) {
    told.add(answer.body());
    return answer.body();
  }

  /** Deploys a definition with one task and runs it to its end. */
  private String run(ServedEngine engine, String name, String task) throws IOException {
    String yaml = CanaryTasks.definition(name, task, base());
    Answer deployed = engine.post("/v1/definitions", "application/yaml", yaml);
    assertEquals(201, deployed.status(), told(deployed));
    Answer started =
        ServedEngine.ask(
            "POST",
            engine.uri().resolve(DEFINITIONS + name + "/instances"),
            "{\"input\":{\"marker\":\"" + MARKER + "\"}}",
            "Content-Type",
            "application/json",
            "Prefer",
            "respond-async");
    assertEquals(202, started.status(), told(started));
    String id = started.json().path("id").asText();
    String end = name.equals("emit") ? "COMPLETED" : "FAULTED";
    await().atMost(PATIENCE).until(() -> told(engine.get("/v1/instances/" + id)).contains(end));
    return id;
  }

  private void look(ServedEngine engine, String name, String id) throws IOException {
    told(engine.get(DEFINITIONS + name + "/versions/1.0.0"));
    told(engine.get(DEFINITIONS + name + "/versions/1.0.0/graph"));
    await()
        .atMost(PATIENCE)
        .until(() -> told(engine.get("/v1/history/instances/" + id + "/events")).contains(id));
  }

  @Test
  void shouldLeaveNoTraceOfSecretsBehindAnyCall() throws Exception {
    write("secrets/key", KEY + "\n", "rw-------");
    write(
        "secrets/login", "{\"username\":\"ann\",\"password\":\"" + PASSWORD + "\"}\n", "rw-------");
    Map<String, String> tasks = tasks();
    try (ServedEngine engine = start()) {
      String last = "";
      for (Map.Entry<String, String> task : tasks.entrySet()) {
        last = run(engine, task.getKey(), task.getValue());
        look(engine, task.getKey(), last);
      }
      String faulted = last;
      await()
          .atMost(PATIENCE)
          .until(() -> events.stream().anyMatch(e -> e.contains("faulted") && e.contains(faulted)));
      await()
          .atMost(PATIENCE)
          .until(() -> events.stream().anyMatch(e -> e.contains("com.example.told")));
      told(engine.get("/v1/instances"));
      told(engine.get("/v1/history/instances"));
      told(ServedEngine.ask("GET", engine.admin().resolve("/metrics"), null));
    }

    for (String path : List.of("/echo/", "/rpc ", "/ok ", "/echo ")) {
      assertTrue(
          requests.stream().anyMatch(each -> each.startsWith(path) && each.contains(KEY)), path);
    }
    assertTrue(requests.stream().anyMatch(each -> each.startsWith("/digest Digest ")));
    told.addAll(events);
    Map<String, List<String>> found =
        new CanarySearch(MARKER, List.of(CANARY, KEY, PASSWORD))
            .find(folder.resolve("data"), folder.resolve("log"), told);
    assertTrue(found.containsKey(MARKER), found::toString);
    found.remove(MARKER);
    assertEquals(Map.of(), found);
  }
}
