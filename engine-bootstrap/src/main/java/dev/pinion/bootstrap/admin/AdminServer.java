package dev.pinion.bootstrap.admin;

import dev.pinion.core.http.AllowedHosts;
import dev.pinion.core.http.OperatorHttpServer;
import dev.pinion.core.http.OperatorService;
import dev.pinion.core.http.OperatorService.OperatorRequest;
import dev.pinion.core.http.OperatorService.OperatorResponse;
import dev.pinion.core.limits.EngineLimits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.stream.Collectors;

/** The listener for operators, on loopback: a table of routes behind a small HTTP server. */
public final class AdminServer implements AutoCloseable {
  /** Connections open at once; more wait to be accepted. */
  static final int MAX_CONNECTIONS = 64;

  /** Threads that answer requests. */
  static final int MAX_THREADS = 4;

  private static final int IDLE_SECONDS = 30;

  private final OperatorHttpServer server;
  private final ThreadPoolExecutor threads;

  private AdminServer(OperatorHttpServer server, ThreadPoolExecutor threads) {
    this.server = server;
    this.threads = threads;
  }

  /**
   * Opens a listener that answers immediately.
   *
   * @param address loopback address to listen on
   * @param port port to listen on; 0 for any free one
   * @param pages its routes
   * @param hosts names and addresses permitted in requests
   * @throws IOException when it cannot listen there
   */
  public static AdminServer open(
      InetAddress address, int port, AdminRoutes pages, AllowedHosts hosts) throws IOException {
    ThreadPoolExecutor threads = threads();
    OperatorHttpServer server =
        OperatorHttpServer.open(
            new InetSocketAddress(address, port),
            EngineLimits.defaults().request(),
            hosts,
            threads,
            new Routes(pages.routes()),
            MAX_CONNECTIONS);
    return new AdminServer(server, threads);
  }

  private static ThreadPoolExecutor threads() {
    ThreadPoolExecutor threads =
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
    return threads;
  }

  /** Address of the listener. */
  public URI uri() {
    InetSocketAddress address = server.address();
    String host = address.getAddress().getHostAddress();
    return URI.create(
        "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort());
  }

  /** Dispatches each request to its route. */
  private record Routes(List<AdminRoute> routes) implements OperatorService {
    @Override
    public OperatorResponse answer(OperatorRequest operatorRequest) {
      TreeSet<String> allowed = new TreeSet<>();
      for (AdminRoute adminRoute : routes) {
        Matcher matcher = adminRoute.path().matcher(operatorRequest.path());
        if (!matcher.matches()) {
          continue;
        }
        if (adminRoute.answers(operatorRequest.method())) {
          return reply(act(adminRoute, matcher, operatorRequest.query()));
        }
        allowed.addAll(adminRoute.methods());
      }
      String found = ", found " + operatorRequest.method() + " " + operatorRequest.path();
      if (allowed.isEmpty()) {
        String known =
            routes.stream().map(AdminRoute::toString).distinct().collect(Collectors.joining(", "));
        return reply(
            AdminResponse.problem(404, "No such page", "expected one of " + known + found));
      }
      String methods = String.join(", ", allowed);
      return reply(
          AdminResponse.problem(405, "Method not allowed", "expected " + methods + found)
              .with("Allow", methods));
    }

    @Override
    public OperatorResponse refusal(int status, String code, String title, String detail) {
      return reply(AdminResponse.problem(status, code, title, detail));
    }

    private static AdminResponse act(AdminRoute adminRoute, Matcher matcher, String query) {
      try {
        return adminRoute.action().answer(matcher, query);
      } catch (IOException e) {
        return AdminResponse.problem(503, "Not now", String.valueOf(e.getMessage()))
            .with("Retry-After", "1");
      } catch (RuntimeException e) {
        return AdminResponse.problem(500, "Internal error", "expected an answer, found " + e);
      }
    }

    private static OperatorResponse reply(AdminResponse adminResponse) {
      Map<String, String> fields = new TreeMap<>(adminResponse.headers());
      fields.put("Cache-Control", "no-store");
      return new OperatorResponse(
          adminResponse.status(), adminResponse.type(), adminResponse.body(), fields);
    }
  }

  /** Stops listening; responses under way are cut off. */
  @Override
  public void close() {
    server.close();
    threads.shutdownNow();
  }
}
