package dev.pinion.core.http;

import dev.pinion.core.http.message.Problem;
import dev.pinion.core.http.message.ProblemException;
import dev.pinion.core.http.message.ProblemType;
import dev.pinion.core.http.message.QueryParameters;
import dev.pinion.core.http.message.RequestTarget;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Finds the route of a request among those of the table. */
public final class Router {
  private final List<RouteEntry> entries;

  /**
   * The route of a request.
   *
   * @param variables values of the path's variables, decoded
   */
  record Match(RouteEntry entry, List<String> variables, QueryParameters query) {
    Route route() {
      return entry.route();
    }
  }

  public Router(List<RouteEntry> entries) {
    this.entries = List.copyOf(entries);
  }

  List<Route> routes() {
    return entries.stream().map(RouteEntry::route).toList();
  }

  /** The route of a method and a target; HEAD finds the route of GET. */
  Match match(String method, RequestTarget requestTarget) throws ProblemException {
    String wanted = method.equals("HEAD") ? "GET" : method;
    boolean pathKnown = false;
    for (RouteEntry routeEntry : entries) {
      Route route = routeEntry.route();
      List<String> variables = route.path().match(requestTarget.segments());
      if (variables != null) {
        pathKnown = true;
        if (route.method().equals(wanted)) {
          QueryParameters queryParameters =
              QueryParameters.parse(requestTarget.query(), route.operation().queryNames());
          return new Match(routeEntry, variables, queryParameters);
        }
      }
    }
    throw pathKnown ? notAllowed(method, requestTarget) : notFound(requestTarget);
  }

  /** The value of Allow for a path; empty when there is no such path. */
  String allowed(RequestTarget requestTarget) {
    Set<String> methods = new LinkedHashSet<>();
    for (RouteEntry routeEntry : entries) {
      Route route = routeEntry.route();
      if (requestTarget.asterisk() || route.path().match(requestTarget.segments()) != null) {
        methods.add(route.method());
        if (route.method().equals("GET")) {
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
