package dev.pinion.bootstrap.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Returns prepared responses to requests, in order, and records the requests. It serves below a
 * unique path: clients of a previous server at this port receive 404.
 */
public final class StubEngine implements AutoCloseable {
  private static final int INTERNAL_SERVER_ERROR = 500;
  private static final int BREAKS_OFF = -1;

  private final HttpServer server;
  private final String base = "/" + UUID.randomUUID();
  private final Deque<Prepared> answers = new ArrayDeque<>();
  private final List<Seen> seen = new CopyOnWriteArrayList<>();

  /** A request as received. */
  public record Seen(String line, String contentType, String prefer, String body) {}

  private record Prepared(int status, String body) {}

  public StubEngine() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(base + "/", this::answer);
    server.start();
  }

  public StubEngine answering(int status, String body) {
    answers.add(new Prepared(status, body));
    return this;
  }

  /** A response that breaks off. */
  public StubEngine breakingOff() {
    return answering(BREAKS_OFF, "");
  }

  public String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + base;
  }

  public List<Seen> seen() {
    return seen;
  }

  private void answer(HttpExchange exchange) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    seen.add(
        new Seen(
            exchange.getRequestMethod()
                + " "
                + exchange.getRequestURI().toString().substring(base.length()),
            String.valueOf(exchange.getRequestHeaders().getFirst("Content-Type")),
            String.valueOf(exchange.getRequestHeaders().getFirst("Prefer")),
            body));
    Prepared prepared =
        Objects.requireNonNullElseGet(
            answers.pollFirst(),
            () ->
                new Prepared(
                    INTERNAL_SERVER_ERROR,
                    "{\"title\": \"no answer was prepared, after " + seen.size() + " requests\"}"));
    if (prepared.status() == BREAKS_OFF) {
      exchange.sendResponseHeaders(200, 10);
      exchange.getResponseBody().write('{');
      exchange.getResponseBody().flush();
      throw new IOException("breaks off"); // the server closes the connection
    }
    byte[] bytes = prepared.body().getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(prepared.status(), bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
