package dev.pinion.benchmarks.experiments.globus;

import dev.pinion.benchmarks.testbed.BlockingHttpClient;
import dev.pinion.benchmarks.testbed.BlockingHttpClient.Request;
import dev.pinion.benchmarks.testbed.BlockingHttpClient.Response;
import java.io.IOException;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;

/** Definitions whose first instances are timed: one for each kind of effective task. */
final class FirstCallDefinitions {
  private static final String NAMESPACE = "first-call";

  private FirstCallDefinitions() {}

  /** Tasks by the name of their definition; {@code sleep} does not end by itself. */
  static Map<String, String> tasks(URI stub) {
    String call =
        "{ call: http, with: { method: post, endpoint: '"
            + stub
            + "/svc/s%d', body: { value: 1 } } }";
    Map<String, String> tasks = new LinkedHashMap<>();
    tasks.put("set", "  - one: { set: { value: '${ .value + 1 }' } }\n");
    tasks.put("call", "  - one: " + call.formatted(1) + "\n");
    tasks.put(
        "fork",
        "  - one: { fork: { branches: [ { a: "
            + call.formatted(1)
            + " }, { b: "
            + call.formatted(2)
            + " } ] } }\n");
    tasks.put(
        "for-each",
        """
          - one:
              call: parallelForEach:1.0.0@default
              with:
                in: '${ [1, 2, 3] }'
                do:
                  - each: %s
        """
            .formatted(call.formatted(3)));
    tasks.put(
        "try",
        """
          - one:
              try:
                - fails: { raise: { error: { type: 'https://pinion.dev/none', status: 400 } } }
              catch: { do: [ { caught: { set: { caught: true } } } ] }
        """);
    tasks.put("evaluate", "  - one: { set: { sum: '${ [range(50000)] | add }' } }\n");
    tasks.put(
        "fault",
        "  - one: { raise: { error: { type: 'https://pinion.dev/none', status: 400 } } }\n");
    tasks.put(
        "for",
        "  - one: { for: { each: item, in: '${ [1, 2, 3] }' }, do: [ { each: { set: { last: '${"
            + " $item }' } } } ] }\n");
    tasks.put(
        "switch",
        """
          - one: { switch: [ { some: { when: '${ .value > 0 }', then: end } }, { none: { then: two } } ] }
          - two: { set: { value: 0 } }
        """);
    tasks.put("do", "  - one: { do: [ { inner: { set: { value: 1 } } } ] }\n");
    tasks.put("wait", "  - one: { wait: { milliseconds: 1 } }\n");
    tasks.put("sleep", "  - one: { wait: { hours: 1 } }\n");
    return tasks;
  }

  /** A task that calls a service, below an address. */
  static String call(String address) {
    return "  - one: { call: http, with: { method: post, endpoint: '"
        + address
        + "/x', body: { value: 1 } } }\n";
  }

  static String document(String name, String tasks) {
    return document(name, tasks, "none");
  }

  private static String document(String name, String tasks, String durability) {
    return """
        document:
          dsl: '1.0.3'
          namespace: first-call
          name: %s
          version: '1.0.0'
          metadata: { pinion: { durability: %s } }
        do:
        """
            .formatted(name, durability)
        + tasks;
  }

  static Request deploy(String name, String tasks) {
    return deploy(name, tasks, "none");
  }

  /** Deploys a definition with journalled instances, which the history records. */
  static Request deployKept(String name, String tasks) {
    return deploy(name, tasks, "async");
  }

  /** Deploys a definition with a durability. */
  static Request deploy(String name, String tasks, String durability) {
    String document = document(name, tasks, durability);
    return new Request("POST", "/v1/definitions", "application/yaml", document, "");
  }

  /** Deploys a definition under the id of the path. */
  static Request put(String name, String tasks) {
    return new Request("PUT", version(name), "application/yaml", document(name, tasks), "");
  }

  /** Starts an instance and waits for its end. */
  static Request start(String name, String input) {
    return Request.post(instances(name), "{\"input\":" + input + "}");
  }

  /**
   * Starts an instance and waits for its end; an instance that faults is answered with an error
   * status.
   */
  static Request startOrFail(String name, String input) {
    return Request.post(instances(name) + "?fault=http", "{\"input\":" + input + "}");
  }

  /** Starts an instance in the background; returns its path. */
  static String inBackground(BlockingHttpClient client, String name) throws IOException {
    Response response =
        client.exchange(
            new Request(
                "POST", instances(name), "application/json", "{}", "prefer: respond-async"));
    String id = response.json().path("id").asText();
    if (id.isEmpty()) {
      throw new IOException("expected an instance of " + name + ", found " + response);
    }
    return "/v1/instances/" + id;
  }

  /** Path of the definitions of the namespace. */
  static String all() {
    return "/v1/namespaces/" + NAMESPACE + "/definitions";
  }

  /** Path of the versions of a definition. */
  static String versions(String name) {
    return all() + "/" + name;
  }

  /** Path of a definition. */
  static String version(String name) {
    return versions(name) + "/versions/1.0.0";
  }

  /** Path for external events of the namespace. */
  static String events() {
    return "/v1/namespaces/" + NAMESPACE + "/events";
  }

  private static String instances(String name) {
    return versions(name) + "/instances";
  }
}
