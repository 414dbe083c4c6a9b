Feature: Calls of other protocols
  gRPC, AsyncAPI, MCP and A2A.

  # dsl-reference.md: gRPC Call
  Scenario: A gRPC service that cannot be reached is a communication error
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: calls, version: '1.0.0'}
      do:
        - ask:
            call: grpc
            with:
              proto: {endpoint: 'http://services.example/greet.proto'}
              service: {name: example.Greeter, host: 127.0.0.1, port: 1}
              method: SayHello
              arguments: {name: Ada}
      """
    And given the service 'GET /greet.proto' answers:
      """yaml
      body: |
        syntax = "proto3";
        package example;
        service Greeter { rpc SayHello (HelloRequest) returns (HelloReply) {} }
        message HelloRequest { string name = 1; }
        message HelloReply { string message = 1; }
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      type: https://serverlessworkflow.io/spec/1.0.0/errors/communication
      status: 500
      instance: /do/0/ask
      """

  # dsl-reference.md: gRPC Call
  Scenario: A gRPC call without method
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: calls, version: '1.0.0'}
      do:
        - ask:
            call: grpc
            with:
              proto: {endpoint: 'http://services.example/greet.proto'}
              service: {name: example.Greeter, host: 127.0.0.1, port: 1}
      """
    When the workflow is executed
    Then the definition should be refused

  # dsl-reference.md: AsyncAPI Call
  Scenario: A message of AsyncAPI 3 over HTTP
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: calls, version: '1.0.0'}
      do:
        - publish:
            call: asyncapi
            with:
              document: {endpoint: 'http://services.example/asyncapi.json'}
              operation: greet
              protocol: http
              message:
                payload: {greeting: '${ "Hello " + .name }'}
                headers: {x-trace: t-1}
      """
    And given the workflow input is:
      """yaml
      name: Ada
      """
    And given the service 'GET /asyncapi.json' answers:
      """yaml
      body:
        asyncapi: 3.0.0
        info: {title: Greetings, version: '1'}
        servers:
          main: {host: services.example, protocol: http}
        channels:
          greetings:
            address: /greetings
            messages:
              greeting: {payload: {type: object}}
        operations:
          greet:
            action: send
            channel: {$ref: '#/channels/greetings'}
            bindings: {http: {method: POST}}
      """
    And given the service 'POST /greetings' answers:
      """yaml
      status: 202
      """
    When the workflow is executed
    Then the workflow should complete
    And the service 'POST /greetings' should have received:
      """yaml
      {body: {greeting: Hello Ada}}
      """

  # dsl-reference.md: AsyncAPI Outbound Message
  Scenario: A message of AsyncAPI 2 over HTTP
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: calls, version: '1.0.0'}
      do:
        - publish:
            call: asyncapi
            with:
              document: {endpoint: 'http://services.example/asyncapi.json'}
              channel: greetings
              server: {name: main}
              message:
                payload: {greeting: hello}
      """
    And given the service 'GET /asyncapi.json' answers:
      """yaml
      body:
        asyncapi: 2.6.0
        info: {title: Greetings, version: '1'}
        servers:
          main: {url: 'http://services.example', protocol: http}
        channels:
          greetings:
            publish:
              bindings: {http: {type: request, method: POST}}
              message: {payload: {type: object}}
      """
    And given the service 'POST /greetings' answers:
      """yaml
      status: 202
      """
    When the workflow is executed
    Then the workflow should complete
    And the service 'POST /greetings' should have received:
      """yaml
      {body: {greeting: hello}}
      """

  # dsl-reference.md: AsyncAPI Call
  Scenario: A call of AsyncAPI without message or subscription
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: calls, version: '1.0.0'}
      do:
        - publish:
            call: asyncapi
            with:
              document: {endpoint: 'http://services.example/asyncapi.json'}
              operation: greet
      """
    When the workflow is executed
    Then the definition should be refused

  # dsl-reference.md: MCP Call
  Scenario: A tool of an MCP server
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: calls, version: '1.0.0'}
      do:
        - ask:
            call: mcp
            with:
              method: tools/call
              parameters:
                name: add
                arguments: {a: '${ .a }', b: 2}
              transport:
                http: {endpoint: 'http://services.example/mcp'}
              client: {name: suite, version: '1.0.0'}
            output: {as: '.content[0].text'}
      """
    And given the workflow input is:
      """yaml
      a: 1
      """
    And given the service 'POST /mcp' answers:
      """yaml
      body: |
        ${ .body | if .method == "initialize" then
            {jsonrpc: "2.0", id, result: {protocolVersion: "2025-06-18", capabilities: {tools: {}},
              serverInfo: {name: "adder", version: "1"}}}
          elif .method == "tools/call" then
            {jsonrpc: "2.0", id, result: {content: [{type: "text",
              text: (.params.arguments.a + .params.arguments.b | tostring)}]}}
          else {jsonrpc: "2.0", id, result: {}} end }
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      '3'
      """

  # dsl-reference.md: MCP Call
  Scenario: An MCP server that fails is a runtime error
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: calls, version: '1.0.0'}
      do:
        - ask:
            call: mcp
            with:
              method: tools/list
              transport:
                http: {endpoint: 'http://services.example/mcp'}
      """
    And given the service 'POST /mcp' answers:
      """yaml
      body: |
        ${ .body | if .method == "initialize" then
            {jsonrpc: "2.0", id, result: {protocolVersion: "2025-06-18", capabilities: {},
              serverInfo: {name: "none", version: "1"}}}
          else {jsonrpc: "2.0", id, error: {code: -32601, message: "no tools"}} end }
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      type: https://serverlessworkflow.io/spec/1.0.0/errors/runtime
      """

  # dsl-reference.md: MCP Call
  Scenario: An MCP method that does not exist
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: calls, version: '1.0.0'}
      do:
        - ask:
            call: mcp
            with:
              method: tools/forget
              transport:
                http: {endpoint: 'http://services.example/mcp'}
      """
    When the workflow is executed
    Then the definition should be refused

  # dsl-reference.md: A2A Call
  Scenario: A message to an A2A agent
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: calls, version: '1.0.0'}
      do:
        - ask:
            call: a2a
            with:
              method: message/send
              server: http://services.example/agent
              parameters:
                message:
                  parts: [{kind: text, text: '${ .question }'}]
      """
    And given the workflow input is:
      """yaml
      question: how?
      """
    And given the service 'POST /agent' answers:
      """yaml
      body: '${ .body | {jsonrpc: "2.0", id, result: {kind: "message", role: "agent", parts: [{kind: "text", text: ("heard " + .params.message.role)}]}} }'
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      {kind: message, role: agent, parts: [{kind: text, text: heard user}]}
      """

  # dsl-reference.md: A2A Call
  Scenario: An A2A agent that fails is a runtime error
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: calls, version: '1.0.0'}
      do:
        - ask:
            call: a2a
            with:
              method: message/send
              server: http://services.example/agent
              parameters:
                message:
                  parts: [{kind: text, text: hello}]
      """
    And given the service 'POST /agent' answers:
      """yaml
      body: '${ .body | {jsonrpc: "2.0", id, error: {code: -32603, message: "broken"}} }'
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      type: https://serverlessworkflow.io/spec/1.0.0/errors/runtime
      """

  # dsl-reference.md: A2A Call
  Scenario: An A2A method that does not exist
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: calls, version: '1.0.0'}
      do:
        - ask:
            call: a2a
            with:
              method: message/forget
              server: http://services.example/agent
      """
    When the workflow is executed
    Then the definition should be refused
