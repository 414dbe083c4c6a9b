package dev.pinion.benchmarks.experiments.globus;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.benchmarks.testbed.BlockingHttpClient;
import dev.pinion.benchmarks.testbed.BlockingHttpClient.Request;
import dev.pinion.benchmarks.testbed.BlockingHttpClient.Response;
import dev.pinion.benchmarks.testbed.EngineAdminClient;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Operations that need a history and a broker: the past, subscriptions, services and contracts,
 * calls of abstract services and late responses. Operations of the interface are named by their
 * method and path. For one engine, in this order.
 */
final class HistoryAndBrokerOperations {
  private static final String SEARCH = "GET /v1/history/instances";
  private static final String BROKER = "/v1/broker/";
  private static final String SUBSCRIPTIONS = "/v1/subscriptions";
  private static final String CLASS =
      "{\"r_max\": 60, \"d_min\": 0.5, \"price\": 60}"; // far from what can be met
  private static final Duration PAUSE = Duration.ofMillis(50);
  private static final int LOOKS = 1_200;

  private final URI stub;
  private final FreshServices freshServices;
  private final EngineAdminClient engineAdminClient;
  private String kept = "";
  private boolean bound;

  /**
   * Operations of an engine.
   *
   * @param stub services that respond
   * @param freshServices services, among them one that responds later
   * @param engineAdminClient operators of the engine
   */
  HistoryAndBrokerOperations(
      URI stub, FreshServices freshServices, EngineAdminClient engineAdminClient) {
    this.stub = stub;
    this.freshServices = freshServices;
    this.engineAdminClient = engineAdminClient;
  }

  List<TimedOperation> all() {
    List<TimedOperation> all = new ArrayList<>();
    all.addAll(past());
    all.addAll(subscriptions());
    all.addAll(services());
    all.addAll(contracts());
    all.addAll(plans());
    all.add(abstractCall());
    all.add(
        TimedOperation.route(
            "POST /v1/callbacks/{token}",
            204,
            (client, n) -> TimedOperation.Part.of(token(client), "{\"answered\":" + n + "}")));
    return all;
  }

  /** The search comes first: once warm, it is used to wait for the other operation's events. */
  private List<TimedOperation> past() {
    return List.of(
        TimedOperation.route(SEARCH, 200, TimedOperation.Part.NONE),
        TimedOperation.route(
            "GET /v1/instances/{id}/events",
            200,
            (client, n) -> TimedOperation.Part.of(instance(client), "")));
  }

  private static List<TimedOperation> subscriptions() {
    String one = SUBSCRIPTIONS + "/{id}";
    return List.of(
        TimedOperation.route(
            "POST " + SUBSCRIPTIONS,
            201,
            (client, n) -> TimedOperation.Part.of("", subscription(n))),
        TimedOperation.route("GET " + SUBSCRIPTIONS, 200, TimedOperation.Part.NONE),
        TimedOperation.route(
            "GET " + one, 200, (client, n) -> TimedOperation.Part.of(subscribed(client, n), "")),
        TimedOperation.route(
            "PATCH " + one,
            200,
            (client, n) ->
                TimedOperation.Part.of(
                    subscribed(client, n), "{\"leaseSeconds\": " + (60 + n) + "}")),
        TimedOperation.route(
            "DELETE " + one,
            204,
            (client, n) -> TimedOperation.Part.of(subscribed(client, n), "")));
  }

  /** A namespace without events, so that nothing is sent beside the measured requests. */
  private static String subscription(int n) {
    return String.format(
        Locale.ROOT,
        "{\"sink\": \"http://127.0.0.1:9/none\", \"namespace\": \"none\", \"leaseSeconds\": %d}",
        3600 + n);
  }

  private List<TimedOperation> services() {
    String one = BROKER + "services/{id}";
    return List.of(
        TimedOperation.route(
            "PUT " + one,
            201,
            (client, n) -> TimedOperation.Part.of("told-" + n, service("told", stub, ""))),
        TimedOperation.route("GET " + BROKER + "services", 200, TimedOperation.Part.NONE),
        TimedOperation.route("GET " + one, 200, named("told-")),
        TimedOperation.route("POST " + one + "/withdrawal", 200, named("told-")),
        TimedOperation.route("DELETE " + one, 204, named("told-")));
  }

  private List<TimedOperation> contracts() {
    String model = BROKER + "model";
    String oneClass = BROKER + "classes/{id}";
    String sla = BROKER + "slas/{id}";
    return List.of(
        TimedOperation.route(
            "PUT " + model,
            status -> status == 200 || status == 201, // the first request creates it
            (client, n) -> {
              if (n == 1) {
                put(client, "services/now", service("now", stub, ""));
                put(client, "services/later", later());
              }
              return TimedOperation.Part.of("", model(n));
            }),
        TimedOperation.route("GET " + model, 200, TimedOperation.Part.NONE),
        TimedOperation.route(
            "PUT " + oneClass,
            201,
            (client, n) -> {
              if (n == 1) {
                put(client, "classes/standard", CLASS);
              }
              return TimedOperation.Part.of("class-" + n, CLASS);
            }),
        TimedOperation.route("GET " + BROKER + "classes", 200, TimedOperation.Part.NONE),
        TimedOperation.route("GET " + oneClass, 200, named("class-")),
        TimedOperation.route(
            "PUT " + sla, 201, (client, n) -> TimedOperation.Part.of("contract-" + n, contract(n))),
        TimedOperation.route("GET " + BROKER + "slas", 200, TimedOperation.Part.NONE),
        TimedOperation.route("GET " + sla, 200, named("contract-")),
        TimedOperation.route("DELETE " + sla, 204, named("contract-")),
        TimedOperation.route("DELETE " + oneClass, 204, named("class-")));
  }

