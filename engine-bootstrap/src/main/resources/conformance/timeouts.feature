Feature: Timeouts
  Times after which workflows and tasks are interrupted.

  # dsl-reference.md: Timeout
  Scenario: A task that takes too long
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: timeouts, version: '1.0.0'}
      do:
        - slow:
            timeout: {after: {milliseconds: 30}}
            wait: PT1H
        - never:
            set: {a: 1}
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      type: https://serverlessworkflow.io/spec/1.0.0/errors/timeout
      status: 408
      instance: /do/0/slow
      """
    And never should have run 0 times

  # dsl-reference.md: Timeout
  Scenario: A task that ends in time
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: timeouts, version: '1.0.0'}
      do:
        - fast:
            timeout: {after: PT1H}
            do:
              - pause:
                  wait: PT0.01S
              - done:
                  set: {done: true}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      done: true
      """

  # dsl-reference.md: Duration
  Scenario Outline: The time of a task: <form>
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: timeouts, version: '1.0.0'}
      do:
        - slow:
            timeout: {after: <duration>}
            wait: PT1H
      """
    And given the workflow input is:
      """yaml
      limit: PT0.02S
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      type: https://serverlessworkflow.io/spec/1.0.0/errors/timeout
      status: 408
      """

    Examples:
      | form         | duration           |
      | milliseconds | {milliseconds: 20} |
      | ISO 8601     | PT0.02S            |
      | expression   | '${ .limit }'      |

  # dsl.md: Timeouts
  Scenario: A workflow that takes too long
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: timeouts, version: '1.0.0'}
      timeout: {after: PT0.05S}
      do:
        - slow:
            wait: PT1H
        - never:
            set: {a: 1}
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      type: https://serverlessworkflow.io/spec/1.0.0/errors/timeout
      status: 408
      """
    And never should have run 0 times

  # dsl.md: Timeouts
  Scenario: A workflow that ends in time
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: timeouts, version: '1.0.0'}
      timeout: {after: {minutes: 1}}
      do:
        - fast:
            set: {done: true}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      done: true
      """

  # dsl-reference.md: Task
  Scenario: A reusable time of a task
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: timeouts, version: '1.0.0'}
      use:
        timeouts:
          short: {after: {milliseconds: 20}}
          long: {after: {hours: 1}}
      do:
        - fast:
            timeout: long
            set: {a: 1}
        - slow:
            timeout: short
            wait: PT1H
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      type: https://serverlessworkflow.io/spec/1.0.0/errors/timeout
      status: 408
      instance: /do/1/slow
      """

  # dsl-reference.md: Workflow
  Scenario: A reusable time of a workflow
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: timeouts, version: '1.0.0'}
      use:
        timeouts:
          short: {after: {milliseconds: 20}}
      timeout: short
      do:
        - slow:
            wait: PT1H
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      type: https://serverlessworkflow.io/spec/1.0.0/errors/timeout
      status: 408
      """

  # dsl-reference.md: Use
  Scenario: A reusable time that does not exist
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: timeouts, version: '1.0.0'}
      do:
        - slow:
            timeout: short
            wait: PT1H
      """
    When the workflow is executed
    Then the definition should be refused

  # dsl.md: Timeouts
  Scenario: A time-out is caught
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: timeouts, version: '1.0.0'}
      do:
        - guarded:
            try:
              - slow:
                  timeout: {after: {milliseconds: 20}}
                  wait: PT1H
            catch:
              errors:
                with: {type: 'https://serverlessworkflow.io/spec/1.0.0/errors/timeout'}
              do:
                - handled:
                    set: {status: '${ $error.status }', where: '${ $error.instance }'}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      {status: 408, where: /do/0/guarded/try/0/slow}
      """

  # dsl.md: Timeouts
  Scenario Outline: A time-out interrupts what is inside: <task>
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: timeouts, version: '1.0.0'}
      do:
        - outer:
            timeout: {after: {milliseconds: 50}}
            <task>: <content>
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      type: https://serverlessworkflow.io/spec/1.0.0/errors/timeout
      status: 408
      instance: /do/0/outer
      """
    And never should have run 0 times

    Examples:
      | task | content                                                                                 |
      | do   | [{pause: {wait: PT1H}}, {never: {set: {a: 1}}}]                                         |
      | fork | {branches: [{a: {wait: PT1H}}, {b: {do: [{c: {wait: PT1H}}, {never: {set: {a: 1}}}]}}]} |

  # dsl.md: Timeouts
  Scenario: A time-out interrupts a call
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: timeouts, version: '1.0.0'}
      do:
        - ask:
            timeout: {after: {milliseconds: 50}}
            call: http
            with: {method: get, endpoint: 'http://services.example/slow'}
      """
    And given the service 'GET /slow' answers:
      """yaml
      {delay: PT8S, body: {late: true}}
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      type: https://serverlessworkflow.io/spec/1.0.0/errors/timeout
      status: 408
      instance: /do/0/ask
      """

  # dsl.md: Timeouts
  Scenario: A time-out interrupts a loop
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: timeouts, version: '1.0.0'}
      do:
        - loop:
            timeout: {after: {milliseconds: 60}}
            for: {in: '[1, 2, 3]'}
            do:
              - pause:
                  wait: PT1H
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      type: https://serverlessworkflow.io/spec/1.0.0/errors/timeout
      status: 408
      instance: /do/0/loop
      """
    And pause should have run 1 times

  # dsl.md: Timeouts
  Scenario: The time of an inner task ends first
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: timeouts, version: '1.0.0'}
      do:
        - outer:
            timeout: {after: PT1H}
            do:
              - inner:
                  timeout: {after: {milliseconds: 20}}
                  wait: PT1H
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      type: https://serverlessworkflow.io/spec/1.0.0/errors/timeout
      status: 408
      instance: /do/0/outer/do/0/inner
      """

  # dsl.md: Timeouts
  Scenario: The time of an outer task ends first
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: timeouts, version: '1.0.0'}
      do:
        - outer:
            timeout: {after: {milliseconds: 20}}
            do:
              - inner:
                  timeout: {after: PT1H}
                  wait: PT1H
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      type: https://serverlessworkflow.io/spec/1.0.0/errors/timeout
      status: 408
      instance: /do/0/outer
      """

  # dsl-reference.md: Timeout
  Scenario: A timeout without time
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: timeouts, version: '1.0.0'}
      do:
        - slow:
            timeout: {}
            wait: PT1H
      """
    When the workflow is executed
    Then the definition should be refused
