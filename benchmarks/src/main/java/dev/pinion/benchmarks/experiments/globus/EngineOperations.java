package dev.pinion.benchmarks.experiments.globus;

import dev.pinion.benchmarks.testbed.BlockingHttpClient;
import dev.pinion.benchmarks.testbed.BlockingHttpClient.Request;
import dev.pinion.benchmarks.testbed.BlockingHttpClient.Response;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Operations for an engine without a history and a broker, in this order. */
final class EngineOperations {
  private static final String NEW_DEFINITION = "first start of a definition";
  private static final String NEW_SERVICE = "first call of a service";

  private EngineOperations() {}

  static List<TimedOperation> all(URI stub, FreshServices freshServices) {
    Map<String, String> tasks = FirstCallDefinitions.tasks(stub);
    List<TimedOperation> operations = new ArrayList<>();
    operations.add(TimedOperation.of("GET livez", Request.get("/livez"), 200));
    operations.add(TimedOperation.of("GET readyz", Request.get("/readyz"), 200));
    operations.add(deploy(tasks));
    operations.add(put(tasks));
    operations.add(check(tasks));
    operations.add(TimedOperation.start("start: set", "set", "{\"value\":1}"));
    operations.add(TimedOperation.start("start: call", "call", "{}"));
    operations.add(TimedOperation.start("start: fork", "fork", "{}"));
    operations.add(TimedOperation.start("start: parallelForEach", "for-each", "{}"));
    operations.add(TimedOperation.start("start: try, catch", "try", "{}"));
    operations.add(TimedOperation.start("start: for", "for", "{}"));
    operations.add(TimedOperation.start("start: switch", "switch", "{\"value\":1}"));
    operations.add(TimedOperation.start("start: do", "do", "{}"));
    operations.add(TimedOperation.start("start: wait", "wait", "{}"));
    operations.add(TimedOperation.start("start: long expression", "evaluate", "{}"));
    operations.add(
        TimedOperation.of(
            "start: named version",
            Request.post(
                FirstCallDefinitions.version("set") + "/instances", "{\"input\":{\"value\":1}}"),
            200));
    operations.add(inBackground());
    operations.add(of("GET instance", "set", "", "GET", 200));
    operations.add(of("GET output", "set", "/output", "GET", 200));
    operations.add(TimedOperation.of("GET instances", Request.get("/v1/instances"), 200));
    operations.add(of("suspend", "sleep", "/suspension", "POST", 202));
    operations.add(resume());
    operations.add(of("cancel", "sleep", "/cancellation", "POST", 202));
    operations.add(repeated("rerun", "set"));
    operations.add(repeated("retry", "fault"));
    operations.add(TimedOperation.of("GET definitions", Request.get("/v1/definitions"), 200));
    operations.add(
        TimedOperation.of(
            "GET definitions of a namespace", Request.get(FirstCallDefinitions.all()), 200));
    operations.add(
        TimedOperation.of("GET versions", Request.get(FirstCallDefinitions.versions("set")), 200));
    operations.add(
        TimedOperation.of("GET definition", Request.get(FirstCallDefinitions.version("set")), 200));
    String set = FirstCallDefinitions.version("set");
    operations.add(TimedOperation.of("compare definitions", Request.get(set + "/diff"), 200));
    operations.add(TimedOperation.of("draw a definition", Request.get(set + "/graph"), 200));
    operations.add(TimedOperation.of("GET schema", Request.get("/v1/schema"), 200));
    operations.add(
        TimedOperation.of("disable a definition", Request.post(set + "/disablement", ""), 200));
    operations.add(
        TimedOperation.of("enable a definition", Request.post(set + "/enablement", ""), 200));
    String schedule = FirstCallDefinitions.versions("set") + "/schedule";
    operations.add(TimedOperation.of("GET schedules", Request.get("/v1/schedules"), 200));
    operations.add(TimedOperation.of("GET a schedule that is none", Request.get(schedule), 404));
    operations.add(
        TimedOperation.of(
            "pause a schedule that is none", Request.post(schedule + "/pause", ""), 404));
    operations.add(
        TimedOperation.of(
            "resume a schedule that is none", Request.post(schedule + "/resumption", ""), 404));
    operations.add(delete(tasks));
    operations.add(event());
    operations.add(TimedOperation.of("GET handlers", Request.get("/v1/handlers"), 200));
    operations.add(
        TimedOperation.of("reload handlers", Request.post("/v1/handlers/reload", ""), 200));
    operations.add(TimedOperation.of("GET openapi.json", Request.get("/openapi.json"), 200));
    operations.add(newDefinition());
    operations.add(newService(freshServices));
    return operations;
  }

