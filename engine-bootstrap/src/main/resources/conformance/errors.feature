Feature: Errors
  Standard errors and what leads to them.

  # dsl-reference.md: Standard Error Types
  Scenario Outline: A standard error is raised: <type>
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: errors, version: '1.0.0'}
      do:
        - check:
            raise:
              error: {type: 'https://serverlessworkflow.io/spec/1.0.0/errors/<type>', status: <status>, title: Standard}
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      {type: https://serverlessworkflow.io/spec/1.0.0/errors/<type>, status: <status>, title: Standard, instance: /do/0/check}
      """

    Examples:
      | type           | status |
      | configuration  | 400    |
      | validation     | 400    |
      | expression     | 400    |
      | authentication | 401    |
      | authorization  | 403    |
      | timeout        | 408    |
      | communication  | 500    |
      | runtime        | 500    |

  # dsl-reference.md: Standard Error Types
  Scenario Outline: A standard error is caught by its type: <type>
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: errors, version: '1.0.0'}
      do:
        - guarded:
            try:
              - check:
                  raise:
                    error: {type: 'https://serverlessworkflow.io/spec/1.0.0/errors/<type>', status: <status>}
            catch:
              errors:
                with: {type: 'https://serverlessworkflow.io/spec/1.0.0/errors/<type>'}
              do:
                - handled:
                    set: {status: '${ $error.status }'}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      status: <status>
      """

    Examples:
      | type           | status |
      | configuration  | 400    |
      | validation     | 400    |
      | expression     | 400    |
      | authentication | 401    |
      | authorization  | 403    |
      | timeout        | 408    |
      | communication  | 503    |
      | runtime        | 500    |

  # dsl-reference.md: Standard Error Types
  Scenario: Another status than the default of a standard error
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: errors, version: '1.0.0'}
      do:
        - check:
            raise:
              error: {type: 'https://serverlessworkflow.io/spec/1.0.0/errors/validation', status: 422}
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      type: https://serverlessworkflow.io/spec/1.0.0/errors/validation
      status: 422
      """

  # dsl-reference.md: Standard Error Types
  Scenario: A service that fails is a communication error
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: errors, version: '1.0.0'}
      do:
        - ask:
            call: http
            with: {method: get, endpoint: 'http://services.example/down'}
      """
    And given the service 'GET /down' answers:
      """yaml
      {status: 503, body: {message: down}}
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      type: https://serverlessworkflow.io/spec/1.0.0/errors/communication
      status: 503
      instance: /do/0/ask
      """

  # dsl-reference.md: Standard Error Types
  Scenario: A service that does not answer is a communication error
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: errors, version: '1.0.0'}
      do:
        - ask:
            call: http
            with: {method: get, endpoint: 'http://services.example/gone'}
      """
    And given the service 'GET /gone' answers:
      """yaml
      close: true
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      type: https://serverlessworkflow.io/spec/1.0.0/errors/communication
      status: 500
      instance: /do/0/ask
      """

  # dsl.md: Runtime Expressions
  Scenario: An expression that fails is an expression error
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: errors, version: '1.0.0'}
      do:
        - compute:
            set: {a: '${ [] + {} }'}
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      type: https://serverlessworkflow.io/spec/1.0.0/errors/expression
      status: 400
      instance: /do/0/compute
      """

  # dsl.md: Timeouts
  Scenario: A time-out is a timeout error
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: errors, version: '1.0.0'}
      do:
        - pause:
            timeout: {after: {milliseconds: 20}}
            wait: PT1H
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      type: https://serverlessworkflow.io/spec/1.0.0/errors/timeout
      status: 408
      instance: /do/0/pause
      """

  # dsl-reference.md: Error
  Scenario: An error has type, status and instance
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: errors, version: '1.0.0'}
      do:
        - guarded:
            try:
              - compute:
                  set: {a: '${ [] + {} }'}
            catch:
              do:
                - show:
                    set:
                      type: ${ $error.type | endswith("/errors/expression") }
                      status: ${ $error.status }
                      instance: ${ $error.instance }
                      title: ${ $error.title | type }
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      {type: true, status: 400, instance: /do/0/guarded/try/0/compute, title: string}
      """

  # dsl.md: Task Flow
  Scenario: An uncaught error faults the workflow
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: errors, version: '1.0.0'}
      do:
        - first:
            set: {a: 1}
        - second:
            raise: {error: {type: 'https://errors.example/x', status: 500}}
      output: {as: '{never: true}'}
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      {type: https://errors.example/x, status: 500, instance: /do/1/second}
      """
