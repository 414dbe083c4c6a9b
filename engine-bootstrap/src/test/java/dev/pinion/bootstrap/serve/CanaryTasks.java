package dev.pinion.bootstrap.serve;

import java.util.LinkedHashMap;
import java.util.Map;

/** Tasks that use the secrets {@code key} and {@code login} in every kind of call. */
final class CanaryTasks {
  private static final String DEFINITION =
      """
      document: {dsl: 1.0.3, namespace: test, name: NAME, version: 1.0.0}
      use:
        secrets: [key, login]
        authentications:
          token: {bearer: {use: key}}
          login: {digest: {use: login}}
        functions:
          ask:
            call: http
            with:
              method: get
              endpoint: {uri: 'SERVER/{path}', authentication: {use: token}}
              headers: {X-Key: '${ $secrets.key }'}
      do:
        - it: TASK
      """;

  private static final String OPENAPI =
      """
      {call: openapi, with: {document: {endpoint: 'API'}, operationId: act,
       authentication: {use: token}, parameters: {
         id: '${ $secrets.key }', q: '${ $secrets.key }', X-Key: '${ $secrets.key }'}}}
      """;

  private static final String GRPC =
      """
      {call: grpc, with: {proto: {endpoint: 'PROTO'}, method: Hello,
       service: {name: demo.Greeter, host: 127.0.0.1, port: PORT, authentication: {use: token}},
       arguments: {name: '${ $secrets.key }'}},
       metadata: {pinion: {grpc: {metadata: {x-key: '${ $secrets.key }'}}}}}
      """;

  private static final String MCP =
      """
      {call: mcp, with: {method: tools/call,
       parameters: {name: t, arguments: {key: '${ $secrets.key }'}},
       transport: {http: {endpoint: {uri: 'SERVER/rpc', authentication: {use: token}},
        headers: {X-Key: '${ $secrets.key }'}}}}}
      """;

  private static final String MCP_PROGRAM =
      """
      {call: mcp, with: {method: tools/call,
       parameters: {name: t, arguments: {key: '${ $secrets.key }'}},
       transport: {stdio: {command: 'PROGRAM', environment: {KEY: '${ $secrets.key }'}}}}}
      """;

  private static final String A2A =
      """
      {call: a2a, with: {method: message/send,
       parameters: {message: {parts: [{kind: text, text: '${ $secrets.key }'}]}},
       server: {uri: 'SERVER/rpc', authentication: {use: token}}}}
      """;

  private static final String SHELL =
      """
      {run: {shell: {command: 'cat >&2; printf "%s" "$KEY" >&2; exit 1',
       environment: {KEY: '${ $secrets.key }'}, stdin: '${ $secrets.key }'}}}
      """;

  private static final String DIGEST =
      """
      {call: http, with: {method: post, body: {a: 1},
       endpoint: {uri: 'SERVER/digest', authentication: {use: login}}}}
      """;

  private static final String SAGA =
      """
      {do: [
       {booked: {
        call: http,
        with: {method: post, endpoint: {uri: 'SERVER/ok', authentication: {use: token}},
         output: response},
        metadata: {pinion: {compensate: [{undo: {call: http, with: {method: post,
         endpoint: {uri: 'SERVER/echo', authentication: {use: token}},
         body: '${ $secrets.key }'}}}]}}}},
       {failed: {raise: {error: {type: 'https://a.b/failed', status: 500, title: failed}}}}]}
      """;

  private static final String EMIT =
      """
      {do: [
       {asked: {call: http, with: {method: post, query: {key: '${ $secrets.key }'},
        endpoint: {uri: 'SERVER/ok', authentication: {use: token}}, output: response}}},
       {tell: {emit: {event: {with: {source: 'https://a.b', type: com.example.told,
        data: {seen: '${ . }'}}}}}}]}
      """;

  private static final String API =
      """
      openapi: 3.1.0
      servers: [{url: SERVER}]
      paths:
        /echo/{id}:
          post:
            operationId: act
            parameters:
              - {name: id, in: path, required: true}
              - {name: q, in: query}
              - {name: X-Key, in: header}
      """;

  /** A gRPC service. */
  static final String PROTO =
      """
      syntax = "proto3";
      package demo;
      service Greeter { rpc Hello(Person) returns (Person); }
      message Person { string name = 1; }
      """;

  private CanaryTasks() {}

  /** An OpenAPI document. */
  static String api(String service) {
    return API.replace("SERVER", service);
  }

  /**
   * Tasks by the names of their definitions; all but one fail.
   *
   * @param api URI of the OpenAPI document
   * @param proto URI of the file {@link #PROTO}
   * @param port where no gRPC service is
   * @param program path of an MCP server
   */
  static Map<String, String> all(String api, String proto, int port, String program) {
    Map<String, String> tasks = new LinkedHashMap<>();
    tasks.put("openapi", OPENAPI.replace("API", api));
    tasks.put("grpc", GRPC.replace("PROTO", proto).replace("PORT", Integer.toString(port)));
    tasks.put("mcp", MCP);
    tasks.put("server", MCP_PROGRAM.replace("PROGRAM", program));
    tasks.put("a2a", A2A);
    tasks.put("shell", SHELL);
    tasks.put("function", "{call: ask, with: {path: echo}}");
    tasks.put("digest", DIGEST);
    tasks.put("saga", SAGA);
    tasks.put("emit", EMIT);
    tasks.put(
        "child", "{run: {workflow: {namespace: test, name: function, version: 1.0.0, input: {}}}}");
    return tasks;
  }

  /** A definition with one task. */
  static String definition(String name, String task, String service) {
    return DEFINITION
        .replace("NAME", name)
        .replace("TASK", task.strip().replace("\n", " "))
        .replace("SERVER", service);
  }
}
