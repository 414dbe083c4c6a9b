Feature: URI templates
  Variables in addresses.

  # dsl-reference.md: URI Template
  Scenario: A variable in the path
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: uri-template, version: '1.0.0'}
      do:
        - ask:
            call: http
            with: {method: get, endpoint: 'http://services.example/items/{id}'}
      """
    And given the workflow input is:
      """yaml
      id: a-1
      """
    And given the service 'GET /items/a-1' answers:
      """yaml
      body: {ok: true}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      ok: true
      """

  # dsl-reference.md: URI Template
  Scenario: Several variables
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: uri-template, version: '1.0.0'}
      do:
        - ask:
            call: http
            with: {method: get, endpoint: 'http://services.example/users/{user}/items/{id}'}
      """
    And given the workflow input is:
      """yaml
      {user: ada, id: 7}
      """
    And given the service 'GET /users/ada/items/7' answers:
      """yaml
      body: {ok: true}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      ok: true
      """

  # dsl-reference.md: URI Template
  Scenario: A variable within a segment
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: uri-template, version: '1.0.0'}
      do:
        - ask:
            call: http
            with: {method: get, endpoint: 'http://services.example/items/item-{id}.json'}
      """
    And given the workflow input is:
      """yaml
      id: 7
      """
    And given the service 'GET /items/item-7.json' answers:
      """yaml
      body: {ok: true}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      ok: true
      """

  # dsl-reference.md: URI Template
  Scenario: A value that is a number
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: uri-template, version: '1.0.0'}
      do:
        - ask:
            call: http
            with: {method: get, endpoint: 'http://services.example/items/{n}'}
      """
    And given the workflow input is:
      """yaml
      n: 1.5
      """
    And given the service 'GET /items/1.5' answers:
      """yaml
      body: {ok: true}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      ok: true
      """

  # dsl-reference.md: URI Template
  Scenario: A value that is a boolean
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: uri-template, version: '1.0.0'}
      do:
        - ask:
            call: http
            with: {method: get, endpoint: 'http://services.example/items/{flag}'}
      """
    And given the workflow input is:
      """yaml
      flag: true
      """
    And given the service 'GET /items/true' answers:
      """yaml
      body: {ok: true}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      ok: true
      """

  # dsl-reference.md: URI Template
  Scenario: A value is encoded
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: uri-template, version: '1.0.0'}
      do:
        - ask:
            call: http
            with: {method: get, endpoint: 'http://services.example/items/{id}'}
      """
    And given the workflow input is:
      """yaml
      id: "a b/c?d"
      """
    And given the service 'GET /items/a%20b%2Fc%3Fd' answers:
      """yaml
      body: {ok: true}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      ok: true
      """

  # dsl-reference.md: URI Template
  Scenario: A value beyond ASCII is encoded
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: uri-template, version: '1.0.0'}
      do:
        - ask:
            call: http
            with: {method: get, endpoint: 'http://services.example/items/{id}'}
      """
    And given the workflow input is:
      """yaml
      id: é
      """
    And given the service 'GET /items/%C3%A9' answers:
      """yaml
      body: {ok: true}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      ok: true
      """

  # dsl-reference.md: URI Template
  Scenario: A name is taken as it stands
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: uri-template, version: '1.0.0'}
      do:
        - ask:
            call: http
            with: {method: get, endpoint: 'http://services.example/items/{pet.id}'}
      """
    And given the workflow input is:
      """yaml
      {pet.id: verbatim, pet: {id: nested}}
      """
    And given the service 'GET /items/verbatim' answers:
      """yaml
      body: {ok: true}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      ok: true
      """

  # dsl-reference.md: URI Template
  Scenario: A variable in the query
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: uri-template, version: '1.0.0'}
      do:
        - ask:
            call: http
            with: {method: get, endpoint: 'http://services.example/items?owner={user}'}
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
    Then the workflow should complete with output:
      """yaml
      ok: true
      """
    And the service 'GET /items' should have received:
      """yaml
      query: {owner: ada}
      """

  # dsl-reference.md: URI Template
  Scenario: Variables are those of the transformed input
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: uri-template, version: '1.0.0'}
      do:
        - ask:
            input: {from: '{id: .order.number}'}
            call: http
            with:
              method: get
              endpoint: {uri: 'http://services.example/orders/{id}'}
      """
    And given the workflow input is:
      """yaml
      {id: 1, order: {number: 2}}
      """
    And given the service 'GET /orders/2' answers:
      """yaml
      body: {ok: true}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      ok: true
      """

  # dsl-reference.md: URI Template
  Scenario Outline: A value that is <kind>
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: uri-template, version: '1.0.0'}
      do:
        - ask:
            call: http
            with: {method: get, endpoint: 'http://services.example/items/{id}'}
      """
    And given the workflow input is:
      """yaml
      id: <value>
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      type: https://serverlessworkflow.io/spec/1.0.0/errors/expression
      status: 400
      """

    Examples:
      | kind      | value  |
      | an object | {a: 1} |
      | an array  | [1]    |

  # dsl-reference.md: URI Template
  @deviation
  Scenario: A variable without value is an empty text
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: uri-template, version: '1.0.0'}
      do:
        - ask:
            call: http
            with: {method: get, endpoint: 'http://services.example/items/x{id}'}
      """
    And given the workflow input is:
      """yaml
      other: 1
      """
    And given the service 'GET /items/x' answers:
      """yaml
      body: {ok: true}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      ok: true
      """

  # dsl-reference.md: URI Template
  @deviation
  Scenario: A variable whose value is null is an empty text
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: uri-template, version: '1.0.0'}
      do:
        - ask:
            call: http
            with: {method: get, endpoint: 'http://services.example/items/x{id}'}
      """
    And given the workflow input is:
      """yaml
      id: null
      """
    And given the service 'GET /items/x' answers:
      """yaml
      body: {ok: true}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      ok: true
      """
