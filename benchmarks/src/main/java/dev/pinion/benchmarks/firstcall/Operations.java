package dev.pinion.benchmarks.firstcall;

import dev.pinion.benchmarks.firstcall.PlainClient.Answer;
import dev.pinion.benchmarks.firstcall.PlainClient.Ask;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Operations for an engine without a history and a broker, in this order. */
final class Operations {
  private static final String NEW_DEFINITION = "first start of a definition";
  private static final String NEW_SERVICE = "first call of a service";

  private Operations() {}

  static List<Operation> all(URI stub, Services services) {
    Map<String, String> tasks = Definitions.tasks(stub);
    List<Operation> operations = new ArrayList<>();
    operations.add(Operation.of("GET livez", Ask.get("/livez"), 200));
    operations.add(Operation.of("GET readyz", Ask.get("/readyz"), 200));
    operations.add(deploy(tasks));
    operations.add(put(tasks));
    operations.add(check(tasks));
    operations.add(Operation.start("start: set", "set", "{\"value\":1}"));
    operations.add(Operation.start("start: call", "call", "{}"));
    operations.add(Operation.start("start: fork", "fork", "{}"));
    operations.add(Operation.start("start: parallelForEach", "for-each", "{}"));
    operations.add(Operation.start("start: try, catch", "try", "{}"));
    operations.add(Operation.start("start: for", "for", "{}"));
    operations.add(Operation.start("start: switch", "switch", "{\"value\":1}"));
    operations.add(Operation.start("start: do", "do", "{}"));
    operations.add(Operation.start("start: wait", "wait", "{}"));
    operations.add(Operation.start("start: long expression", "evaluate", "{}"));
    operations.add(
        Operation.of(
            "start: named version",
            Ask.post(Definitions.version("set") + "/instances", "{\"input\":{\"value\":1}}"),
            200));
    operations.add(inBackground());
    operations.add(of("GET instance", "set", "", "GET", 200));
    operations.add(of("GET output", "set", "/output", "GET", 200));
    operations.add(Operation.of("GET instances", Ask.get("/v1/instances"), 200));
    operations.add(of("suspend", "sleep", "/suspension", "POST", 202));
    operations.add(resume());
    operations.add(of("cancel", "sleep", "/cancellation", "POST", 202));
    operations.add(again("rerun", "set"));
    operations.add(again("retry", "fault"));
    operations.add(Operation.of("GET definitions", Ask.get("/v1/definitions"), 200));
    operations.add(Operation.of("GET definitions of a namespace", Ask.get(Definitions.all()), 200));
    operations.add(Operation.of("GET versions", Ask.get(Definitions.versions("set")), 200));
    operations.add(Operation.of("GET definition", Ask.get(Definitions.version("set")), 200));
    operations.add(delete(tasks));
    operations.add(event());
    operations.add(Operation.of("GET handlers", Ask.get("/v1/handlers"), 200));
    operations.add(Operation.of("reload handlers", Ask.post("/v1/handlers/reload", ""), 200));
    operations.add(Operation.of("GET openapi.json", Ask.get("/openapi.json"), 200));
    operations.add(newDefinition());
    operations.add(newService(services));
    return operations;
  }

  /**
   * The n-th deployment is of the n-th definition; after the last one, of the first definition
   * under new names.
   */
  private static Operation deploy(Map<String, String> tasks) {
    List<Map.Entry<String, String>> known = List.copyOf(tasks.entrySet());
    return new Operation(
        "deploy",
        (client, n) ->
            n <= known.size()
                ? Definitions.deploy(known.get(n - 1).getKey(), known.get(n - 1).getValue())
                : Definitions.deploy("other-" + n, known.getFirst().getValue()),
        status -> status == 201);
  }

  private static Operation put(Map<String, String> tasks) {
    String set = tasks.getOrDefault("set", "");
    return new Operation(
        "PUT definition", (client, n) -> Definitions.put("put-" + n, set), status -> status == 201);
  }

  /** Deletion of a definition that was deployed for it. */
  private static Operation delete(Map<String, String> tasks) {
    String set = tasks.getOrDefault("set", "");
    return new Operation(
        "DELETE definition",
        (client, n) -> {
          String name = "deleted-" + n;
          client.ask(Definitions.deploy(name, set));
          return new Ask("DELETE", Definitions.version(name), "", "", "");
        },
        status -> status == 204);
  }

  private static Operation check(Map<String, String> tasks) {
    Ask deploy = Definitions.deploy("checked", tasks.getOrDefault("set", ""));
    return Operation.of(
        "check a definition",
        new Ask(deploy.method(), deploy.path() + "?dryRun=true", deploy.type(), deploy.body(), ""),
        200);
  }

  private static Operation event() {
    return new Operation(
        "external event",
        (client, n) ->
            new Ask(
                "POST",
                Definitions.events(),
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

  private static Operation inBackground() {
    Ask start = Definitions.start("set", "{\"value\":1}");
    Ask async =
        new Ask(start.method(), start.path(), start.type(), start.body(), "prefer: respond-async");
    return new Operation("start in the background", (c, n) -> async, s -> s == 202);
  }

  /** A request about an instance that was started for it. */
  private static Operation of(
      String name, String definition, String below, String method, int status) {
    return new Operation(
        name,
        (client, n) -> {
          String instance = started(client, definition);
          return new Ask(method, instance + below, "", "", "");
        },
        found -> found == status);
  }

  /** A repeated operation on an instance that has ended; its end is awaited. */
  private static Operation again(String name, String definition) {
    return new Operation(
        name,
        (client, n) ->
            new Ask("POST", started(client, definition) + "/" + name, "", "", "prefer: wait=10"),
        status -> status == 200);
  }

  private static Operation resume() {
    return new Operation(
        "resume",
        (client, n) -> {
          String instance = started(client, "sleep");
          Answer suspended = client.ask(Ask.post(instance + "/suspension", ""));
          if (suspended.status() != 202) {
            throw new IOException("expected an instance to be suspended, found " + suspended);
          }
          return Ask.post(instance + "/resumption", "");
        },
        status -> status == 202);
  }

  /** Starts an instance; waits for its end if it ends by itself. */
  private static String started(PlainClient client, String definition) throws IOException {
    String instance = Definitions.inBackground(client, definition);
    if (!definition.equals("sleep")) {
      Answer ended = client.ask(new Ask("GET", instance, "", "", "prefer: wait=10"));
      if (ended.status() != 200) {
        throw new IOException("expected an instance that has ended, found " + ended);
      }
    }
    return instance;
  }

  private static Operation newDefinition() {
    return new Operation(
        NEW_DEFINITION,
        (client, n) -> {
          String name = "new-" + n;
          deployed(client, name, "  - one: { set: { value: " + n + " } }\n");
          return Definitions.start(name, "{}");
        },
        status -> status == 200);
  }

  private static Operation newService(Services services) {
    return new Operation(
        NEW_SERVICE,
        (client, n) -> {
          String name = "service-" + n;
          deployed(client, name, Definitions.tasks(services.next()).getOrDefault("call", ""));
          return Definitions.start(name, "{}");
        },
        status -> status == 200);
  }

  private static void deployed(PlainClient client, String name, String tasks) throws IOException {
    Answer answer = client.ask(Definitions.deploy(name, tasks));
    if (answer.status() != 201) {
      throw new IOException("expected " + name + " to be deployed, found " + answer);
    }
  }
}
