package dev.pinion.benchmarks.firstcall;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.benchmarks.firstcall.PlainClient.Answer;
import dev.pinion.benchmarks.firstcall.PlainClient.Ask;
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
final class HistoryAndBroker {
  private static final String SEARCH = "GET /v1/history/instances";
  private static final String BROKER = "/v1/broker/";
  private static final String SUBSCRIPTIONS = "/v1/subscriptions";
  private static final String CLASS =
      "{\"r_max\": 60, \"d_min\": 0.5, \"price\": 60}"; // far from what can be met
  private static final Duration PAUSE = Duration.ofMillis(50);
  private static final int LOOKS = 1_200;

  private final URI stub;
  private final Services services;
  private final Operators operators;
  private String kept = "";
  private boolean bound;

  /**
   * Operations of an engine.
   *
   * @param stub services that respond
   * @param services services, among them one that responds later
   * @param operators operators of the engine
   */
  HistoryAndBroker(URI stub, Services services, Operators operators) {
    this.stub = stub;
    this.services = services;
    this.operators = operators;
  }

  List<Operation> all() {
    List<Operation> all = new ArrayList<>();
    all.addAll(past());
    all.addAll(subscriptions());
    all.addAll(services());
    all.addAll(contracts());
    all.addAll(plans());
    all.add(abstractCall());
    all.add(
        Operation.route(
            "POST /v1/callbacks/{token}",
            204,
            (client, n) -> Operation.Part.of(token(client), "{\"answered\":" + n + "}")));
    return all;
  }

  /** The search comes first: once warm, it is used to wait for the other operation's events. */
  private List<Operation> past() {
    return List.of(
        Operation.route(SEARCH, 200, Operation.Part.NONE),
        Operation.route(
            "GET /v1/instances/{id}/events",
            200,
            (client, n) -> Operation.Part.of(instance(client), "")));
  }

  private static List<Operation> subscriptions() {
    String one = SUBSCRIPTIONS + "/{id}";
    return List.of(
        Operation.route(
            "POST " + SUBSCRIPTIONS, 201, (client, n) -> Operation.Part.of("", wish(n))),
        Operation.route("GET " + SUBSCRIPTIONS, 200, Operation.Part.NONE),
        Operation.route(
            "GET " + one, 200, (client, n) -> Operation.Part.of(subscribed(client, n), "")),
        Operation.route(
            "PATCH " + one,
            200,
            (client, n) ->
                Operation.Part.of(subscribed(client, n), "{\"leaseSeconds\": " + (60 + n) + "}")),
        Operation.route(
            "DELETE " + one, 204, (client, n) -> Operation.Part.of(subscribed(client, n), "")));
  }

  /** A namespace without events, so that nothing is sent beside the measured requests. */
  private static String wish(int n) {
    return String.format(
        Locale.ROOT,
        "{\"sink\": \"http://127.0.0.1:9/none\", \"namespace\": \"none\", \"leaseSeconds\": %d}",
        3600 + n);
  }

  private List<Operation> services() {
    String one = BROKER + "services/{id}";
    return List.of(
        Operation.route(
            "PUT " + one,
            201,
            (client, n) -> Operation.Part.of("told-" + n, service("told", stub, ""))),
        Operation.route("GET " + BROKER + "services", 200, Operation.Part.NONE),
        Operation.route("GET " + one, 200, named("told-")),
        Operation.route("POST " + one + "/withdrawal", 200, named("told-")),
        Operation.route("DELETE " + one, 204, named("told-")));
  }

  private List<Operation> contracts() {
    String model = BROKER + "model";
    String oneClass = BROKER + "classes/{id}";
    String sla = BROKER + "slas/{id}";
    return List.of(
        Operation.route(
            "PUT " + model,
            status -> status == 200 || status == 201, // the first request creates it
            (client, n) -> {
              if (n == 1) {
                put(client, "services/now", service("now", stub, ""));
                put(client, "services/later", later());
              }
              return Operation.Part.of("", model(n));
            }),
        Operation.route("GET " + model, 200, Operation.Part.NONE),
        Operation.route(
            "PUT " + oneClass,
            201,
            (client, n) -> {
              if (n == 1) {
                put(client, "classes/standard", CLASS);
              }
              return Operation.Part.of("class-" + n, CLASS);
            }),
        Operation.route("GET " + BROKER + "classes", 200, Operation.Part.NONE),
        Operation.route("GET " + oneClass, 200, named("class-")),
        Operation.route(
            "PUT " + sla, 201, (client, n) -> Operation.Part.of("contract-" + n, contract(n))),
        Operation.route("GET " + BROKER + "slas", 200, Operation.Part.NONE),
        Operation.route("GET " + sla, 200, named("contract-")),
        Operation.route("DELETE " + sla, 204, named("contract-")),
        Operation.route("DELETE " + oneClass, 204, named("class-")));
  }

