package dev.pinion.bootstrap.admin;

import dev.pinion.core.model.EngineLimits;
import dev.pinion.core.model.OwnHosts;
import dev.pinion.core.request.OperatorHttpServer;
import dev.pinion.core.request.OperatorHttpServer.Asked;
import dev.pinion.core.request.OperatorHttpServer.Reply;
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
  public static AdminServer open(InetAddress address, int port, AdminPages pages, OwnHosts hosts)
      throws IOException {
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
  private record Routes(List<Route> routes) implements OperatorHttpServer.Service {
    @Override
    public Reply answer(Asked asked) {
      TreeSet<String> allowed = new TreeSet<>();
      for (Route route : routes) {
        Matcher matcher = route.path().matcher(asked.path());
        if (!matcher.matches()) {
          continue;
        }
        if (route.answers(asked.method())) {
          return reply(act(route, matcher, asked.query()));
        }
        allowed.addAll(route.methods());
      }
      String found = ", found " + asked.method() + " " + asked.path();
      if (allowed.isEmpty()) {
        String known =
            routes.stream().map(Route::toString).distinct().collect(Collectors.joining(", "));
        return reply(Answer.problem(404, "No such page", "expected one of " + known + found));
      }
      String methods = String.join(", ", allowed);
      return reply(
          Answer.problem(405, "Method not allowed", "expected " + methods + found)
              .with("Allow", methods));
    }

    @Override
    public Reply refusal(int status, String code, String title, String detail) {
      return reply(Answer.problem(status, code, title, detail));
    }

    private static Answer act(Route route, Matcher matcher, String query) {
      try {
        return route.action().answer(matcher, query);
      } catch (IOException e) {
        return Answer.problem(503, "Not now", String.valueOf(e.getMessage()))
            .with("Retry-After", "1");
      } catch (RuntimeException e) {
        return Answer.problem(500, "Internal error", "expected an answer, found " + e);
      }
    }

    private static Reply reply(Answer answer) {
      Map<String, String> fields = new TreeMap<>(answer.headers());
      fields.put("Cache-Control", "no-store");
      return new Reply(answer.status(), answer.type(), answer.body(), fields);
    }
  }

  /** Stops listening; responses under way are cut off. */
  @Override
  public void close() {
    server.close();
    threads.shutdownNow();
  }
}
