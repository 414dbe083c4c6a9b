package dev.pinion.core.api;

import static dev.pinion.core.http.Route.ParameterLocation.QUERY;
import static dev.pinion.core.http.Route.ResponseSpec.empty;
import static dev.pinion.core.http.Route.ResponseSpec.json;
import static dev.pinion.core.http.Route.ResponseSpec.problem;

import dev.pinion.core.http.Endpoint;
import dev.pinion.core.http.Route;
import dev.pinion.core.http.message.MediaTypes;
import java.util.ArrayList;
import java.util.List;

/** The operations on definitions. */
final class DefinitionRoutes {
  private static final List<String> DOCUMENTS = List.of(MediaTypes.YAML, MediaTypes.JSON);

  private final RouteList routes;
  private final int maxBytes;

  /**
   * Operations for a table.
   *
   * @param routes receives them
   * @param maxBytes most bytes of a document
   */
  DefinitionRoutes(RouteList routes, int maxBytes) {
    this.routes = routes;
    this.maxBytes = maxBytes;
  }

  /** Deploying. */
  void deployments(DeploymentEndpoints deployments) {
    Route.BodySpec document = Route.BodySpec.of(DOCUMENTS, true, "NewDocument", maxBytes);
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

  /** Showing and listing. */
  void reads(DefinitionEndpoints definitions) {
    List<Route.ParameterSpec> versions =
        List.of(
            new Route.ParameterSpec(
                QUERY, "enabled", "Flag", "true: only those that may be started; false: others"),
            new Route.ParameterSpec(QUERY, "deployedAfter", "Time", "only deployed then or later"),
            RouteList.LIMIT,
            RouteList.CURSOR);
    List<Route.ParameterSpec> named =
        new ArrayList<>(
            List.of(
                new Route.ParameterSpec(QUERY, "name", "Name", "only of this name"),
                new Route.ParameterSpec(QUERY, "prefix", "Name", "only names that begin so"),
                new Route.ParameterSpec(QUERY, "version", "Name", "only of this version")));
    named.addAll(versions);
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
        versions,
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

  /** Deleting. */
  void deletion(UndeployEndpoint deletion) {
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

  /** Disabling and enabling. */
  void status(EnablementEndpoints enablement) {
    change(
        "disablement",
        "disableDefinition",
        "Disables a definition: no more instances of it start, those under way continue.",
        "disabled in every replica",
        enablement::disable);
    change(
        "enablement",
        "enableDefinition",
        "Enables a definition that was disabled.",
        "enabled in every replica",
        enablement::enable);
  }

  private void change(
      String noun, String operation, String summary, String done, Endpoint endpoint) {
    routes.add(
        "POST",
        RouteList.VERSION + "/" + noun,
        operation,
        summary,
        List.of(),
        Route.BodySpec.nothing(),
        List.of(json(200, done, "DefinitionSummary"), problem(404, "no such definition")),
        endpoint);
  }

  /** Comparing. */
  void difference(DifferenceEndpoint difference) {
    routes.get(
        RouteList.VERSION + "/diff",
        "diffDefinition",
        "Shows what would make this version another one.",
        List.of(
            new Route.ParameterSpec(
                QUERY, "to", "Name", "the other version; the newest enabled one if absent")),
        List.of(
            new Route.ResponseSpec(
                200,
                "changes as JSON Patch, or the unified format of texts",
                "Difference",
                List.of(MediaTypes.JSON, MediaTypes.DIFFERENCE)),
            problem(404, "no such definition, or no such other version")),
        difference::get);
  }

  /** Drawing. */
  void graph(GraphEndpoint graph) {
    routes.get(
        RouteList.VERSION + "/graph",
        "drawDefinition",
        "Draws a definition: as a picture, as a Mermaid flowchart, or as nodes and edges.",
        List.of(RouteList.IF_NONE_MATCH),
        List.of(
            new Route.ResponseSpec(200, "the drawing", "Drawing", GraphEndpoint.OFFERED),
            empty(304, "not changed since the tag in If-None-Match"),
            problem(404, "no such definition"),
            problem(409, "the definition has more tasks, or cases of switches, than are drawn")),
        graph::get);
  }

  /** The schema of documents. */
  void schema(SchemaEndpoint schema) {
    routes.get(
        "/v1/schema",
        "getDefinitionSchema",
        "Shows the JSON Schema of definitions, for editors.",
        List.of(RouteList.IF_NONE_MATCH),
        List.of(
            new Route.ResponseSpec(
                200, "the schema", "Document", List.of(MediaTypes.SCHEMA, MediaTypes.JSON)),
            empty(304, "not changed since the tag in If-None-Match")),
        schema::get);
  }
}
