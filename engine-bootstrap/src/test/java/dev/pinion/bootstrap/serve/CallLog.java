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
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

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
  private final ScheduledExecutorService answers = new ScheduledThreadPoolExecutor(1);
  private final long delayMillis;
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

  /**
   * Services that answer after a time.
   *
   * @param delayMillis how long each call is under way
   */
  CallLog(long delayMillis) throws IOException {
    this.delayMillis = delayMillis;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1_024);
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
  }

  @SuppressWarnings("FutureReturnValueIgnored") // an answer that fails is a caller that has gone
  private void answer(HttpExchange exchange) throws IOException {
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
    answers.schedule(() -> answer(exchange, number), delayMillis, TimeUnit.MILLISECONDS);
  }

  private static @Nullable Void answer(HttpExchange exchange, long number) throws IOException {
    try (exchange) {
      byte[] answer = ("{\"number\":" + number + "}").getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.getResponseHeaders().set("Connection", "close"); // else it closes idle ones in use
      exchange.sendResponseHeaders(200, answer.length);
      exchange.getResponseBody().write(answer);
    }
    return null;
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
    answers.shutdownNow();
    server.stop(0);
    threads.close();
  }
}
