package dev.pinion.core.api;

import static dev.pinion.core.http.Route.ParameterLocation.HEADER;
import static dev.pinion.core.http.Route.ParameterLocation.QUERY;
import static dev.pinion.core.http.Route.ResponseSpec.empty;
import static dev.pinion.core.http.Route.ResponseSpec.json;
import static dev.pinion.core.http.Route.ResponseSpec.problem;

import dev.pinion.core.http.OpenApiDocument;
import dev.pinion.core.http.Route;
import dev.pinion.core.http.Router;
import dev.pinion.core.http.message.MediaTypes;
import dev.pinion.core.http.message.PathTemplate;
import dev.pinion.core.limits.EngineLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Every operation of the interface. The router and the OpenAPI document are made from it. */
final class RouteTable {
  private static final List<String> DOCUMENTS = List.of(MediaTypes.YAML, MediaTypes.JSON);
  private static final String DEFINITIONS = "/v1/namespaces/{namespace}/definitions";
  private static final String VERSION = DEFINITIONS + "/{name}/versions/{version}";

  /** Operations whose messages handlers may process: starts, and their results. */
  private static final Set<String> INTERCEPTABLE =
      Set.of(
          "startLatest",
          "startVersion",
          "getInstance",
          "getOutput",
          "retryInstance",
          "rerunInstance");

  private static final Route.ParameterSpec LIMIT =
      new Route.ParameterSpec(QUERY, "limit", "Limit", "the most items of the page");
  private static final Route.ParameterSpec CURSOR =
      new Route.ParameterSpec(QUERY, "cursor", "Cursor", "the member next of the page before");
  private static final Route.ParameterSpec IF_NONE_MATCH =
      new Route.ParameterSpec(HEADER, "If-None-Match", "EntityTags", "entity tags already known");
  private static final Route.ParameterSpec PREFER =
      new Route.ParameterSpec(
          HEADER, "Prefer", "Text", "wait=SECONDS or respond-async, as RFC 7240 has it");

  private static final Route.ParameterSpec KEY =
      new Route.ParameterSpec(
          HEADER,
          "Idempotency-Key",
          "Key",
          "a string in quotes under which the start may be repeated: it begins one instance");

  private final List<Route> routes = new ArrayList<>();
  private static final String GONE = "the instance has ended, and nothing is kept of it any more";

  private final EngineLimits limits;

  private RouteTable(EngineLimits limits) {
    this.limits = limits;
  }

  /** The routes of a context. */
  static Router create(RequestContext context, EngineLimits limits) {
    RouteTable table = new RouteTable(limits);
    table.starts(new InstanceEndpoints(context, limits));
    table.history(new HistoryEndpoints(context, limits.history().maxEvents()));
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
        new OpenApiDocument(context.json(), context.ports().version(), limits);
    table.get(
        "/openapi.json",
        "getOpenApi",
        "This document.",
        List.of(),
        List.of(json(200, "the OpenAPI 3.1 document", "Anything")),
        document::get);
    document.describe(table.routes);
    return new Router(table.routes);
  }