  private static List<Operation> plans() {
    return List.of(
        Operation.route("GET " + BROKER + "behaviour", 200, Operation.Part.NONE),
        Operation.route("GET " + BROKER + "plan", 200, Operation.Part.NONE),
        Operation.route("GET " + BROKER + "plans", 200, Operation.Part.NONE),
        Operation.route("GET " + BROKER + "decisions", 200, Operation.Part.NONE));
  }

  /** Returns a status other than 200 when the instance fails. */
  private Operation abstractCall() {
    return new Operation(
        "start: call of an abstract service",
        (client, n) -> {
          bind(client);
          Ask start = Definitions.start("now", "{}");
          return Ask.post(start.path() + "?fault=http", start.body());
        },
        status -> status == 200);
  }

  private static Operation.Filling named(String prefix) {
    return (client, n) -> Operation.Part.of(prefix + n, "");
  }

  private static String service(String serves, URI endpoint, String further) {
    return ("{\"serves\": [\"%s\"], \"endpoint\": \"%s/svc/s1\", \"idempotent\": true,"
            + " \"r\": 0.01, \"d\": 0.999, \"c\": 1%s}")
        .formatted(serves, endpoint, further);
  }

  private String later() throws IOException {
    return service("later", services.late().uri(), ", \"async\": true");
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

  private static void put(PlainClient client, String path, String document) throws IOException {
    Ask put = new Ask("PUT", BROKER + path, "application/json", document, "");
    expect(client.ask(put), 201, "the broker to take " + path);
  }

  private static String subscribed(PlainClient client, int n) throws IOException {
    Answer made = client.ask(Ask.post(SUBSCRIPTIONS, wish(n)));
    expect(made, 201, "a subscription");
    return made.json().path("id").asText();
  }

  /** An instance that has ended and is recorded in the history. */
  private String instance(PlainClient client) throws IOException, InterruptedException {
    if (kept.isEmpty()) {
      String task = "  - one: { set: { value: 1 } }\n";
      expect(client.ask(Definitions.deployKept("kept", task)), 201, "a definition");
      Answer started = client.ask(Definitions.start("kept", "{}"));
      expect(started, 200, "an instance that has ended");
      awaitHistory(client);
      kept = started.json().path("id").asText();
    }
    return kept;
  }

  private static void awaitHistory(PlainClient client) throws IOException, InterruptedException {
    Ask search = Ask.get("/v1/history/instances?definition=kept&state=COMPLETED");
    Answer found = client.ask(search);
    for (int look = 1; found.json().path("items").isEmpty(); look++) {
      if (look == LOOKS) {
        throw new IOException(
            "expected the history to know of an instance within "
                + PAUSE.multipliedBy(LOOKS).toSeconds()
                + " s, found "
                + found);
      }
      Thread.sleep(PAUSE);
      found = client.ask(search);
    }
  }

  /** Deploys a definition that calls abstract services, and waits for a table that binds them. */
  private void bind(PlainClient client) throws IOException, InterruptedException {
    if (!bound) {
      for (String service : List.of("now", "later")) {
        Ask deploy = Definitions.deploy(service, Definitions.call("svc://" + service));
        expect(client.ask(deploy), 201, "a definition");
      }
      JsonNode plan = client.ask(Ask.get(BROKER + "plan")).json();
      operators.awaitTable(plan.path("version").asLong());
      bound = true;
    }
  }

  /** The token of a call that waits for its response. */
  private String token(PlainClient client) throws IOException, InterruptedException {
    bind(client);
    Definitions.inBackground(client, "later");
    String address = services.late().nextAddress();
    return address.substring(address.lastIndexOf('/') + 1);
  }

  private static void expect(Answer answer, int status, String what) throws IOException {
    if (answer.status() != status) {
      throw new IOException("expected " + what + " and status " + status + ", found " + answer);
    }
  }
}
