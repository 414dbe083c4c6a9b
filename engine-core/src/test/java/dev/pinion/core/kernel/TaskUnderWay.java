package dev.pinion.core.kernel;

import dev.pinion.core.graph.ProcessGraph;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A task of some kind between two calls, and what lets it go on, step by step.
 *
 * <pre>
 *   answer PATH VALUE    a call ends; so do "fail PATH" and "emitted TYPE"
 *   post TYPE VALUE      an event comes
 *   advance SECONDS      time passes
 * </pre>
 *
 * @param name the kind
 * @param task the task, in YAML
 * @param output its output, in JSON with single quotes
 * @param steps between the beginning of the task and its end
 */
record TaskUnderWay(String name, String task, String output, List<String> steps) {
  /** Name of a child, which calls a service. */
  static final String CHILD = "child";

  private static final String FIRST = "answer /before {'n':1}";

  /** The last step, after which the process ends with this value. */
  static final String LAST = "answer /after 'end'";

  private static final String PROTO =
      """
      syntax = "proto3";
      package demo;
      service Greeter { rpc Hello(Person) returns (Person); }
      message Person { string name = 1; }
      """;

  private static final String OPENAPI =
      """
      openapi: 3.1.0
      info: {title: shop, version: '1'}
      servers: [{url: 'http://x'}]
      paths:
        /items:
          get:
            operationId: items
            responses: {'200': {description: ok}}
      """;

  private static final Map<String, String> DOCUMENTS =
      Map.of("file:///greeter.proto", PROTO, "file:///shop.yaml", OPENAPI);

  private static TaskUnderWay of(String name, String task, String output, String... steps) {
    return new TaskUnderWay(name, task, output, List.of(steps));
  }

  /** A call of a service by its path. */
  private static String call(String path) {
    return "{call: http, with: {method: post, endpoint: 'http://x" + path + "', body: {}}}";
  }

  /** All steps of a process. */
  List<String> whole() {
    List<String> whole = new ArrayList<>();
    whole.add(FIRST);
    whole.addAll(steps);
    whole.add(LAST);
    return whole;
  }

  /** Whether a fault of the process is not compensated, so that it can be retried. */
  boolean isRetriable() {
    return !task.contains("compensate");
  }

  /** A process of the task alone. */
  ProcessGraph alone() {
    return CompiledTasks.graph("alone", tasks("  - ", "\n"), DOCUMENTS);
  }

  /** A process of the task beside a call. */
  ProcessGraph beside() {
    return CompiledTasks.graph(
        "beside",
        "  - both: {fork: {branches: [{work: {do: ["
            + tasks("{", "}, ")
            + "]}}, {beside: "
            + call("/beside")
            + "}]}}\n",
        DOCUMENTS);
  }

  private String tasks(String before, String after) {
    String told =
        "{call: http, with: {method: post, endpoint: 'http://x/after', body: {got: '${ . }'}}}";
    return before
        + ("before: " + call("/before"))
        + after
        + before
        + ("task: " + task)
        + after
        + before
        + ("after: " + told)
        + after;
  }

  /** The definition that some tasks run. */
  static ProcessGraph child() {
    return CompiledTasks.graph(CHILD, "  - ask: " + call("/child") + "\n");
  }

  @Override
  public String toString() {
    return name;
  }

  /** Every kind of task; those with several forms in each of them. */
  static Stream<TaskUnderWay> all() {
    return Stream.of(plain(), containers(), calls(), programs(), events(), children())
        .flatMap(List::stream);
  }

  private static List<TaskUnderWay> plain() {
    return List.of(
        of("set", "{set: {n: '${ .n + 1 }'}}", "{'n':2}"),
        of(
            "switch",
            "{do: [{choose: {switch: [{low: {when: '.n == 1', then: small}}]}},"
                + " {large: {set: {n: 0}, then: exit}}, {small: {set: {n: 7}}}]}",
            "{'n':7}"),
        of(
            "raise",
            "{try: [{fail: {raise: {error: {type: 'urn:e', status: 500}}}}],"
                + " catch: {do: [{handle: {set: {status: '${ $error.status }'}}}]}}",
            "{'status':500}"),
        of("wait", "{wait: PT5S}", "{'n':1}", "advance 6"),
        of(
            "timeout",
            "{try: [{slow: {do: [{ask: "
                + call("/a")
                + "}], timeout: {after: PT5S}}}], catch: {do: [{late: {set: {late: true}}}]}}",
            "{'late':true}",
            "advance 6"));
  }