  private void starts(InstanceEndpoints instances) {
    start(DEFINITIONS + "/{name}/instances", "startLatest", "newest version", instances::start);
    start(VERSION + "/instances", "startVersion", "named version", instances::start);
    get(
        "/v1/instances/{id}",
        "getInstance",
        "Shows an instance. Prefer: wait waits until it has ended; with If-None-Match, until it"
            + " differs from the tag.",
        List.of(PREFER, IF_NONE_MATCH),
        List.of(
            json(200, "the instance", "Instance"),
            empty(304, "not changed since the tag in If-None-Match"),
            problem(404, "no such instance"),
            problem(410, GONE),
            problem(409, "the output cannot be written as JSON")),
        instances::get);
    get(
        "/v1/instances/{id}/output",
        "getOutput",
        "Shows the output of an instance alone.",
        List.of(IF_NONE_MATCH),
        List.of(
            json(200, "the output", "Anything"),
            json(202, "the instance has not ended yet; Retry-After says when to ask", "Instance"),
            empty(304, "not changed since the tag in If-None-Match"),
            problem(404, "no such instance"),
            problem(410, GONE),
            problem(409, "the instance ended without an output")),
        instances::output);
    control(
        "cancellation",
        "cancelInstance",
        "Cancels an instance; again when it is cancelled already.",
        instances::cancel);
    control(
        "suspension",
        "suspendInstance",
        "Suspends an instance: calls and timers under way end, nothing more begins.",
        instances::suspend);
    control("resumption", "resumeInstance", "Resumes an instance.", instances::resume);
    revive(
        "retry",
        "retryInstance",
        "Lets a faulted instance continue from the task that failed.",
        List.of(PREFER),
        List.of(
            problem(
                409,
                "the instance has not faulted, or not because of a task that can be done again"),
            problem(410, GONE + ", or not its state from before the failure")),
        instances::retry);
    revive(
        "rerun",
        "rerunInstance",
        "Starts another instance like one that has ended: same definition, input and tags.",
        List.of(PREFER, KEY),
        List.of(
            problem(
                409, "the instance has not ended, or the one that the key stands for is under way"),
            problem(410, GONE + ", or of the one that the key stands for"),
            problem(422, "the key needs a definition that is journalled")),
        instances::rerun);
    get(
        "/v1/instances",
        "listInstances",
        "Lists instances, newest first.",
        List.of(
            new Route.ParameterSpec(QUERY, "state", "State", "only in this state"),
            new Route.ParameterSpec(QUERY, "namespace", "Name", "only of this namespace"),
            new Route.ParameterSpec(
                QUERY, "definition", "Name", "only of definitions of this name"),
            new Route.ParameterSpec(
                QUERY, "version", "Name", "only of definitions of this version"),
            LIMIT,
            CURSOR),
        List.of(json(200, "a page of instances", "InstancePage")),
        instances::list);
  }

  private void history(HistoryEndpoints history) {
    get(
        "/v1/instances/{id}/events",
        "getEvents",
        "Tells what happened in an instance, as far as the history has it.",
        List.of(
            new Route.ParameterSpec(
                QUERY, "after", "Sequence", "only events with a higher sequence"),
            LIMIT),
        List.of(
            json(200, "a page of events, in order", "EventPage"),
            problem(404, "the history knows no such instance, and has read all that is on disk"),
            problem(503, "the history cannot be asked now; Retry-After says when to ask again")),
        history::events);
    get(
        "/v1/history/instances",
        "searchInstances",
        "Finds instances of today and of the past, newest first, as far as the history has them.",
        List.of(
            new Route.ParameterSpec(QUERY, "state", "HistoryState", "only in this state"),
            new Route.ParameterSpec(QUERY, "namespace", "Name", "only of this namespace"),
            new Route.ParameterSpec(
                QUERY, "definition", "Name", "only of definitions of this name"),
            new Route.ParameterSpec(QUERY, "businessKey", "Name", "only with this business key"),
            new Route.ParameterSpec(QUERY, "label", "Label", "only with this label, as NAME=VALUE"),
            new Route.ParameterSpec(QUERY, "startedAfter", "Time", "only started then or later"),
            new Route.ParameterSpec(QUERY, "startedBefore", "Time", "only started before then"),
            LIMIT,
            CURSOR),
        List.of(
            json(200, "a page of instances", "HistoryPage"),
            problem(503, "the history cannot be asked now; Retry-After says when to ask again")),
        history::search);
  }

  private void control(String noun, String operation, String summary, Route.Endpoint endpoint) {
    add(
        "POST",
        "/v1/instances/{id}/" + noun,
        operation,
        summary,
        List.of(),
        Route.BodySpec.nothing(),
        List.of(
            json(202, "done", "Instance"),
            problem(404, "no such instance"),
            problem(410, GONE),
            problem(409, "the instance has ended otherwise")),
        endpoint);
  }

  private void revive(
      String noun,
      String operation,
      String summary,
      List<Route.ParameterSpec> parameters,
      List<Route.ResponseSpec> refusals,
      Route.Endpoint endpoint) {
    List<Route.ResponseSpec> responses =
        new ArrayList<>(
            List.of(
                json(
                    200,
                    "the instance has ended; its output or error is in the answer",
                    "Instance"),
                json(202, "the instance is under way; Location names it", "Instance"),
                problem(404, "no such instance")));
    responses.addAll(refusals);
    add(
        "POST",
        "/v1/instances/{id}/" + noun,
        operation,
        summary,
        parameters,
        Route.BodySpec.nothing(),
        responses,
        endpoint);
  }