  /**
   * The n-th deployment is of the n-th definition; after the last one, of the first definition
   * under new names.
   */
  private static TimedOperation deploy(Map<String, String> tasks) {
    List<Map.Entry<String, String>> known = List.copyOf(tasks.entrySet());
    return new TimedOperation(
        "deploy",
        (client, n) ->
            n <= known.size()
                ? FirstCallDefinitions.deploy(
                    known.get(n - 1).getKey(), known.get(n - 1).getValue())
                : FirstCallDefinitions.deploy("other-" + n, known.getFirst().getValue()),
        status -> status == 201);
  }

  private static TimedOperation put(Map<String, String> tasks) {
    String set = tasks.getOrDefault("set", "");
    return new TimedOperation(
        "PUT definition",
        (client, n) -> FirstCallDefinitions.put("put-" + n, set),
        status -> status == 201);
  }

  /** Deletion of a definition that was deployed for it. */
  private static TimedOperation delete(Map<String, String> tasks) {
    String set = tasks.getOrDefault("set", "");
    return new TimedOperation(
        "DELETE definition",
        (client, n) -> {
          String name = "deleted-" + n;
          client.exchange(FirstCallDefinitions.deploy(name, set));
          return new Request("DELETE", FirstCallDefinitions.version(name), "", "", "");
        },
        status -> status == 204);
  }

  private static TimedOperation check(Map<String, String> tasks) {
    Request deploy = FirstCallDefinitions.deploy("checked", tasks.getOrDefault("set", ""));
    return TimedOperation.of(
        "check a definition",
        new Request(
            deploy.method(), deploy.path() + "?dryRun=true", deploy.type(), deploy.body(), ""),
        200);
  }

  private static TimedOperation event() {
    return new TimedOperation(
        "external event",
        (client, n) ->
            new Request(
                "POST",
                FirstCallDefinitions.events(),
                "application/cloudevents+json",
                String.format(
                    Locale.ROOT,
                    """
                    {"specversion":"1.0","source":"/first-call","id":"%d","type":"row.changed",\
                    "subject":"row","data":{"value":%d}}\
                    """,
                    n,
                    n),
                ""),
        status -> status == 202);
  }

  private static TimedOperation inBackground() {
    Request start = FirstCallDefinitions.start("set", "{\"value\":1}");
    Request async =
        new Request(
            start.method(), start.path(), start.type(), start.body(), "prefer: respond-async");
    return new TimedOperation("start in the background", (c, n) -> async, s -> s == 202);
  }

  /** A request about an instance that was started for it. */
  private static TimedOperation of(
      String name, String definition, String below, String method, int status) {
    return new TimedOperation(
        name,
        (client, n) -> {
          String instance = started(client, definition);
          return new Request(method, instance + below, "", "", "");
        },
        found -> found == status);
  }

  /** A repeated operation on an instance that has ended; its end is awaited. */
  private static TimedOperation repeated(String name, String definition) {
    return new TimedOperation(
        name,
        (client, n) ->
            new Request(
                "POST", started(client, definition) + "/" + name, "", "", "prefer: wait=10"),
        status -> status == 200);
  }

  private static TimedOperation resume() {
    return new TimedOperation(
        "resume",
        (client, n) -> {
          String instance = started(client, "sleep");
          Response suspended = client.exchange(Request.post(instance + "/suspension", ""));
          if (suspended.status() != 202) {
            throw new IOException("expected an instance to be suspended, found " + suspended);
          }
          return Request.post(instance + "/resumption", "");
        },
        status -> status == 202);
  }

  /** Starts an instance; waits for its end if it ends by itself. */
  private static String started(BlockingHttpClient client, String definition) throws IOException {
    String instance = FirstCallDefinitions.inBackground(client, definition);
    if (!definition.equals("sleep")) {
      Response ended = client.exchange(new Request("GET", instance, "", "", "prefer: wait=10"));
      if (ended.status() != 200) {
        throw new IOException("expected an instance that has ended, found " + ended);
      }
    }
    return instance;
  }

  private static TimedOperation newDefinition() {
    return new TimedOperation(
        NEW_DEFINITION,
        (client, n) -> {
          String name = "new-" + n;
          deployed(client, name, "  - one: { set: { value: " + n + " } }\n");
          return FirstCallDefinitions.start(name, "{}");
        },
        status -> status == 200);
  }

  private static TimedOperation newService(FreshServices freshServices) {
    return new TimedOperation(
        NEW_SERVICE,
        (client, n) -> {
          String name = "service-" + n;
          deployed(
              client,
              name,
              FirstCallDefinitions.tasks(freshServices.next()).getOrDefault("call", ""));
          return FirstCallDefinitions.start(name, "{}");
        },
        status -> status == 200);
  }

  private static void deployed(BlockingHttpClient client, String name, String tasks)
      throws IOException {
    Response response = client.exchange(FirstCallDefinitions.deploy(name, tasks));
    if (response.status() != 201) {
      throw new IOException("expected " + name + " to be deployed, found " + response);
    }
  }
}
