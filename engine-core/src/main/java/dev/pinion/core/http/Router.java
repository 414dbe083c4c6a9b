package dev.pinion.core.http;

import dev.pinion.core.http.message.Problem;
import dev.pinion.core.http.message.ProblemException;
import dev.pinion.core.http.message.ProblemType;
import dev.pinion.core.http.message.QueryParameters;
import dev.pinion.core.http.message.RequestTarget;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Finds the route of a request among those of the table. */
public final class Router {
  private final List<RouteEntry> entries = new ArrayList<>();
  private final List<Route> routes;

  /** A route with its derived values, which need not be computed for each request. */
  private record RouteEntry(Route route, List<String> queryNames, List<String> offers) {}

  /**
   * A route that matches a request.
   *
   * @param variables values of the path's variables, decoded
   * @param offers types that a successful answer may have
   */
  public record Match(
      Route route, List<String> variables, QueryParameters query, List<String> offers) {}

  public Router(List<Route> routes) {
    this.routes = List.copyOf(routes);
    for (Route route : routes) {
      entries.add(new RouteEntry(route, route.queryNames(), route.offers()));
    }
  }

  List<Route> routes() {
    return routes;
  }

  /** The route of a method and a target; HEAD finds the route of GET. */
  Match match(String method, RequestTarget requestTarget) throws ProblemException {
    String wanted = method.equals("HEAD") ? "GET" : method;
    boolean pathKnown = false;
    for (RouteEntry routeEntry : entries) {
      List<String> variables = routeEntry.route.path().match(requestTarget.segments());
      if (variables != null) {
        pathKnown = true;
        if (routeEntry.route.method().equals(wanted)) {
          QueryParameters queryParameters =
              QueryParameters.parse(requestTarget.query(), routeEntry.queryNames);
          return new Match(routeEntry.route, variables, queryParameters, routeEntry.offers);
        }
      }
    }
    throw pathKnown ? notAllowed(method, requestTarget) : notFound(requestTarget);
  }

  /** The value of Allow for a path; empty when there is no such path. */
  String allowed(RequestTarget requestTarget) {
    Set<String> methods = new LinkedHashSet<>();
    for (RouteEntry routeEntry : entries) {
      if (requestTarget.asterisk()
          || routeEntry.route.path().match(requestTarget.segments()) != null) {
        methods.add(routeEntry.route.method());
        if (routeEntry.route.method().equals("GET")) {
          methods.add("HEAD");
        }
      }
    }
    if (!methods.isEmpty()) {
      methods.add("OPTIONS");
    }
    return String.join(", ", methods);
  }

  private ProblemException notAllowed(String method, RequestTarget requestTarget) {
    String allowed = allowed(requestTarget);
    return new ProblemException(
        Problem.of(
                ProblemType.METHOD_NOT_ALLOWED,
                "expected one of " + allowed + ", found " + Problem.quoted(method))
            .field("allow", allowed));
  }

  static ProblemException notFound(RequestTarget requestTarget) {
    return new ProblemException(
        ProblemType.NOT_FOUND,
        "expected a path that /openapi.json describes, found "
            + Problem.quoted("/" + String.join("/", requestTarget.segments())));
  }
}
