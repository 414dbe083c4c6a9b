package dev.pinion.core.engine;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** A server on a free loopback port that records requests and answers them by a function. */
final class ProtectedServer implements AutoCloseable {
  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<Request> requests = new CopyOnWriteArrayList<>();
  private volatile Service service = request -> Answer.of(404, "{}");

  /** Answers requests. */
  @FunctionalInterface
  interface Service {
    Answer answer(Request request) throws InterruptedException;
  }

  /** A request. */
  record Request(String method, String path, String query, Headers headers, String body) {
    String field(String name) {
      String value = headers.getFirst(name);
      return value == null ? "" : value;
    }

    /** The values of a form by name. */
    Map<String, String> form() {
      Map<String, String> form = new LinkedHashMap<>();
      for (String pair : body.split("&", -1)) {
        int equals = pair.indexOf('=');
        form.merge(
            URLDecoder.decode(pair.substring(0, equals), StandardCharsets.UTF_8),
            URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8),
            (first, next) -> first + " | " + next);
      }
      return form;
    }
  }

  /** An answer. */
  record Answer(int status, String body, Map<String, String> fields) {
    static Answer of(int status, String body) {
      return new Answer(status, body, Map.of());
    }

    static Answer ok(String body) {
      return of(200, body);
    }
  }

  ProtectedServer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::handle);
    server.setExecutor(threads);
    server.start();
  }

  ProtectedServer serving(Service replacement) {
    service = replacement;
    return this;
  }

  String base() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** The requests so far. */
  List<Request> requests() {
    return List.copyOf(requests);
  }

  /** The requests of a path so far. */
  List<Request> requests(String path) {
    return requests.stream().filter(request -> request.path().equals(path)).toList();
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      @Nullable String query = exchange.getRequestURI().getRawQuery();
      Headers headers = new Headers();
      headers.putAll(exchange.getRequestHeaders());
      Request request =
          new Request(
              exchange.getRequestMethod(),
              exchange.getRequestURI().getRawPath(),
              query == null ? "" : query,
              headers,
              body);
      requests.add(request);
      Answer answer = service.answer(request);
      byte[] bytes = answer.body().getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      answer.fields().forEach(exchange.getResponseHeaders()::set);
      exchange.sendResponseHeaders(answer.status(), bytes.length == 0 ? -1 : bytes.length);
      exchange.getResponseBody().write(bytes);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