  private static List<TaskUnderWay> containers() {
    return List.of(
        of(
            "do",
            "{do: [{a: " + call("/a") + "}, {b: " + call("/b") + "}]}",
            "2",
            "answer /a 1",
            "answer /b 2"),
        of(
            "for",
            "{for: {each: x, in: '${ [1, 2] }'}, do: [{a: " + call("/a") + "}]}",
            "2",
            "answer /a 1",
            "answer /a 2"),
        of(
            "fork",
            "{fork: {branches: [{a: " + call("/a") + "}, {b: " + call("/b") + "}]}}",
            "[1,2]",
            "answer /b 2",
            "answer /a 1"),
        of(
            "race",
            "{fork: {compete: true, branches: [{a: " + call("/a") + "}, {b: {wait: PT1H}}]}}",
            "1",
            "answer /a 1"),
        of(
            "parallelForEach",
            "{call: 'parallelForEach:1.0.0@default', with: {each: x, in: '${ [1, 2] }', do: [{a: "
                + call("/p{x}")
                + "}]}}",
            "[1,2]",
            "answer /p2 2",
            "answer /p1 1"),
        of(
            "try",
            "{try: [{a: "
                + call("/a")
                + "}], catch: {retry: {delay: PT5S, limit: {attempt: {count: 1}}}}}",
            "1",
            "fail /a",
            "advance 6",
            "answer /a 1"),
        of(
            "compensation",
            "{try: [{a: {call: http, with: {method: post, endpoint: 'http://x/a', body: {}},"
                + " metadata: {pinion: {compensate: [{u: "
                + call("/undo")
                + "}]}}}}, {b: "
                + call("/b")
                + "}], catch: {do: [{handle: {set: {undone: true}}}]}}",
            "{'undone':true}",
            "answer /a 1",
            "fail /b",
            "answer /undo 2"));
  }

  private static List<TaskUnderWay> calls() {
    return List.of(
        of("call: http", call("/a"), "5", "answer /a 5"),
        of(
            "call: http with a token",
            "{call: http, with: {method: get, endpoint: {uri: 'http://x/a', authentication:"
                + " {oauth2: {authority: 'http://issuer', grant: client_credentials, client: {id:"
                + " engine, secret: s3cret}}}}}}",
            "5",
            "answer /a 5"),
        of(
            "call: openapi",
            "{call: openapi, with: {document: {endpoint: 'file:///shop.yaml'},"
                + " operationId: items}}",
            "5",
            "answer /items 5"),
        of(
            "call: grpc",
            "{call: grpc, with: {proto: {endpoint: 'file:///greeter.proto'}, service: {name:"
                + " demo.Greeter, host: x, port: 443}, method: Hello, arguments: {name: Ada}}}",
            "{'name':'Ada'}",
            "answer /Hello {'name':'Ada'}"),
        of(
            "call: mcp",
            "{call: mcp, with: {method: tools/list,"
                + " transport: {http: {endpoint: 'http://x/mcp'}}}}",
            "5",
            "answer /mcp 5"),
        of(
            "call: a2a",
            "{call: a2a, with: {method: tasks/get, server: 'http://x/agent', parameters: {id: t}}}",
            "5",
            "answer /agent 5"));
  }

  private static List<TaskUnderWay> programs() {
    return List.of(
        of("run: shell", "{run: {shell: {command: 'echo 5'}}}", "'5'", "answer shell '5'"),
        of(
            "run: script",
            "{run: {script: {language: python, code: 'print(5)'}}}",
            "'5'",
            "answer python '5'"),
        of(
            "run: container",
            "{run: {container: {image: alpine, command: 'echo 5'}}}",
            "'5'",
            "answer alpine '5'"));
  }

  private static List<TaskUnderWay> events() {
    return List.of(
        of(
            "emit",
            "{emit: {event: {with: {type: told, data: '${ . }'}}}, output: {as: .data}}",
            "{'n':1}",
            "emitted told"),
        of(
            "listen",
            "{listen: {to: {one: {with: {type: heard}}}}}",
            "[{'k':1}]",
            "post heard {'k':1}"),
        of(
            "listen to all",
            "{listen: {to: {all: [{with: {type: one}, correlate: {k: {from: .data.k}}},"
                + " {with: {type: two}, correlate: {k: {from: .data.k}}}]}}}",
            "[{'k':1},{'k':1,'m':2}]",
            "post one {'k':1}",
            "post two {'k':2}",
            "post two {'k':1,'m':2}"),
        of(
            "listen until a condition",
            "{listen: {to: {any: [{with: {type: heard}}], until: '${ length == 2 }'}}}",
            "[1,2]",
            "post heard 1",
            "post heard 2"),
        of(
            "listen until an event",
            "{listen: {to: {any: [{with: {type: heard}}], until: {one: {with: {type: over}}}}},"
                + " foreach: {item: e, do: [{ask: {call: http, with: {method: post, endpoint:"
                + " 'http://x/a', body: '${ $e }'}}}]}}",
            "['x','y']",
            "post heard 1",
            "answer /a 'x'",
            "post heard 2",
            "post over 0",
            "answer /a 'y'"),
        of(
            "listen in vain",
            "{try: [{hear: {listen: {to: {one: {with: {type: never}}}}, timeout: {after: PT5S}}}],"
                + " catch: {do: [{late: {set: {late: true}}}]}}",
            "{'late':true}",
            "advance 6"));
  }

  private static List<TaskUnderWay> children() {
    return List.of(
        of(
            "run: workflow",
            "{run: {workflow: {namespace: test, name: child}}}",
            "5",
            "answer /child 5"),
        of(
            "run: workflow without its output",
            "{run: {workflow: {namespace: test, name: child}, return: none}}",
            "null",
            "answer /child 5"),
        of(
            "run: workflow that nobody awaits",
            "{run: {workflow: {namespace: test, name: child}, await: false}}",
            "{'n':1}",
            "answer /child 5"));
  }
}
