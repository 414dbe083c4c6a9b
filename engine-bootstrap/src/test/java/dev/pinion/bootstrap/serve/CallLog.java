package dev.pinion.bootstrap.serve;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A service that answers every call with a number that no other call gets, and writes down who
 * called.
 */
final class CallLog implements AutoCloseable {
  static {
    // by default it closes what it takes for idle beyond 200 connections, under calls too
    System.setProperty("sun.net.httpserver.maxIdleConnections", "100000");
  }

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Queue<Call> calls = new ConcurrentLinkedQueue<>();
  private final AtomicLong numbers = new AtomicLong();

  /**
   * A call.
   *
   * @param path what was called
   * @param body what was sent
   * @param key its idempotency key
   * @param attempt for the how manieth time it was made, by its own account
   * @param answer the number it was answered with
   * @param nanos when it came
   */
  record Call(String path, String body, String key, int attempt, long answer, long nanos) {}

  CallLog() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1_024);
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      long nanos = System.nanoTime();
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      long number = numbers.incrementAndGet();
      calls.add(
          new Call(
              exchange.getRequestURI().getPath(),
              body,
              String.valueOf(exchange.getRequestHeaders().getFirst("Idempotency-Key")),
              Integer.parseInt(
                  String.valueOf(exchange.getRequestHeaders().getFirst("Pinion-Attempt"))),
              number,
              nanos));
      byte[] answer = ("{\"number\":" + number + "}").getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.getResponseHeaders().set("Connection", "close"); // else it closes idle ones in use
      exchange.sendResponseHeaders(200, answer.length);
      exchange.getResponseBody().write(answer);
    }
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** Calls so far, in the order in which they came. */
  List<Call> calls() {
    return List.copyOf(calls);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.close();
  }
}
