package dev.pinion.core.request;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Finds the route of a request among those of the table. */
final class Router {
  private final List<Entry> entries = new ArrayList<>();
  private final List<Route> routes;

  /** A route with its derived values, which need not be computed for each request. */
  private record Entry(Route route, List<String> queryNames, List<String> offers) {}

  /**
   * A route that matches a request.
   *
   * @param variables values of the path's variables, decoded
   * @param offers types that a successful answer may have
   */
  record Match(Route route, List<String> variables, Query query, List<String> offers) {}

  Router(List<Route> routes) {
    this.routes = List.copyOf(routes);
    for (Route route : routes) {
      entries.add(new Entry(route, route.queryNames(), route.offers()));
    }
  }

  List<Route> routes() {
    return routes;
  }

  /** The route of a method and a target; HEAD finds the route of GET. */
  Match match(String method, Target target) throws Refusal {
    String wanted = method.equals("HEAD") ? "GET" : method;
    boolean pathKnown = false;
    for (Entry entry : entries) {
      List<String> variables = entry.route.path().match(target.segments());
      if (variables != null) {
        pathKnown = true;
        if (entry.route.method().equals(wanted)) {
          Query query = Query.parse(target.query(), entry.queryNames);
          return new Match(entry.route, variables, query, entry.offers);
        }
      }
    }
    throw pathKnown ? notAllowed(method, target) : notFound(target);
  }

  /** The value of Allow for a path; empty when there is no such path. */
  String allowed(Target target) {
    Set<String> methods = new LinkedHashSet<>();
    for (Entry entry : entries) {
      if (target.asterisk() || entry.route.path().match(target.segments()) != null) {
        methods.add(entry.route.method());
        if (entry.route.method().equals("GET")) {
          methods.add("HEAD");
        }
      }
    }
    if (!methods.isEmpty()) {
      methods.add("OPTIONS");
    }
    return String.join(", ", methods);
  }

  private Refusal notAllowed(String method, Target target) {
    String allowed = allowed(target);
    return new Refusal(
        Problem.of(
                ProblemType.METHOD_NOT_ALLOWED,
                "expected one of " + allowed + ", found " + Problem.quoted(method))
            .field("allow", allowed));
  }

  static Refusal notFound(Target target) {
    return new Refusal(
        ProblemType.NOT_FOUND,
        "expected a path that /openapi.json describes, found "
            + Problem.quoted("/" + String.join("/", target.segments())));
  }
}
