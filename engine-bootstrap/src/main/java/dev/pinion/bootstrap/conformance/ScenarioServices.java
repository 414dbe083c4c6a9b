package dev.pinion.bootstrap.conformance;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.pinion.core.model.Clock;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * The services that a scenario calls, behind one HTTP server on a free loopback port. It stands in
 * for {@code services.example} and for the public hosts of the specification's features.
 */
final class ScenarioServices implements AutoCloseable {
  /** Requests of one scenario that are kept. */
  static final int MAX_REQUESTS = 10_000;

  private static final String HOSTS = "services\\.example|petstore\\.swagger\\.io|httpbin\\.org";

  private final Clock clock;
  private final HttpServer server;
  private final PublicServices others;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Map<String, List<ServiceAnswer>> answers = new HashMap<>();
  private final List<ReceivedRequest> requests = new ArrayList<>();

  ScenarioServices(Clock clock) throws IOException {
    this.clock = clock;
    this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    this.others = new PublicServices(resolved(FeatureLibrary.resource("petstore.json")));
    server.createContext("/", this::handle);
    server.setExecutor(threads);
    server.start();
  }

  /** URL of this server. */
  String base() {
    return "http://" + address() + "/";
  }

  private String address() {
    return "127.0.0.1:" + server.getAddress().getPort();
  }

  /** A text with the address of this server for the names of the hosts. */
  String resolved(String text) {
    String address = address();
    return text.replaceAll("https?://(?:" + HOSTS + ")\\b", "http://" + address)
        .replaceAll("\\b(?:" + HOSTS + ")\\b", address);
  }

  /**
   * Sets the answers of a service; the last one repeats.
   *
   * @param route method and path
   */
  synchronized void serve(String route, List<ServiceAnswer> ownAnswers) {
    answers.put(route, ownAnswers);
  }

  /** The requests to a service so far, in order. */
  synchronized List<ReceivedRequest> received(String route) {
    return requests.stream().filter(each -> each.route().equals(route)).toList();
  }

  /** Waits for a number of requests to a service; returns those that have come. */
  synchronized List<ReceivedRequest> await(String route, int number, Duration atMost)
      throws InterruptedException {
    long end = clock.nanoTime() + atMost.toNanos();
    long left = atMost.toNanos();
    while (received(route).size() < number && left > 0) {
      TimeUnit.NANOSECONDS.timedWait(this, left);
      left = end - clock.nanoTime();
    }
    return received(route);
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      Map<String, List<String>> fields = new TreeMap<>();
      exchange
          .getRequestHeaders()
          .forEach((name, values) -> fields.put(ReceivedRequest.headerName(name), values));
      ReceivedRequest request =
          new ReceivedRequest(
              exchange.getRequestMethod(),
              exchange.getRequestURI(),
              fields,
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
      ServiceAnswer answer = answer(request);
      boolean over =
          answer.delay().isPositive()
              && closed.await(answer.delay().toMillis(), TimeUnit.MILLISECONDS);
      if (!over && !answer.closes()) {
        send(exchange, answer.to(request));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized ServiceAnswer answer(ReceivedRequest request) {
    int number = received(request.route()).size();
    if (requests.size() < MAX_REQUESTS) {
      requests.add(request);
      notifyAll();
    }
    List<ServiceAnswer> own = answers.get(request.route());
    return own == null ? others.answer(request) : own.get(Math.min(number, own.size() - 1));
  }

  private static void send(HttpExchange exchange, ServiceAnswer answer) throws IOException {
    byte[] content = answer.content();
    if (content.length > 0) {
      exchange.getResponseHeaders().set("Content-Type", answer.mediaType());
    }
    answer.headers().forEach((name, value) -> exchange.getResponseHeaders().set(name, value));
    boolean empty = content.length == 0 || exchange.getRequestMethod().equals("HEAD");
    exchange.sendResponseHeaders(answer.status(), empty ? -1 : content.length);
    if (!empty) {
      exchange.getResponseBody().write(content);
    }
  }

  @Override
  public void close() {
    closed.countDown();
    server.stop(0);
    threads.shutdownNow();
  }
}
