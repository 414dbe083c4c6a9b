package dev.pinion.core.api;

import static dev.pinion.core.http.Route.ParameterLocation.HEADER;
import static dev.pinion.core.http.Route.ParameterLocation.QUERY;

import dev.pinion.core.http.Endpoint;
import dev.pinion.core.http.Route;
import dev.pinion.core.http.RouteEntry;
import dev.pinion.core.http.message.PathTemplate;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Operations in the order of the table, and the parameters that many of them have. */
final class RouteList {
  /** Path of the definitions of a namespace. */
  static final String DEFINITIONS = "/v1/namespaces/{namespace}/definitions";

  /** Path of one version of a definition. */
  static final String VERSION = DEFINITIONS + "/{name}/versions/{version}";

  /** Operations whose messages handlers may process: starts, and their results. */
  private static final Set<String> INTERCEPTABLE =
      Set.of(
          "startLatest",
          "startVersion",
          "getInstance",
          "getOutput",
          "retryInstance",
          "rerunInstance");

  static final Route.ParameterSpec LIMIT =
      new Route.ParameterSpec(QUERY, "limit", "Limit", "the most items of the page");
  static final Route.ParameterSpec CURSOR =
      new Route.ParameterSpec(QUERY, "cursor", "Cursor", "the member next of the page before");
  static final Route.ParameterSpec IF_NONE_MATCH =
      new Route.ParameterSpec(HEADER, "If-None-Match", "EntityTags", "entity tags already known");
  static final Route.ParameterSpec PREFER =
      new Route.ParameterSpec(
          HEADER, "Prefer", "Text", "wait=SECONDS or respond-async, as RFC 7240 has it");

  static final Route.ParameterSpec KEY =
      new Route.ParameterSpec(
          HEADER,
          "Idempotency-Key",
          "Key",
          "a string in quotes under which the start may be repeated: it begins one instance");

  private final List<RouteEntry> entries = new ArrayList<>();

  /** Adds an operation that reads: its requests have no body. */
  void get(
      String path,
      String operation,
      String summary,
      List<Route.ParameterSpec> parameters,
      List<Route.ResponseSpec> responses,
      Endpoint endpoint) {
    add("GET", path, operation, summary, parameters, Route.BodySpec.none(), responses, endpoint);
  }

  /** Adds an operation. */
  void add(
      String method,
      String path,
      String operation,
      String summary,
      List<Route.ParameterSpec> parameters,
      Route.BodySpec bodySpec,
      List<Route.ResponseSpec> responses,
      Endpoint endpoint) {
    Route.Operation description =
        new Route.Operation(operation, summary, parameters, bodySpec, responses);
    Route route =
        new Route(method, new PathTemplate(path), description, INTERCEPTABLE.contains(operation));
    entries.add(new RouteEntry(route, endpoint));
  }

  void add(RouteEntry entry) {
    entries.add(entry);
  }

  /** Adds operations in their order. */
  void addAll(List<RouteEntry> others) {
    entries.addAll(others);
  }

  /** All operations, in the order in which they were added. */
  List<RouteEntry> entries() {
    return entries;
  }
}
