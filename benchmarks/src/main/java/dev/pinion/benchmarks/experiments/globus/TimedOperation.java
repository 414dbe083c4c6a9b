package dev.pinion.benchmarks.experiments.globus;

import dev.pinion.benchmarks.testbed.BlockingHttpClient;
import dev.pinion.benchmarks.testbed.BlockingHttpClient.Request;
import dev.pinion.benchmarks.testbed.BlockingHttpClient.Response;
import java.io.IOException;
import java.util.function.IntPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A repeated request to an engine.
 *
 * @param name its name in tables
 * @param preparation untimed preparation of each request
 * @param right valid statuses
 */
record TimedOperation(String name, Preparation preparation, IntPredicate right) {
  private static final Pattern VARIABLE = Pattern.compile("\\{[^}]+}");

  /** Creates the n-th request, n from 1. */
  @FunctionalInterface
  interface Preparation {
    Request request(BlockingHttpClient client, int n) throws IOException, InterruptedException;
  }

  /**
   * Variable parts of the requests of one route.
   *
   * @param variable value of the variable in the path
   * @param body JSON; empty for none
   */
  record Part(String variable, String body) {
    /** No variable and no body. */
    static final Part NONE = of("", "");

    static Part of(String variable, String body) {
      return new Part(variable, body);
    }
  }

  /** Creates the variable parts of the n-th request of a route, n from 1. */
  @FunctionalInterface
  interface Filling {
    Part fill(BlockingHttpClient client, int n) throws IOException, InterruptedException;
  }

  /**
   * A route of the interface.
   *
   * @param route method and path, such as {@code GET /v1/instances/{id}/events}; its name
   */
  static TimedOperation route(String route, IntPredicate right, Filling filling) {
    int space = route.indexOf(' ');
    String method = route.substring(0, space);
    String path = route.substring(space + 1);
    return new TimedOperation(
        route,
        (client, n) -> {
          Part part = filling.fill(client, n);
          return new Request(
              method,
              VARIABLE.matcher(path).replaceAll(Matcher.quoteReplacement(part.variable())),
              part.body().isEmpty() ? "" : "application/json",
              part.body(),
              "");
        },
        right);
  }

  /** A route with one valid status. */
  static TimedOperation route(String route, int status, Filling filling) {
    return route(route, found -> found == status, filling);
  }

  /** A route whose requests are all equal. */
  static TimedOperation route(String route, int status, Part part) {
    return route(route, status, (client, n) -> part);
  }

  /** A request without preparation. */
  static TimedOperation of(String name, Request ask, int status) {
    return new TimedOperation(name, (client, n) -> ask, found -> found == status);
  }

  /** A start that is awaited and must complete. */
  static TimedOperation start(String name, String definition, String input) {
    return of(name, FirstCallDefinitions.start(definition, input), 200);
  }

  /** Whether a response is valid. */
  boolean accepts(Response answer) {
    return right.test(answer.status());
  }
}
