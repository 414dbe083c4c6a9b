package dev.pinion.bootstrap.serve;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.pinion.bootstrap.serve.ServedEngine.Answer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Field fault 9: an engine that stands still (SIGSTOP) for longer than a call's timeout, while all
 * of its calls are answered, accepts the responses when it continues.
 */
@Tag("long")
@EnabledOnOs(OS.LINUX)
class PausedServedTest {
  private static final int CALLS = 50;
  private static final String JSON = "application/json";

  private final CountDownLatch asked = new CountDownLatch(CALLS);
  private final CountDownLatch answer = new CountDownLatch(1);
  private final CountDownLatch answered = new CountDownLatch(CALLS);
  private @TempDir Path data;

  private void serve(HttpExchange exchange) throws IOException {
    exchange.getRequestBody().readAllBytes();
    asked.countDown();
    try {
      answer.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    byte[] body = "1".getBytes(StandardCharsets.US_ASCII);
    exchange.getResponseHeaders().add("Content-Type", JSON);
    exchange.sendResponseHeaders(200, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
    answered.countDown();
  }

  @Test
  void shouldTakeAnswersThatCameInAPause() throws Exception {
    InetSocketAddress free = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    HttpServer service = HttpServer.create(free, CALLS);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        ServedEngine engine =
            ServedEngine.start(data, "--set", "invoker.callTimeoutMillis=20000")) {
      service.setExecutor(threads);
      service.createContext("/", this::serve);
      service.start();
      deploy(engine, service.getAddress().getPort());
      List<String> instances = new ArrayList<>();
      for (int i = 0; i < CALLS; i++) {
        instances.add(start(engine));
      }
      asked.await();

      List<ProcessHandle> processes = new ArrayList<>(engine.replicas());
      processes.add(engine.parent().toHandle());
      signal("STOP", processes);
      answer.countDown();
      answered.await();
      await().pollDelay(Duration.ofSeconds(23)).atMost(Duration.ofSeconds(30)).until(() -> true);
      signal("CONT", processes);

      for (String instance : instances) {
        await().atMost(Duration.ofSeconds(30)).until(() -> hasEnded(engine, instance));
        Answer ended = engine.get(instance);
        assertEquals("COMPLETED", ended.json().path("state").asText(), ended::body);
      }
    } finally {
      service.stop(0);
    }
  }

  private static boolean hasEnded(ServedEngine engine, String instance) {
    try {
      String state = engine.get(instance).json().path("state").asText();
      assertNotEquals("FAULTED", state, () -> instance);
      return state.equals("COMPLETED");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void signal(String name, List<ProcessHandle> processes) throws Exception {
    List<String> command = new ArrayList<>(List.of("kill", "-" + name));
    processes.forEach(process -> command.add(Long.toString(process.pid())));
    assertEquals(0, new ProcessBuilder(command).inheritIO().start().waitFor());
  }

  private static void deploy(ServedEngine engine, int port) throws IOException {
    String definition =
        """
        document: {dsl: '1.0.3', namespace: test, name: asks, version: '1.0.0'}
        do:
          - ask:
              call: http
              with: {method: post, endpoint: 'http://127.0.0.1:PORT/', body: {}}
        """
            .replace("PORT", Integer.toString(port));
    Answer deployed = engine.post("/v1/definitions", "application/yaml", definition);
    assertEquals(201, deployed.status(), deployed.body());
  }

  private static String start(ServedEngine engine) throws IOException {
    Answer started =
        ServedEngine.ask(
            "POST",
            engine.uri().resolve("/v1/namespaces/test/definitions/asks/instances"),
            "{}",
            "Content-Type",
            JSON,
            "Prefer",
            "respond-async");
    assertEquals(202, started.status(), started.body());
    return "/v1/instances/" + started.json().path("id").asText();
  }
}