  private void start(String path, String operation, String which, Route.Endpoint endpoint) {
    add(
        "POST",
        path,
        operation,
        "Starts an instance of the " + which + " of a definition.",
        List.of(
            PREFER,
            KEY,
            new Route.ParameterSpec(
                QUERY, "fault", "Fault", "http: answer 502 when the instance ends with an error")),
        Route.BodySpec.of(
            List.of(MediaTypes.JSON), false, "Start", limits.request().maxBodyBytes()),
        List.of(
            json(200, "the instance has ended; its output or error is in the answer", "Instance"),
            json(202, "the instance is under way; Location names it", "Instance"),
            problem(401, "only callers with a contract are served, and the caller is unknown"),
            problem(403, "the caller has no contract, or none of the class in the labels"),
            problem(404, "no such definition"),
            problem(
                409,
                "the instance of the key is under way; Retry-After says when to ask."
                    + " Or the output cannot be written as JSON"),
            problem(410, "the instance of the key ended long ago"),
            problem(
                422, "the key stands for another body, or needs a definition that is journalled"),
            problem(429, "beyond the contracted rate; Retry-After says when to repeat"),
            problem(502, "with fault=http: the instance ended with an error")),
        endpoint);
  }

  private void deployments(DeploymentEndpoints deployments) {
    Route.BodySpec document =
        Route.BodySpec.of(DOCUMENTS, true, "NewDocument", limits.definition().maxBytes());
    add(
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
    add(
        "PUT",
        VERSION,
        "putDefinition",
        "Deploys a definition whose document must have the identity of the path.",
        List.of(IF_NONE_MATCH),
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
    List<Route.ParameterSpec> paging = List.of(LIMIT, CURSOR);
    List<Route.ParameterSpec> named =
        List.of(
            new Route.ParameterSpec(QUERY, "name", "Name", "only of this name"),
            new Route.ParameterSpec(QUERY, "prefix", "Name", "only names that begin so"),
            new Route.ParameterSpec(QUERY, "version", "Name", "only of this version"),
            LIMIT,
            CURSOR);
    List<Route.ParameterSpec> all = new ArrayList<>(named);
    all.addFirst(new Route.ParameterSpec(QUERY, "namespace", "Name", "only of this namespace"));
    Route.ResponseSpec page = json(200, "a page of definitions", "DefinitionPage");
    get(
        "/v1/definitions",
        "listDefinitions",
        "Lists definitions by namespace, name and version.",
        all,
        List.of(page),
        definitions::listAll);
    get(
        DEFINITIONS,
        "listDefinitionsOfNamespace",
        "Lists the definitions of a namespace by name and version.",
        named,
        List.of(page),
        definitions::listNamespace);
    get(
        DEFINITIONS + "/{name}",
        "listVersions",
        "Lists the versions of a definition.",
        paging,
        List.of(page, problem(404, "no such definition, or the cursor is of no such page")),
        definitions::listVersions);
    get(
        VERSION,
        "getDefinition",
        "Shows a definition as JSON, or as the YAML it was deployed in.",
        List.of(IF_NONE_MATCH),
        List.of(
            new Route.ResponseSpec(
                200, "the document", "Document", List.of(MediaTypes.JSON, MediaTypes.YAML)),
            empty(304, "not changed since the tag in If-None-Match"),
            problem(404, "no such definition")),
        definitions::get);
  }

  private void deletion(UndeployEndpoint deletion) {
    add(
        "DELETE",
        VERSION,
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
    get(
        "/v1/handlers",
        "listHandlers",
        "Shows the chains of handlers of this replica, their plans and what happened in them.",
        List.of(),
        List.of(json(200, "the chains", "Handlers")),
        handlers::list);
    add(
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
    get(
        "/livez",
        "getLiveness",
        "Tells that the engine turns.",
        List.of(),
        List.of(json(200, "alive", "Liveness")),
        health::alive);
    get(
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

  private void get(
      String path,
      String operation,
      String summary,
      List<Route.ParameterSpec> parameters,
      List<Route.ResponseSpec> responses,
      Route.Endpoint endpoint) {
    add("GET", path, operation, summary, parameters, Route.BodySpec.none(), responses, endpoint);
  }

  private void add(
      String method,
      String path,
      String operation,
      String summary,
      List<Route.ParameterSpec> parameters,
      Route.BodySpec bodySpec,
      List<Route.ResponseSpec> responses,
      Route.Endpoint endpoint) {
    boolean interceptable = INTERCEPTABLE.contains(operation);
    routes.add(
        new Route(
            method,
            new PathTemplate(path),
            operation,
            summary,
            parameters,
            bodySpec,
            responses,
            interceptable,
            endpoint));
  }
}
