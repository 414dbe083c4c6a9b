package dev.pinion.workloads.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.pinion.workloads.catalog.MiniInterpreter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Deploys definitions and starts instances like the engine's REST API, with the interpreter of
 * these tests: enough of an engine for trying the demonstration, in this process or a separate one.
 */
public final class FakeEngine implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Kind of misbehaviour. */
  enum Fault {
    NONE,
    ONE_CALL_TOO_MANY,
    WRONG_OUTPUT,
    FAULTED,
    REFUSES_DEFINITIONS
  }

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final HttpClient http = HttpClient.newHttpClient();
  private final Map<String, String> definitions = new ConcurrentHashMap<>();
  private final AtomicInteger ids = new AtomicInteger();
  private final Fault fault;

  FakeEngine(Fault fault) throws IOException {
    this.fault = fault;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/v1/definitions", this::deploy);
    server.createContext("/v1/namespaces/benchmark/definitions/", this::start);
    server.start();
  }

  /** A process in place of {@code bin/pinion serve}. */
  public static void main(String[] args) throws IOException, InterruptedException {
    FakeEngine engine = new FakeEngine(Fault.valueOf(System.getProperty("fault", "NONE")));
    ObjectNode ready = JSON.createObjectNode();
    ready.put("ready", engine.uri().toString()).put("pid", ProcessHandle.current().pid());
    ready.putArray("replicas").addObject().put("pid", ProcessHandle.current().pid());
    System.out.println(ready);
    Thread.currentThread().join();
  }

  URI uri() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
    http.shutdownNow();
  }

  private void deploy(HttpExchange exchange) throws IOException {
    String yaml = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
    String type = exchange.getRequestHeaders().getFirst("content-type");
    if (fault == Fault.REFUSES_DEFINITIONS || !"application/yaml".equals(type)) {
      answer(exchange, 422, JSON.createObjectNode().put("title", "not a definition"));
      return;
    }
    JsonNode document = new YAMLMapper().readTree(yaml).get("document");
    definitions.put(document.get("name").textValue(), yaml);
    answer(exchange, 201, document);
  }

  private void start(HttpExchange exchange) throws IOException {
    String[] path = exchange.getRequestURI().getPath().split("/", -1);
    String yaml = definitions.get(path[5]);
    if (yaml == null || !path[6].equals("instances")) {
      answer(exchange, 404, JSON.createObjectNode().put("title", "no such definition"));
      return;
    }
    JsonNode input = JSON.readTree(exchange.getRequestBody()).get("input");
    JsonNode output = new MiniInterpreter(yaml, this::call).run(input);
    ObjectNode body = JSON.createObjectNode();
    body.put("id", "i_" + ids.incrementAndGet());
    body.put("state", fault == Fault.FAULTED ? "FAULTED" : "COMPLETED");
    body.set("output", fault == Fault.WRONG_OUTPUT ? JSON.nullNode() : output);
    answer(exchange, 200, body);
  }

  private JsonNode call(String endpoint, JsonNode body) {
    try {
      if (fault == Fault.ONE_CALL_TOO_MANY && endpoint.endsWith("/hotels")) {
        send(endpoint, body);
      }
      return send(endpoint, body);
    } catch (IOException lost) {
      throw new UncheckedIOException(lost);
    } catch (InterruptedException interrupted) {
      throw new IllegalStateException(interrupted);
    }
  }

  private JsonNode send(String endpoint, JsonNode body) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(endpoint))
            .POST(BodyPublishers.ofString(body.toString()))
            .build();
    return JSON.readTree(http.send(request, BodyHandlers.ofByteArray()).body());
  }

  private static void answer(HttpExchange exchange, int status, JsonNode body) throws IOException {
    byte[] bytes = body.toString().getBytes(UTF_8);
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }
}
