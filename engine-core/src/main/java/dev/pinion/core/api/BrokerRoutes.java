package dev.pinion.core.api;

import static dev.pinion.core.http.Route.ParameterLocation.HEADER;
import static dev.pinion.core.http.Route.ResponseSpec.empty;
import static dev.pinion.core.http.Route.ResponseSpec.json;
import static dev.pinion.core.http.Route.ResponseSpec.problem;

import dev.pinion.core.http.Endpoint;
import dev.pinion.core.http.Route;
import dev.pinion.core.http.RouteEntry;
import dev.pinion.core.http.message.MediaTypes;
import dev.pinion.core.http.message.PathTemplate;
import dev.pinion.core.spi.BrokerGateway.Verb;
import java.util.ArrayList;
import java.util.List;

/** The operations of the broker: services, classes, contracts, the model, and plans. */
final class BrokerRoutes {
  private static final String BASE = "/v1/broker/";
  private static final Route.ParameterSpec IF_MATCH =
      new Route.ParameterSpec(
          HEADER, "If-Match", "EntityTags", "entity tags of which one must match");
  private static final Route.ParameterSpec IF_NONE_MATCH =
      new Route.ParameterSpec(
          HEADER,
          "If-None-Match",
          "EntityTags",
          "entity tags already known; * for a resource that does not exist");
  private static final Route.ResponseSpec AWAY =
      problem(503, "the broker cannot answer now; Retry-After says when to ask again");

  private final List<RouteEntry> routes = new ArrayList<>();
  private final BrokerEndpoints broker;
  private final int maxBodyBytes;

  private BrokerRoutes(BrokerEndpoints broker, int maxBodyBytes) {
    this.broker = broker;
    this.maxBodyBytes = maxBodyBytes;
  }

  static List<RouteEntry> of(BrokerEndpoints broker, int maxBodyBytes) {
    BrokerRoutes made = new BrokerRoutes(broker, maxBodyBytes);
    made.collection("services", "Service", "concrete service");
    made.withdrawal();
    made.collection("classes", "ServiceClass", "class of service");
    made.collection("slas", "Sla", "contract of a user");
    made.show("model", "BrokerModel", "Shows the model of the process that classes are about.");
    made.put("model", "model", "BrokerModel", "Makes or changes the model of the process.");
    made.show("behaviour", "Anything", "Shows the process that is planned for, and its visits.");
    made.show("plan", "Anything", "Shows the plan in force.");
    made.list("plans", "Lists the latest plans, also of brokers before, the newest first.");
    made.list("decisions", "Lists the decisions about changes, the newest first.");
    return made.routes;
  }

  private void collection(String name, String schema, String what) {
    list(name, "Lists every " + what + ".");
    String path = name + "/{id}";
    show(path, name, schema, "Shows a " + what + ".");
    put(path, name, schema, "Makes or changes a " + what + ".");
    add(
        "DELETE",
        path,
        "delete" + schema,
        "Ends a " + what + ".",
        List.of(IF_MATCH),
        Route.BodySpec.nothing(),
        List.of(
            empty(204, "it is no more"),
            problem(404, "there is none of this id"),
            problem(409, "others need it"),
            problem(412, "it has none of the tags in If-Match"),
            AWAY),
        broker.item(Verb.DELETE, name));
  }

  private void withdrawal() {
    add(
        "POST",
        "services/{id}/withdrawal",
        "withdrawService",
        "Lets a concrete service be bound no more; calls that are bound to it stay so.",
        List.of(IF_MATCH),
        Route.BodySpec.nothing(),
        List.of(
            json(200, "the service as it is now", "Service"),
            problem(404, "there is none of this id"),
            problem(412, "it has none of the tags in If-Match"),
            AWAY),
        broker.item(Verb.WITHDRAW, "services"));
  }

  private void list(String name, String summary) {
    add(
        "GET",
        name,
        "listBroker" + capitalized(name),
        summary,
        List.of(),
        Route.BodySpec.none(),
        List.of(json(200, "all there are", "BrokerList"), AWAY),
        broker.collection(Verb.GET, name));
  }

  private void show(String name, String schema, String summary) {
    show(name, name, schema, summary);
  }

  private void show(String path, String name, String schema, String summary) {
    boolean item = path.contains("{");
    add(
        "GET",
        path,
        "get" + (schema.equals("Anything") ? "Broker" + capitalized(name) : schema),
        summary,
        List.of(IF_NONE_MATCH),
        Route.BodySpec.none(),
        List.of(
            json(200, "as it stands", schema),
            empty(304, "not changed since the tag in If-None-Match"),
            problem(404, "there is none"),
            AWAY),
        item ? broker.item(Verb.GET, name) : broker.collection(Verb.GET, name));
  }

  private void put(String path, String name, String schema, String summary) {
    boolean item = path.contains("{");
    add(
        "PUT",
        path,
        "put" + schema,
        summary + " The same content again changes nothing.",
        List.of(IF_MATCH, IF_NONE_MATCH),
        Route.BodySpec.of(List.of(MediaTypes.JSON), true, "New" + schema, maxBodyBytes),
        List.of(
            json(200, "changed, or the same as before", schema),
            json(201, "made", schema),
            problem(409, "it cannot be kept with existing promises; offer says what could"),
            problem(412, "the present document does not meet the condition"),
            problem(422, "the document has problems, all of them in errors"),
            AWAY),
        item ? broker.item(Verb.PUT, name) : broker.collection(Verb.PUT, name));
  }

  private static String capitalized(String name) {
    return Character.toUpperCase(name.charAt(0)) + name.substring(1);
  }

  private void add(
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
    Route route = new Route(method, new PathTemplate(BASE + path), description, false);
    routes.add(new RouteEntry(route, endpoint));
  }
}
