Feature: Extensions
  Tasks around the tasks of a workflow.

  # dsl-reference.md: Extension
  Scenario: Tasks before and after every task
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: extensions, version: '1.0.0'}
      use:
        extensions:
          - logging:
              extend: all
              before:
                - begun:
                    call: http
                    with: {method: post, endpoint: 'http://services.example/log', body: {at: begun, output: '${ $task.output }'}}
              after:
                - ended:
                    call: http
                    with: {method: post, endpoint: 'http://services.example/log', body: {at: ended, output: '${ $task.output }'}}
      do:
        - work:
            set: {a: 1}
      """
    And given the service 'POST /log' answers:
      """yaml
      body: {ok: true}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      a: 1
      """
    And the service 'POST /log' should have received:
      """yaml
      - body: {at: begun, output: null}
      - body: {at: ended, output: {a: 1}}
      """

  # dsl-reference.md: Extension
  Scenario: Every task but those of extensions is extended
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: extensions, version: '1.0.0'}
      use:
        extensions:
          - logging:
              extend: all
              before:
                - log:
                    call: http
                    with: {method: post, endpoint: 'http://services.example/log', body: {begun: true}}
      do:
        - first:
            set: {a: 1}
        - second:
            set: {b: 1}
      """
    And given the service 'POST /log' answers:
      """yaml
      body: {ok: true}
      """
    When the workflow is executed
    Then the workflow should complete
    And the service 'POST /log' should have received 2 requests
    And log should have run 2 times

  # dsl-reference.md: Extension
  Scenario Outline: Tasks of one kind are extended: <kind>
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: extensions, version: '1.0.0'}
      use:
        extensions:
          - logging:
              extend: <kind>
              before:
                - log:
                    call: http
                    with: {method: post, endpoint: 'http://services.example/log', body: {kind: <kind>}}
      do:
        - one:
            set: {a: 1}
        - two:
            wait: PT0S
        - three:
            switch: [{always: {then: continue}}]
        - four:
            try: [{inner: {raise: {error: {type: 'https://errors.example/x', status: 500}}}}]
            catch: {}
      """
    And given the service 'POST /log' answers:
      """yaml
      body: {ok: true}
      """
    When the workflow is executed
    Then the workflow should complete
    And the service 'POST /log' should have received 1 requests

    Examples:
      | kind   |
      | set    |
      | wait   |
      | switch |
      | try    |

  # dsl-reference.md: Extension
  Scenario: An extension applies when its condition holds
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: extensions, version: '1.0.0'}
      use:
        extensions:
          - logging:
              extend: set
              when: ${ $task.name == "second" }
              before:
                - log:
                    call: http
                    with: {method: post, endpoint: 'http://services.example/log', body: {name: '${ $task.name }'}}
      do:
        - first:
            set: {a: 1}
        - second:
            set: {b: 1}
        - third:
            set: {c: 1}
      """
    And given the service 'POST /log' answers:
      """yaml
      body: {ok: true}
      """
    When the workflow is executed
    Then the workflow should complete
    And the service 'POST /log' should have received 1 requests
    And the service 'POST /log' should have received:
      """yaml
      body: {name: second}
      """

  # dsl-reference.md: Extension
  Scenario: An extension whose condition does not hold
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: extensions, version: '1.0.0'}
      use:
        extensions:
          - logging:
              extend: all
              when: ${ $workflow.input.log }
              before:
                - log:
                    wait: PT0S
      do:
        - work:
            set: {a: 1}
      """
    And given the workflow input is:
      """yaml
      log: false
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      a: 1
      """
    And log should have run 0 times

  # dsl-reference.md: Extension
  Scenario: An exit of the tasks before replaces the task
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: extensions, version: '1.0.0'}
      use:
        extensions:
          - mock:
              extend: call
              before:
                - intercept:
                    set: {statusCode: 200, content: {mocked: true}}
                    then: exit
      do:
        - ask:
            call: http
            with: {method: get, endpoint: 'http://services.example/items'}
      """
    And given the service 'GET /items' answers:
      """yaml
      body: {mocked: false}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      {statusCode: 200, content: {mocked: true}}
      """
    And the service 'GET /items' should have received 0 requests

  # dsl-reference.md: Extension
  Scenario: Tasks after a task that failed do not run before the error is caught
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: extensions, version: '1.0.0'}
      use:
        extensions:
          - logging:
              extend: raise
              before:
                - begun:
                    wait: PT0S
      do:
        - guarded:
            try:
              - fail:
                  raise: {error: {type: 'https://errors.example/x', status: 500}}
            catch:
              do:
                - handled:
                    set: {handled: true}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      handled: true
      """
    And begun should have run 1 times

  # dsl-reference.md: Extension
  Scenario: Two extensions of one task
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: extensions, version: '1.0.0'}
      use:
        extensions:
          - one:
              extend: set
              before:
                - first:
                    call: http
                    with: {method: post, endpoint: 'http://services.example/log', body: {at: first}}
          - two:
              extend: set
              after:
                - last:
                    call: http
                    with: {method: post, endpoint: 'http://services.example/log', body: {at: last}}
      do:
        - work:
            set: {a: 1}
      """
    And given the service 'POST /log' answers:
      """yaml
      body: {ok: true}
      """
    When the workflow is executed
    Then the workflow should complete
    And the service 'POST /log' should have received:
      """yaml
      - body: {at: first}
      - body: {at: last}
      """
    And last should run last

  # dsl-reference.md: Extension
  Scenario: Tasks of a composite task are extended
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: extensions, version: '1.0.0'}
      use:
        extensions:
          - logging:
              extend: set
              before:
                - log:
                    wait: PT0S
      do:
        - outer:
            do:
              - inner:
                  set: {a: 1}
              - other:
                  set: {b: 1}
      """
    When the workflow is executed
    Then the workflow should complete
    And log should have run 2 times

  # dsl-reference.md: Extension
  Scenario: An extension of a kind that does not exist
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: extensions, version: '1.0.0'}
      use:
        extensions:
          - logging:
              extend: everything
              before:
                - log:
                    wait: PT0S
      do:
        - work:
            set: {a: 1}
      """
    When the workflow is executed
    Then the definition should be refused
