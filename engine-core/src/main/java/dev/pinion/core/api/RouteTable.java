package dev.pinion.core.api;

import static dev.pinion.core.http.Route.ParameterLocation.QUERY;
import static dev.pinion.core.http.Route.ResponseSpec.empty;
import static dev.pinion.core.http.Route.ResponseSpec.json;
import static dev.pinion.core.http.Route.ResponseSpec.problem;

import dev.pinion.core.http.OpenApiDocument;
import dev.pinion.core.http.Route;
import dev.pinion.core.http.RouteEntry;
import dev.pinion.core.http.Router;
import dev.pinion.core.http.message.MediaTypes;
import dev.pinion.core.limits.EngineLimits;
import java.util.ArrayList;
import java.util.List;

/** Every operation of the interface. The router and the OpenAPI document are made from it. */
final class RouteTable {
  private static final List<String> DOCUMENTS = List.of(MediaTypes.YAML, MediaTypes.JSON);

  private final RouteList routes = new RouteList();
  private final EngineLimits limits;

  private RouteTable(EngineLimits limits) {
    this.limits = limits;
  }

  /** The routes of a context. */
  static Router create(RequestContext context, EngineLimits limits) {
    RouteTable table = new RouteTable(limits);
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
    table.deployments(new DeploymentEndpoints(context));
    table.definitions(new DefinitionEndpoints(context));
    table.deletion(new UndeployEndpoint(context));
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

  private void deployments(DeploymentEndpoints deployments) {
    Route.BodySpec document =
        Route.BodySpec.of(DOCUMENTS, true, "NewDocument", limits.definition().maxBytes());
    routes.add(
        "POST",
        "/v1/definitions",
        "deployDefinition",
        "Deploys a definition under the identity in its document; with dryRun, only checks it.",
        List.of(
            new Route.ParameterSpec(
                QUERY, "dryRun", "Flag", "true: check only, and report problems")),
        document,
        List.of(
            json(200, "the same was there already, or the result of the check", "Deployed"),
            json(201, "deployed; Location names it", "DefinitionSummary"),
            problem(409, "the same identity has other content"),
            problem(422, "the document has problems, all of them in errors")),
        deployments::post);
    routes.add(
        "PUT",
        RouteList.VERSION,
        "putDefinition",
        "Deploys a definition whose document must have the identity of the path.",
        List.of(RouteList.IF_NONE_MATCH),
        document,
        List.of(
            json(200, "the same was there already", "DefinitionSummary"),
            json(201, "deployed", "DefinitionSummary"),
            problem(409, "the same identity has other content"),
            problem(412, "If-None-Match names the present content"),
            problem(422, "the document has problems, all of them in errors")),
        deployments::put);
  }

  private void definitions(DefinitionEndpoints definitions) {
    List<Route.ParameterSpec> paging = List.of(RouteList.LIMIT, RouteList.CURSOR);
    List<Route.ParameterSpec> named =
        List.of(
            new Route.ParameterSpec(QUERY, "name", "Name", "only of this name"),
            new Route.ParameterSpec(QUERY, "prefix", "Name", "only names that begin so"),
            new Route.ParameterSpec(QUERY, "version", "Name", "only of this version"),
            RouteList.LIMIT,
            RouteList.CURSOR);
    List<Route.ParameterSpec> all = new ArrayList<>(named);
    all.addFirst(new Route.ParameterSpec(QUERY, "namespace", "Name", "only of this namespace"));
    Route.ResponseSpec page = json(200, "a page of definitions", "DefinitionPage");
    routes.get(
        "/v1/definitions",
        "listDefinitions",
        "Lists definitions by namespace, name and version.",
        all,
        List.of(page),
        definitions::listAll);
    routes.get(
        RouteList.DEFINITIONS,
        "listDefinitionsOfNamespace",
        "Lists the definitions of a namespace by name and version.",
        named,
        List.of(page),
        definitions::listNamespace);
    routes.get(
        RouteList.DEFINITIONS + "/{name}",
        "listVersions",
        "Lists the versions of a definition.",
        paging,
        List.of(page, problem(404, "no such definition, or the cursor is of no such page")),
        definitions::listVersions);
    routes.get(
        RouteList.VERSION,
        "getDefinition",
        "Shows a definition as JSON, or as the YAML it was deployed in.",
        List.of(RouteList.IF_NONE_MATCH),
        List.of(
            new Route.ResponseSpec(
                200, "the document", "Document", List.of(MediaTypes.JSON, MediaTypes.YAML)),
            empty(304, "not changed since the tag in If-None-Match"),
            problem(404, "no such definition")),
        definitions::get);
  }

  private void deletion(UndeployEndpoint deletion) {
    routes.add(
        "DELETE",
        RouteList.VERSION,
        "deleteDefinition",
        "Deletes a definition that no instance under way uses. Ended instances stay, and may be"
            + " retried.",
        List.of(),
        Route.BodySpec.nothing(),
        List.of(
            empty(204, "it is no more, in any replica"),
            problem(404, "no such definition"),
            problem(409, "instances of it are under way; instances names some")),
        deletion::delete);
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
