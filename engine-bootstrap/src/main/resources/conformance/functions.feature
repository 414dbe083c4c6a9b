Feature: Functions
  Tasks that a workflow defines once and calls by name.

  # dsl-reference.md: Call
  Scenario: A function gets its arguments as input
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: functions, version: '1.0.0'}
      use:
        functions:
          double:
            set: {doubled: '${ .n * 2 }'}
      do:
        - compute:
            call: double
            with: {n: 21}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      doubled: 42
      """

  # dsl-reference.md: Call
  Scenario: Arguments are made by expressions
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: functions, version: '1.0.0'}
      use:
        functions:
          double:
            set: {doubled: '${ .n * 2 }'}
      do:
        - compute:
            call: double
            with: {n: '${ .numbers | add }'}
      """
    And given the workflow input is:
      """yaml
      numbers: [1, 2, 3]
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      doubled: 12
      """

  # dsl-reference.md: Call
  Scenario: A function calls a service
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: functions, version: '1.0.0'}
      use:
        functions:
          getItem:
            call: http
            with: {method: get, endpoint: 'http://services.example/items/{id}'}
      do:
        - ask:
            call: getItem
            with: {id: 7}
      """
    And given the service 'GET /items/7' answers:
      """yaml
      body: {name: tea}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      name: tea
      """

  # dsl-reference.md: Call
  Scenario: A function of several tasks
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: functions, version: '1.0.0'}
      use:
        functions:
          compute:
            do:
              - add:
                  set: {n: '${ .n + 1 }'}
              - double:
                  set: {n: '${ .n * 2 }'}
      do:
        - ask:
            call: compute
            with: {n: 4}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      n: 10
      """

  # dsl.md: Creating a Custom Function
  Scenario: The input of a function is validated
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: functions, version: '1.0.0'}
      use:
        functions:
          double:
            input:
              schema: {document: {type: object, required: [n], properties: {n: {type: integer}}}}
            set: {doubled: '${ .n * 2 }'}
      do:
        - compute:
            call: double
            with: {n: many}
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      type: https://serverlessworkflow.io/spec/1.0.0/errors/validation
      status: 400
      """

  # dsl-reference.md: Call
  Scenario: The output of a function and of its call are transformed
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: functions, version: '1.0.0'}
      use:
        functions:
          double:
            set: {doubled: '${ .n * 2 }'}
            output: {as: .doubled}
      do:
        - compute:
            call: double
            with: {n: 2}
            output: {as: '{result: .}'}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      result: 4
      """

  # dsl-reference.md: Call
  Scenario: A function is called twice
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: functions, version: '1.0.0'}
      use:
        functions:
          increase:
            set: {n: '${ .n + 1 }'}
      do:
        - first:
            call: increase
            with: {n: '${ .n }'}
        - second:
            call: increase
            with: {n: '${ .n * 10 }'}
      """
    And given the workflow input is:
      """yaml
      n: 1
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      n: 21
      """

  # dsl-reference.md: Call
  Scenario: An error of a function is caught
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: functions, version: '1.0.0'}
      use:
        functions:
          fail:
            raise: {error: {type: 'https://errors.example/x', status: 500}}
      do:
        - guarded:
            try:
              - ask:
                  call: fail
            catch:
              errors:
                with: {status: 500}
              do:
                - handled:
                    set: {handled: true}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      handled: true
      """

  # dsl-reference.md: Call
  Scenario: A function that does not exist
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: functions, version: '1.0.0'}
      do:
        - compute:
            call: triple
            with: {n: 1}
      """
    When the workflow is executed
    Then the definition should be refused