  private static List<TimedOperation> plans() {
    return List.of(
        TimedOperation.route("GET " + BROKER + "behaviour", 200, TimedOperation.Part.NONE),
        TimedOperation.route("GET " + BROKER + "plan", 200, TimedOperation.Part.NONE),
        TimedOperation.route("GET " + BROKER + "plans", 200, TimedOperation.Part.NONE),
        TimedOperation.route("GET " + BROKER + "decisions", 200, TimedOperation.Part.NONE));
  }

  /** Returns a status other than 200 when the instance fails. */
  private TimedOperation abstractCall() {
    return new TimedOperation(
        "start: call of an abstract service",
        (client, n) -> {
          bind(client);
          Request start = FirstCallDefinitions.start("now", "{}");
          return Request.post(start.path() + "?fault=http", start.body());
        },
        status -> status == 200);
  }

  private static TimedOperation.Filling named(String prefix) {
    return (client, n) -> TimedOperation.Part.of(prefix + n, "");
  }

  private static String service(String serves, URI endpoint, String further) {
    return ("{\"serves\": [\"%s\"], \"endpoint\": \"%s/svc/s1\", \"idempotent\": true,"
            + " \"r\": 0.01, \"d\": 0.999, \"c\": 1%s}")
        .formatted(serves, endpoint, further);
  }

  private String later() throws IOException {
    return service("later", freshServices.late().uri(), ", \"async\": true");
  }

  /**
   * The n-th model has one round more than the previous one: the same model again would be no
   * change.
   */
  private static String model(int n) {
    return String.format(
        Locale.ROOT,
        """
        {"process": {"type": "seq", "children": [
          {"type": "loop", "id": "rounds", "iterations": %d, "child": {"type": "task", "task": "now"}},
          {"type": "task", "task": "later"}]},
         "options": {"max_alt": 1, "max_par": 1}, "defaultClass": "standard"}\
        """,
        n);
  }

  private static String contract(int n) {
    return String.format(
        Locale.ROOT, "{\"class\": \"standard\", \"user\": \"user %d\", \"rate\": 1}", n);
  }

  private static void put(BlockingHttpClient client, String path, String document)
      throws IOException {
    Request put = new Request("PUT", BROKER + path, "application/json", document, "");
    expect(client.exchange(put), 201, "the broker to take " + path);
  }

  private static String subscribed(BlockingHttpClient client, int n) throws IOException {
    Response made = client.exchange(Request.post(SUBSCRIPTIONS, subscription(n)));
    expect(made, 201, "a subscription");
    return made.json().path("id").asText();
  }

  /** An instance that has ended and is recorded in the history. */
  private String instance(BlockingHttpClient client) throws IOException, InterruptedException {
    if (kept.isEmpty()) {
      String task = "  - one: { set: { value: 1 } }\n";
      expect(client.exchange(FirstCallDefinitions.deployKept("kept", task)), 201, "a definition");
      Response started = client.exchange(FirstCallDefinitions.start("kept", "{}"));
      expect(started, 200, "an instance that has ended");
      awaitHistory(client);
      kept = started.json().path("id").asText();
    }
    return kept;
  }

  private static void awaitHistory(BlockingHttpClient client)
      throws IOException, InterruptedException {
    Request search = Request.get("/v1/history/instances?definition=kept&state=COMPLETED");
    Response found = client.exchange(search);
    for (int look = 1; found.json().path("items").isEmpty(); look++) {
      if (look == LOOKS) {
        throw new IOException(
            "expected the history to know of an instance within "
                + PAUSE.multipliedBy(LOOKS).toSeconds()
                + " s, found "
                + found);
      }
      Thread.sleep(PAUSE);
      found = client.exchange(search);
    }
  }

  /** Deploys a definition that calls abstract services, and waits for a table that binds them. */
  private void bind(BlockingHttpClient client) throws IOException, InterruptedException {
    if (!bound) {
      for (String service : List.of("now", "later")) {
        Request deploy =
            FirstCallDefinitions.deploy(service, FirstCallDefinitions.call("svc://" + service));
        expect(client.exchange(deploy), 201, "a definition");
      }
      JsonNode plan = client.exchange(Request.get(BROKER + "plan")).json();
      engineAdminClient.awaitTable(plan.path("version").asLong());
      bound = true;
    }
  }

  /** The token of a call that waits for its response. */
  private String token(BlockingHttpClient client) throws IOException, InterruptedException {
    bind(client);
    FirstCallDefinitions.inBackground(client, "later");
    String address = freshServices.late().nextAddress();
    return address.substring(address.lastIndexOf('/') + 1);
  }

  private static void expect(Response answer, int status, String what) throws IOException {
    if (answer.status() != status) {
      throw new IOException("expected " + what + " and status " + status + ", found " + answer);
    }
  }
}
