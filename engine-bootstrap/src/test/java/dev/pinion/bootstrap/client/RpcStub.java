package dev.pinion.bootstrap.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** An HTTP server on loopback that answers messages of JSON-RPC as a test wants. */
public final class RpcStub implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<Received> received = new CopyOnWriteArrayList<>();
  private final CountDownLatch end = new CountDownLatch(1);

  /**
   * A request that came.
   *
   * @param message its body; a missing node when that is no object
   */
  public record Received(String method, Headers headers, JsonNode message) {}

  /** Answers a request. */
  @FunctionalInterface
  public interface Behaviour {
    void answer(Received request, Answer answer) throws IOException, InterruptedException;
  }

  /** The answer to one request. */
  public final class Answer {
    private final HttpExchange exchange;

    private Answer(HttpExchange exchange) {
      this.exchange = exchange;
    }

    /** Adds a header field. */
    public Answer with(String name, String value) {
      exchange.getResponseHeaders().add(name, value);
      return this;
    }

    /** Sends a status without a body. */
    public void status(int status) throws IOException {
      exchange.sendResponseHeaders(status, -1);
    }

    /** Sends JSON. */
    public void json(String text) throws IOException {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      with("Content-Type", "application/json");
      exchange.sendResponseHeaders(200, bytes.length);
      exchange.getResponseBody().write(bytes);
    }

    /** Sends events and ends the stream. */
    public void events(String... data) throws IOException {
      begin(data);
    }

    /** Sends events, and nothing more until the end of the test. */
    public void openEvents(String... data) throws IOException, InterruptedException {
      begin(data);
      end.await();
    }

    private void begin(String... data) throws IOException {
      with("Content-Type", "text/event-stream; charset=utf-8");
      exchange.sendResponseHeaders(200, 0);
      for (String each : data) {
        String event = "event: message\r\nid: 1\r\ndata: " + each + "\r\n\r\n";
        exchange.getResponseBody().write(event.getBytes(StandardCharsets.UTF_8));
        exchange.getResponseBody().flush();
      }
    }
  }

  public RpcStub(Behaviour behaviour) throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", exchange -> handle(exchange, behaviour));
    server.start();
  }

  private void handle(HttpExchange exchange, Behaviour behaviour) throws IOException {
    byte[] body = exchange.getRequestBody().readAllBytes();
    Received request =
        new Received(
            exchange.getRequestMethod(),
            exchange.getRequestHeaders(),
            body.length > 0 && body[0] == '{' ? JSON.readTree(body) : JSON.missingNode());
    received.add(request);
    try (exchange) {
      behaviour.answer(request, new Answer(exchange));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Everything that came, in order. */
  public List<Received> received() {
    return received;
  }

  /** The address of the server. */
  public String uri() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/";
  }

  @Override
  public void close() {
    end.countDown();
    server.stop(0);
    threads.shutdownNow();
  }
}
