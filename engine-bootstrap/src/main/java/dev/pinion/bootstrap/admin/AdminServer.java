package dev.pinion.bootstrap.admin;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.pinion.core.model.OwnHosts;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.stream.Collectors;

/** The listener for operators, on loopback: a small HTTP server with a table of routes. */
public final class AdminServer implements AutoCloseable {
  /** Connections open at once; more wait to be accepted. */
  static final int MAX_CONNECTIONS = 64;

  /** Threads that answer. */
  static final int MAX_THREADS = 4;

  /** Bytes of the longest body of a request. */
  static final int MAX_BODY_BYTES = 1_024;

  /** Bytes of all headers of a request. */
  static final int MAX_HEADER_BYTES = 16_384;

  /** Seconds a request may take to arrive, and an answer to leave. */
  static final int MAX_SECONDS = 10;

  private static final int BACKLOG = 16;

  /** What the server of the JDK takes for the length of no body. */
  private static final int NO_BODY = -1;

  private static final int IDLE_SECONDS = 30;

  static {
    // The server of the JDK takes its bounds from system properties when it is first used.
    System.setProperty("jdk.httpserver.maxConnections", Integer.toString(MAX_CONNECTIONS));
    System.setProperty("sun.net.httpserver.maxIdleConnections", Integer.toString(MAX_CONNECTIONS));
    System.setProperty("sun.net.httpserver.maxReqHeaders", "64");
    System.setProperty("sun.net.httpserver.maxReqHeaderSize", Integer.toString(MAX_HEADER_BYTES));
    System.setProperty("sun.net.httpserver.maxReqTime", Integer.toString(MAX_SECONDS));
    System.setProperty("sun.net.httpserver.maxRspTime", Integer.toString(MAX_SECONDS));
    System.setProperty("sun.net.httpserver.idleInterval", Integer.toString(IDLE_SECONDS));
    System.setProperty("sun.net.httpserver.nodelay", "true");
  }

  private final HttpServer server;
  private final ThreadPoolExecutor threads;
  private final List<Route> routes;
  private final OwnHosts hosts;

  private AdminServer(HttpServer server, List<Route> routes, OwnHosts hosts) {
    this.server = server;
    this.routes = routes;
    this.hosts = hosts;
    this.threads =
        new ThreadPoolExecutor(
            MAX_THREADS,
            MAX_THREADS,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(MAX_CONNECTIONS),
            task -> {
              Thread thread = new Thread(task, "admin");
              thread.setDaemon(true);
              return thread;
            });
    threads.allowCoreThreadTimeOut(true);
  }

  /**
   * Opens a listener that answers at once.
   *
   * @param address loopback address to listen on
   * @param port port to listen on; 0 for any that is free
   * @param pages what it shows and does
   * @param hosts names and addresses under which it may be called
   * @throws IOException when it cannot listen there
   */
  public static AdminServer open(InetAddress address, int port, AdminPages pages, OwnHosts hosts)
      throws IOException {
    HttpServer http = HttpServer.create(new InetSocketAddress(address, port), BACKLOG);
    AdminServer server = new AdminServer(http, pages.routes(), hosts);
    http.setExecutor(server.threads);
    http.createContext("/", server::handle);
    http.start();
    return server;
  }

  /** Where it answers. */
  public URI uri() {
    InetSocketAddress address = server.getAddress();
    String host = address.getAddress().getHostAddress();
    return URI.create(
        "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort());
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      Answer answer = answer(exchange);
      byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", answer.type());
      exchange.getResponseHeaders().set("Cache-Control", "no-store");
      answer.headers().forEach(exchange.getResponseHeaders()::set);
      if (exchange.getRequestMethod().equals(Route.HEAD)) {
        exchange.getResponseHeaders().set("Content-Length", Integer.toString(body.length));
        exchange.sendResponseHeaders(answer.status(), NO_BODY);
        return;
      }
      exchange.sendResponseHeaders(answer.status(), body.length);
      try (OutputStream out = exchange.getResponseBody()) {
        out.write(body);
      }
    }
  }

  private Answer answer(HttpExchange exchange) throws IOException {
    Answer refusal = RequestGuard.refusal(exchange, hosts);
    if (refusal != null) {
      return refusal;
    }
    byte[] body = exchange.getRequestBody().readNBytes(MAX_BODY_BYTES + 1);
    if (body.length > MAX_BODY_BYTES) {
      return Answer.problem(
          413, "Body too long", "expected at most " + MAX_BODY_BYTES + " bytes, found more");
    }
    Answer unwanted = RequestGuard.refusal(body);
    if (unwanted != null) {
      return unwanted;
    }
    URI uri = exchange.getRequestURI();
    String query = uri.getQuery() == null ? "" : uri.getQuery();
    String path = uri.getPath() == null ? "" : uri.getPath();
    return route(exchange.getRequestMethod(), path, query);
  }

  private Answer route(String method, String path, String query) {
    TreeSet<String> allowed = new TreeSet<>();
    for (Route route : routes) {
      Matcher matcher = route.path().matcher(path);
      if (!matcher.matches()) {
        continue;
      }
      if (route.answers(method)) {
        return act(route, matcher, query);
      }
      allowed.addAll(route.methods());
    }
    if (allowed.isEmpty()) {
      String known =
          routes.stream().map(Route::toString).distinct().collect(Collectors.joining(", "));
      return Answer.problem(
          404, "No such page", "expected one of " + known + ", found " + method + " " + path);
    }
    String methods = String.join(", ", allowed);
    return Answer.problem(
            405, "Method not allowed", "expected " + methods + " here, found " + method)
        .with("Allow", methods);
  }

  private static Answer act(Route route, Matcher matcher, String query) {
    try {
      return route.action().answer(matcher, query);
    } catch (IOException e) {
      return Answer.problem(503, "Not now", String.valueOf(e.getMessage()))
          .with("Retry-After", "1");
    }
  }

  /** Stops listening; answers under way are cut off. */
  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
