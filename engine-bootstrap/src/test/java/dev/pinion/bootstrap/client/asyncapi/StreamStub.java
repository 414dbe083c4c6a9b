package dev.pinion.bootstrap.client.asyncapi;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** A server of HTTP on loopback whose responses grow as a test says. */
final class StreamStub implements AutoCloseable {
  private static final String END = "";

  /** Requests so far. */
  final List<StreamRequest> asked = new CopyOnWriteArrayList<>();

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Map<Integer, BlockingQueue<String>> parts = new ConcurrentHashMap<>();
  private final AtomicInteger requests = new AtomicInteger();
  private final int status;
  private final String type;

  /** A request. */
  record StreamRequest(String method, String path, Headers headers) {}

  /**
   * A server.
   *
   * @param type media type of its responses
   */
  StreamStub(int status, String type) throws IOException {
    this.status = status;
    this.type = type;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
  }

  int port() {
    return server.getAddress().getPort();
  }

  /** Sends a part of the first response. */
  void send(String text) {
    send(0, text);
  }

  /** Sends a part of the response to a request. */
  void send(int request, String text) {
    partsOf(request).add(text);
  }

  /** Ends the first response. */
  void end() {
    send(0, END);
  }

  private BlockingQueue<String> partsOf(int request) {
    return parts.computeIfAbsent(request, _ -> new LinkedBlockingQueue<>());
  }

  private void answer(HttpExchange exchange) throws IOException {
    BlockingQueue<String> own = partsOf(requests.getAndIncrement());
    try (exchange) {
      asked.add(
          new StreamRequest(
              exchange.getRequestMethod(),
              exchange.getRequestURI().toString(),
              exchange.getRequestHeaders()));
      exchange.getResponseHeaders().set("Content-Type", type);
      exchange.sendResponseHeaders(status, 0);
      for (String part = own.take(); !part.equals(END); part = own.take()) {
        exchange.getResponseBody().write(part.getBytes(StandardCharsets.UTF_8));
        exchange.getResponseBody().flush();
      }
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
