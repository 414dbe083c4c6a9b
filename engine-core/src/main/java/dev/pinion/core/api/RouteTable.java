package dev.pinion.core.api;

import static dev.pinion.core.http.Route.ResponseSpec.json;
import static dev.pinion.core.http.Route.ResponseSpec.problem;

import dev.pinion.core.http.OpenApiDocument;
import dev.pinion.core.http.Route;
import dev.pinion.core.http.RouteEntry;
import dev.pinion.core.http.Router;
import dev.pinion.core.http.message.MediaTypes;
import dev.pinion.core.limits.EngineLimits;
import java.util.List;

/** Every operation of the interface. The router and the OpenAPI document are made from it. */
final class RouteTable {
  private final RouteList routes = new RouteList();

  private RouteTable() {}

  /** The routes of a context. */
  static Router create(RequestContext context, EngineLimits limits) {
    RouteTable table = new RouteTable();
    InstanceRoutes instances = new InstanceRoutes(table.routes, limits.request().maxBodyBytes());
    instances.starts(new InstanceEndpoints(context, limits));
    instances.history(new HistoryEndpoints(context, limits.history().maxEvents()));
    table.routes.addAll(
        new SubscriptionEndpoints(context).routes(limits.publish().maxSubscriptionBytes()));
    CallbackEndpoint lateAnswers =
        new CallbackEndpoint(
            context,
            Math.min(limits.request().maxBodyBytes(), limits.invoker().maxResponseBytes()));
    table.routes.add(lateAnswers.route());
    table.routes.add(
        new EventEndpoints(context, lateAnswers).route(limits.request().maxBodyBytes()));
    DefinitionRoutes definitions =
        new DefinitionRoutes(table.routes, limits.definition().maxBytes());
    definitions.deployments(new DeploymentEndpoints(context));
    definitions.reads(new DefinitionEndpoints(context));
    definitions.status(new EnablementEndpoints(context));
    definitions.difference(new DifferenceEndpoint(context));
    definitions.graph(new GraphEndpoint(context, limits.definition().maxDrawnTasks()));
    definitions.schema(new SchemaEndpoint());
    definitions.deletion(new UndeployEndpoint(context));
    new ScheduleEndpoints(context).addTo(table.routes);
    table.routes.addAll(
        BrokerRoutes.of(new BrokerEndpoints(context), limits.request().maxBodyBytes()));
    table.handlers(new HandlerEndpoints(context));
    table.health(new HealthEndpoints(context));
    OpenApiDocument document =
        new OpenApiDocument(context.json(), context.ports().replica().version(), limits);
    table.routes.get(
        "/openapi.json",
        "getOpenApi",
        "This document.",
        List.of(),
        List.of(json(200, "the OpenAPI 3.1 document", "Anything")),
        document::get);
    List<RouteEntry> entries = table.routes.entries();
    document.describe(entries.stream().map(RouteEntry::route).toList());
    return new Router(entries);
  }

  private void handlers(HandlerEndpoints handlers) {
    routes.get(
        "/v1/handlers",
        "listHandlers",
        "Shows the chains of handlers of this replica, their plans and what happened in them.",
        List.of(),
        List.of(json(200, "the chains", "Handlers")),
        handlers::list);
    routes.add(
        "POST",
        "/v1/handlers/reload",
        "reloadHandlers",
        "Reads the chains of handlers again, in every replica; the next message goes by them.",
        List.of(),
        Route.BodySpec.nothing(),
        List.of(
            json(200, "they are in force everywhere", "Handlers"),
            problem(422, "the documents have problems, all of them in errors; nothing changed")),
        handlers::reload);
  }

  private void health(HealthEndpoints health) {
    routes.get(
        "/livez",
        "getLiveness",
        "Tells that the engine turns.",
        List.of(),
        List.of(json(200, "alive", "Liveness")),
        health::alive);
    routes.get(
        "/readyz",
        "getReadiness",
        "Tells whether a start would be taken.",
        List.of(),
        List.of(
            json(200, "a start would be taken", "Readiness"),
            new Route.ResponseSpec(
                503,
                "a start would be refused",
                "ReadinessOrProblem",
                List.of(MediaTypes.JSON, MediaTypes.PROBLEM))),
        health::ready);
  }
}
