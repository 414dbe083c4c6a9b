package dev.pinion.bootstrap.history;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.IntUnaryOperator;

/** A subscriber: records its requests and answers as configured. */
public final class Sink implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<Got> got = new CopyOnWriteArrayList<>();
  private final IntUnaryOperator statuses;

  /**
   * A request.
   *
   * @param contentType its type
   * @param event the attribute id, in either format
   */
  public record Got(String contentType, String event, String type, String body, int status) {
    /** The body, which is JSON. */
    public JsonNode json() {
      return read(body);
    }
  }

  /**
   * A subscriber.
   *
   * @param statuses status for the nth request, from 0; negative for no response
   */
  public Sink(IntUnaryOperator statuses) throws IOException {
    this.statuses = statuses;
    this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
  }

  /** A subscriber that accepts everything. */
  public static Sink willing() throws IOException {
    return new Sink(n -> 204);
  }

  private void answer(HttpExchange exchange) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    String contentType = exchange.getRequestHeaders().getFirst("Content-Type");
    String id = exchange.getRequestHeaders().getFirst("ce-id");
    String type = exchange.getRequestHeaders().getFirst("ce-type");
    int status;
    synchronized (this) {
      status = statuses.applyAsInt(got.size());
      got.add(
          new Got(
              contentType,
              id == null ? read(body).path("id").asText() : id,
              type == null ? read(body).path("type").asText() : type,
              body,
              status));
    }
    if (status >= 0) {
      exchange.sendResponseHeaders(status, -1);
      exchange.close();
    }
  }

  private static JsonNode read(String body) {
    try {
      return JSON.readTree(body);
    } catch (IOException e) {
      throw new AssertionError(body, e);
    }
  }

  /** Its address. */
  public String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/events";
  }

  /** Its requests so far, in order. */
  public List<Got> got() {
    return List.copyOf(got);
  }

  /** Ids of its accepted events, in order. */
  public List<String> taken() {
    return got.stream()
        .filter(each -> each.status() >= 200 && each.status() < 300)
        .map(Got::event)
        .toList();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
