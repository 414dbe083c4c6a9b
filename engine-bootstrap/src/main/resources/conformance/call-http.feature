Feature: Call of HTTP services
  Requests, answers and errors of HTTP calls.

  # dsl-reference.md: HTTP Call
  Scenario Outline: The method of a request: <method>
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: call-http, version: '1.0.0'}
      do:
        - ask:
            call: http
            with: {method: <method>, endpoint: 'http://services.example/items'}
      """
    And given the service '<sent> /items' answers:
      """yaml
      body: {ok: true}
      """
    When the workflow is executed
    Then the workflow should complete
    And the service '<sent> /items' should have received 1 requests

    Examples:
      | method  | sent    |
      | get     | GET     |
      | post    | POST    |
      | put     | PUT     |
      | patch   | PATCH   |
      | delete  | DELETE  |
      | options | OPTIONS |
      | GET     | GET     |
      | Post    | POST    |

  # dsl-reference.md: HTTP Call
  Scenario: A request of HEAD has no content
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: call-http, version: '1.0.0'}
      do:
        - ask:
            call: http
            with: {method: head, endpoint: 'http://services.example/items'}
        - show:
            set: {after: true}
      """
    And given the service 'HEAD /items' answers:
      """yaml
      body: {ok: true}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      after: true
      """
    And the service 'HEAD /items' should have received 1 requests

  # dsl-reference.md: Endpoint
  Scenario: The endpoint is an object
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: call-http, version: '1.0.0'}
      do:
        - ask:
            call: http
            with:
              method: get
              endpoint: {uri: 'http://services.example/items'}
      """
    And given the service 'GET /items' answers:
      """yaml
      body: {ok: true}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      ok: true
      """

  # dsl-reference.md: Endpoint
  Scenario: The endpoint is an expression
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: call-http, version: '1.0.0'}
      do:
        - ask:
            call: http
            with:
              method: get
              endpoint: ${ .base + "/items/" + (.id | tostring) }
      """
    And given the workflow input is:
      """yaml
      {base: 'http://services.example', id: 7}
      """
    And given the service 'GET /items/7' answers:
      """yaml
      body: {ok: true}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      ok: true
      """

  # dsl-reference.md: Endpoint
  Scenario: The address of an endpoint is an expression
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: call-http, version: '1.0.0'}
      do:
        - ask:
            call: http
            with:
              method: get
              endpoint:
                uri: ${ .base + "/items" }
      """
    And given the workflow input is:
      """yaml
      base: 'http://services.example'
      """
    And given the service 'GET /items' answers:
      """yaml
      body: {ok: true}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      ok: true
      """

  # dsl-reference.md: HTTP Call
  Scenario: Header fields of a request
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: call-http, version: '1.0.0'}
      do:
        - ask:
            call: http
            with:
              method: get
              endpoint: http://services.example/items
              headers:
                X-Fixed: fixed value
                X-Computed: ${ .user | ascii_upcase }
                Accept: application/json
      """
    And given the workflow input is:
      """yaml
      user: ada
      """
    And given the service 'GET /items' answers:
      """yaml
      body: {ok: true}
      """
    When the workflow is executed
    Then the workflow should complete
    And the service 'GET /items' should have received:
      """yaml
      headers: {x-fixed: fixed value, x-computed: ADA, accept: application/json}
      """

  # dsl-reference.md: HTTP Call
  Scenario: Header fields made by one expression
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: call-http, version: '1.0.0'}
      do:
        - ask:
            call: http
            with:
              method: get
              endpoint: http://services.example/items
              headers: '${ {"X-User": .user, "X-Trace": "t-1"} }'
      """
    And given the workflow input is:
      """yaml
      user: ada
      """
    And given the service 'GET /items' answers:
      """yaml
      body: {ok: true}
      """
    When the workflow is executed
    Then the workflow should complete
    And the service 'GET /items' should have received:
      """yaml
      headers: {x-user: ada, x-trace: t-1}
      """

  # dsl-reference.md: HTTP Call
  Scenario: Query parameters
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: call-http, version: '1.0.0'}
      do:
        - ask:
            call: http
            with:
              method: get
              endpoint: http://services.example/items
              query:
                status: open
                owner: ${ .user }
                text: a b&c=d/é
      """
    And given the workflow input is:
      """yaml
      user: ada
      """
    And given the service 'GET /items' answers:
      """yaml
      body: {ok: true}
      """
    When the workflow is executed
    Then the workflow should complete
    And the service 'GET /items' should have received:
      """yaml
      query: {status: open, owner: ada, text: a b&c=d/é}
      """

  # dsl-reference.md: HTTP Call
  Scenario: Query parameters that are no text
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: call-http, version: '1.0.0'}
      do:
        - ask:
            call: http
            with:
              method: get
              endpoint: http://services.example/items
              query:
                limit: ${ .limit }
                all: ${ .all }
      """
    And given the workflow input is:
      """yaml
      {limit: 25, all: true}
      """
    And given the service 'GET /items' answers:
      """yaml
      body: {ok: true}
      """
    When the workflow is executed
    Then the workflow should complete
    And the service 'GET /items' should have received:
      """yaml
      query: {limit: "25", all: "true"}
      """

  # dsl-reference.md: HTTP Call
  Scenario: Query parameters made by one expression
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: call-http, version: '1.0.0'}
      do:
        - ask:
            call: http
            with:
              method: get
              endpoint: http://services.example/items
              query: '${ {owner: .user, limit: "5"} }'
      """
    And given the workflow input is:
      """yaml
      user: ada
      """
    And given the service 'GET /items' answers:
      """yaml
      body: {ok: true}
      """
    When the workflow is executed
    Then the workflow should complete
    And the service 'GET /items' should have received:
      """yaml
      query: {owner: ada, limit: "5"}
      """

  # dsl-reference.md: HTTP Call
  Scenario: Query parameters beside those of the endpoint
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: call-http, version: '1.0.0'}
      do:
        - ask:
            call: http
            with:
              method: get
              endpoint: http://services.example/items?status=open
              query: {limit: '5'}
      """
    And given the service 'GET /items' answers:
      """yaml
      body: {ok: true}
      """
    When the workflow is executed
    Then the workflow should complete
    And the service 'GET /items' should have received:
      """yaml
      query: {status: open, limit: "5"}
      """

  # dsl-reference.md: HTTP Call
  Scenario: A body of JSON with expressions
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: call-http, version: '1.0.0'}
      do:
        - send:
            call: http
            with:
              method: post
              endpoint: http://services.example/orders
              body:
                customer: ${ .user }
                lines:
                  - {item: tea, pieces: '${ .pieces }'}
                  - fixed
                total: 3.5
      """
    And given the workflow input is:
      """yaml
      {user: ada, pieces: 2}
      """
    And given the service 'POST /orders' answers:
      """yaml
      body: {ok: true}
      """
    When the workflow is executed
    Then the workflow should complete
    And the service 'POST /orders' should have received:
      """yaml
      body: {customer: ada, lines: [{item: tea, pieces: 2}, fixed], total: 3.5}
      """

  # dsl-reference.md: HTTP Call
  Scenario: A body made by one expression
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: call-http, version: '1.0.0'}
      do:
        - send:
            call: http
            with:
              method: put
              endpoint: http://services.example/orders
              body: ${ .order }
      """
    And given the workflow input is:
      """yaml
      order: {id: 1, lines: []}
      """
    And given the service 'PUT /orders' answers:
      """yaml
      body: {ok: true}
      """
    When the workflow is executed
    Then the workflow should complete
    And the service 'PUT /orders' should have received:
      """yaml
      body: {id: 1, lines: []}
      """

  # dsl-reference.md: HTTP Call
  Scenario: A body that is a list
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: call-http, version: '1.0.0'}
      do:
        - send:
            call: http
            with:
              method: post
              endpoint: http://services.example/orders
              body: [1, '${ .two }', {three: 3}]
      """
    And given the workflow input is:
      """yaml
      two: 2
      """
    And given the service 'POST /orders' answers:
      """yaml
      body: {ok: true}
      """
    When the workflow is executed
    Then the workflow should complete
    And the service 'POST /orders' should have received:
      """yaml
      body: [1, 2, {three: 3}]
      """

  # dsl-reference.md: HTTP Call
  Scenario Outline: A body of the media type that the task names: <type>
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: call-http, version: '1.0.0'}
      do:
        - send:
            call: http
            with:
              method: post
              endpoint: http://services.example/orders
              headers: {Content-Type: <type>}
              body: <body>
      """
    And given the workflow input is:
      """yaml
      n: 1
      """
    And given the service 'POST /orders' answers:
      """yaml
      body: {ok: true}
      """
    When the workflow is executed
    Then the workflow should complete
    And the service 'POST /orders' should have received:
      """yaml
      headers: {content-type: '/^<pattern>/'}
      body: <received>
      """

    Examples:
      | type                              | pattern                           | body           | received         |
      | text/plain                        | text.plain                        | 'hello there'  | hello there      |
      | application/xml                   | application.xml                   | '<order/>'     | <order/>         |
      | application/x-www-form-urlencoded | application.x-www-form-urlencoded | 'a=1&b=x+y'    | {a: "1", b: x y} |
      | application/json                  | application.json                  | {n: '${ .n }'} | {n: 1}           |
      | application/vnd.example+json      | application.vnd.example.json      | {n: '${ .n }'} | {n: 1}           |

  # dsl-reference.md: HTTP Call
  Scenario: A call without body sends none
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: call-http, version: '1.0.0'}
      do:
        - send:
            call: http
            with: {method: post, endpoint: 'http://services.example/orders'}
      """
    And given the service 'POST /orders' answers:
      """yaml
      body: {ok: true}
      """
    When the workflow is executed
    Then the workflow should complete
    And the service 'POST /orders' should have received:
      """yaml
      body: null
      """

  # dsl-reference.md: HTTP Call
  Scenario Outline: The output is the content: <output>
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: call-http, version: '1.0.0'}
      do:
        - ask:
            call: http
            with: {method: get, endpoint: 'http://services.example/items', <output>}
      """
    And given the service 'GET /items' answers:
      """yaml
      body: [{id: 1}, {id: 2}]
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      [{id: 1}, {id: 2}]
      """

    Examples:
      | output          |
      | redirect: false |
      | output: content |

  # dsl-reference.md: HTTP Call
  Scenario: The output is the raw content
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: call-http, version: '1.0.0'}
      do:
        - ask:
            call: http
            with: {method: get, endpoint: 'http://services.example/items', output: raw}
      """
    And given the service 'GET /items' answers:
      """yaml
      headers: {Content-Type: application/json}
      body: '{"id":1}'
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      eyJpZCI6MX0=
      """

  # dsl-reference.md: HTTP Response
  Scenario: The output is the response
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: call-http, version: '1.0.0'}
      do:
        - ask:
            call: http
            with:
              method: get
              endpoint: http://services.example/items
              headers: {X-Trace: t-1}
              output: response
            output:
              as:
                status: ${ .statusCode }
                content: ${ .content }
                method: ${ .request.method | ascii_downcase }
                uri: ${ .request.uri }
                trace: '${ .request.headers | with_entries(.key |= ascii_downcase) | .["x-trace"] }'
                header: '${ .headers | with_entries(.key |= ascii_downcase) | .["x-answer"] }'
      """
    And given the service 'GET /items' answers:
      """yaml
      {status: 201, headers: {X-Answer: a-1}, body: {id: 1}}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      status: 201
      content: {id: 1}
      method: get
      uri: http://services.example/items
      trace: t-1
      header: a-1
      """

  # dsl-reference.md: HTTP Response
  Scenario: Content of an unknown type is in base 64
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: call-http, version: '1.0.0'}
      do:
        - ask:
            call: http
            with: {method: get, endpoint: 'http://services.example/file'}
      """
    And given the service 'GET /file' answers:
      """yaml
      base64: AAECAw==
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      AAECAw==
      """

  # dsl-reference.md: HTTP Response
  Scenario Outline: Content of a type of JSON is a value: <type>
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: call-http, version: '1.0.0'}
      do:
        - ask:
            call: http
            with: {method: get, endpoint: 'http://services.example/items'}
            output: {as: .id}
      """
    And given the service 'GET /items' answers:
      """yaml
      headers: {Content-Type: <type>}
      body: '{"id": 1}'
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      1
      """

    Examples:
      | type                            |
      | application/json                |
      | application/json; charset=utf-8 |
      | application/hal+json            |

  # dsl-reference.md: HTTP Call
  Scenario: An answer without content
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: call-http, version: '1.0.0'}
      do:
        - ask:
            call: http
            with: {method: delete, endpoint: 'http://services.example/items/1'}
        - show:
            set: {after: true}
      """
    And given the service 'DELETE /items/1' answers:
      """yaml
      status: 204
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      after: true
      """

  # dsl-reference.md: HTTP Call
  Scenario Outline: A status of success is no error: <status>
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: call-http, version: '1.0.0'}
      do:
        - ask:
            call: http
            with: {method: get, endpoint: 'http://services.example/items'}
      """
    And given the service 'GET /items' answers:
      """yaml
      {status: <status>, body: {ok: true}}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      ok: true
      """

    Examples:
      | status |
      | 200    |
      | 201    |
      | 202    |
      | 203    |
      | 206    |
      | 299    |

  # dsl-reference.md: HTTP Call
  Scenario Outline: A status of failure is an error: <status>
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: call-http, version: '1.0.0'}
      do:
        - ask:
            call: http
            with: {method: get, endpoint: 'http://services.example/items'}
      """
    And given the service 'GET /items' answers:
      """yaml
      {status: <status>, body: {message: no}}
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      type: https://serverlessworkflow.io/spec/1.0.0/errors/communication
      status: <status>
      instance: /do/0/ask
      """

    Examples:
      | status |
      | 400    |
      | 401    |
      | 403    |
      | 404    |
      | 405    |
      | 409    |
      | 410    |
      | 418    |
      | 422    |
      | 429    |
      | 500    |
      | 501    |
      | 502    |
      | 503    |
      | 504    |

  # dsl-reference.md: HTTP Call
  Scenario Outline: A status of redirection is an error: <status>
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: call-http, version: '1.0.0'}
      do:
        - ask:
            call: http
            with: {method: get, endpoint: 'http://services.example/items'}
      """
    And given the service 'GET /items' answers:
      """yaml
      {status: <status>, headers: {Location: 'http://services.example/other'}}
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      type: https://serverlessworkflow.io/spec/1.0.0/errors/communication
      status: <status>
      """

    Examples:
      | status |
      | 301    |
      | 302    |
      | 303    |
      | 304    |
      | 307    |
      | 308    |

  # dsl-reference.md: HTTP Call
  Scenario Outline: A status of redirection is no error if it is allowed: <status>
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: call-http, version: '1.0.0'}
      do:
        - ask:
            call: http
            with:
              method: get
              endpoint: http://services.example/items
              redirect: true
        - show:
            set: {after: true}
      """
    And given the service 'GET /items' answers:
      """yaml
      {status: <status>, headers: {Location: 'http://services.example/other'}}
      """
    And given the service 'GET /other' answers:
      """yaml
      body: {ok: true}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      after: true
      """

    Examples:
      | status |
      | 300    |
      | 302    |
      | 304    |
      | 307    |

  # dsl-reference.md: HTTP Call
  Scenario: A status of failure is an error where redirections are allowed
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: call-http, version: '1.0.0'}
      do:
        - ask:
            call: http
            with:
              method: get
              endpoint: http://services.example/items
              redirect: true
      """
    And given the service 'GET /items' answers:
      """yaml
      status: 404
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      type: https://serverlessworkflow.io/spec/1.0.0/errors/communication
      status: 404
      """

  # dsl-reference.md: HTTP Call
  Scenario: A status of failure with the whole response
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: call-http, version: '1.0.0'}
      do:
        - ask:
            call: http
            with: {method: get, endpoint: 'http://services.example/items', output: response}
      """
    And given the service 'GET /items' answers:
      """yaml
      status: 500
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      type: https://serverlessworkflow.io/spec/1.0.0/errors/communication
      status: 500
      """

  # dsl-reference.md: Standard Error Types
  Scenario: Content that is no JSON although it says so
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: call-http, version: '1.0.0'}
      do:
        - ask:
            call: http
            with: {method: get, endpoint: 'http://services.example/items'}
      """
    And given the service 'GET /items' answers:
      """yaml
      headers: {Content-Type: application/json}
      body: '{"id":'
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      type: https://serverlessworkflow.io/spec/1.0.0/errors/communication
      """

  # dsl.md: Data Flow
  Scenario: The output of a call is transformed and exported
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: call-http, version: '1.0.0'}
      do:
        - ask:
            call: http
            with: {method: get, endpoint: 'http://services.example/items'}
            output: {as: '{count: length, first: .[0].id}'}
            export: {as: '{count: .count}'}
        - show:
            set: {first: '${ .first }', count: '${ $context.count }'}
      """
    And given the service 'GET /items' answers:
      """yaml
      body: [{id: 1}, {id: 2}]
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      {first: 1, count: 2}
      """

  # dsl.md: Data Flow
  Scenario: The output of a call sees the input of the task
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: call-http, version: '1.0.0'}
      do:
        - ask:
            call: http
            with: {method: get, endpoint: 'http://services.example/items'}
            output: {as: '$input + {found: .id}'}
      """
    And given the workflow input is:
      """yaml
      user: ada
      """
    And given the service 'GET /items' answers:
      """yaml
      body: {id: 1}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      {user: ada, found: 1}
      """

  # dsl-reference.md: HTTP Call
  Scenario: Calls follow each other
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: call-http, version: '1.0.0'}
      do:
        - create:
            call: http
            with: {method: post, endpoint: 'http://services.example/orders', body: {item: tea}}
        - read:
            call: http
            with: {method: get, endpoint: 'http://services.example/orders/{id}'}
      """
    And given the service 'POST /orders' answers:
      """yaml
      {status: 201, body: {id: 17}}
      """
    And given the service 'GET /orders/17' answers:
      """yaml
      body: {id: 17, state: open}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      {id: 17, state: open}
      """
    And the service 'POST /orders' should have received 1 requests
    And the service 'GET /orders/17' should have received 1 requests

  # dsl-reference.md: HTTP Call
  Scenario: A loop of calls
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: call-http, version: '1.0.0'}
      do:
        - loop:
            for: {each: id, in: .ids}
            do:
              - ask:
                  call: http
                  with:
                    method: get
                    endpoint: ${ "http://services.example/items/\($id)" }
                  output: {as: '{ids: $input.ids, names: ($input.names + [.name])}'}
      output: {as: .names}
      """
    And given the workflow input is:
      """yaml
      ids: [1, 2]
      """
    And given the service 'GET /items/1' answers:
      """yaml
      body: {name: one}
      """
    And given the service 'GET /items/2' answers:
      """yaml
      body: {name: two}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      [one, two]
      """

  # dsl-reference.md: HTTP Call
  Scenario Outline: A call without <member>
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: call-http, version: '1.0.0'}
      do:
        - ask:
            call: http
            with: {<members>}
      """
    When the workflow is executed
    Then the definition should be refused

    Examples:
      | member   | members                                   |
      | method   | endpoint: 'http://services.example/items' |
      | endpoint | method: get                               |
      | address  | method: get, endpoint: {}                 |

  # dsl-reference.md: HTTP Call
  Scenario Outline: A call with a wrong <member>
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: call-http, version: '1.0.0'}
      do:
        - ask:
            call: http
            with: {method: get, endpoint: 'http://services.example/items', <members>}
      """
    When the workflow is executed
    Then the definition should be refused

    Examples:
      | member   | members            |
      | output   | output: everything |
      | redirect | redirect: maybe    |
      | argument | retries: 3         |

  # dsl-reference.md: HTTP Call
  Scenario: A call without arguments
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: call-http, version: '1.0.0'}
      do:
        - ask:
            call: http
      """
    When the workflow is executed
    Then the definition should be refused
