Feature: Lifecycle events
  What runtimes tell of workflows and tasks.

  # dsl.md: Lifecycle Events
  Scenario: A workflow that completes
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: lifecycle, version: '1.0.0'}
      do:
        - first:
            set: {n: 1}
        - second:
            set: {n: 2}
      """
    When the workflow is executed
    Then the workflow should complete
    And the lifecycle events should be:
      """yaml
      - workflow.started
      - task.created
      - task.started
      - task.completed
      - task.created
      - task.started
      - task.completed
      - workflow.completed
      """

  # dsl-reference.md: Workflow Started Event
  Scenario: The start of a workflow names its definition
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: lifecycle, version: '1.2.3'}
      do:
        - only:
            set: {n: 1}
      """
    When the workflow is executed
    Then a lifecycle event 'workflow.started' should have data:
      """yaml
      definition: {name: lifecycle, namespace: suite, version: '1.2.3'}
      """

  # dsl-reference.md: Workflow Completed Event
  Scenario: The end of a workflow has its output
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: lifecycle, version: '1.0.0'}
      do:
        - only:
            set: {order: 7}
      output: {as: '${ {id: .order} }'}
      """
    When the workflow is executed
    Then a lifecycle event 'workflow.completed' should have data:
      """yaml
      output: {id: 7}
      """

  # dsl-reference.md: Task Completed Event
  Scenario: The end of a task has its pointer and its output
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: lifecycle, version: '1.0.0'}
      do:
        - outer:
            do:
              - inner:
                  set: {n: 1}
      """
    When the workflow is executed
    Then a lifecycle event 'task.completed' should have data:
      """yaml
      task: /do/0/outer/do/0/inner
      output: {n: 1}
      """
    And a lifecycle event 'task.completed' should have data:
      """yaml
      task: /do/0/outer
      output: {n: 1}
      """

  # dsl-reference.md: Task Faulted Event
  Scenario: A task and its workflow fault with the error
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: lifecycle, version: '1.0.0'}
      do:
        - fail:
            raise:
              error: {type: 'https://shop.example/errors/sold-out', status: 409, title: Sold out}
      """
    When the workflow is executed
    Then the workflow should fault
    And the lifecycle events should be:
      """yaml
      - workflow.started
      - task.created
      - task.started
      - task.faulted
      - workflow.faulted
      """
    And a lifecycle event 'task.faulted' should have data:
      """yaml
      task: /do/0/fail
      error: {type: 'https://shop.example/errors/sold-out', status: 409, title: Sold out}
      """
    And a lifecycle event 'workflow.faulted' should have data:
      """yaml
      error: {type: 'https://shop.example/errors/sold-out', status: 409, title: Sold out}
      """

  # dsl-reference.md: Task Retried Event
  Scenario: A try is retried
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: lifecycle, version: '1.0.0'}
      do:
        - guarded:
            try:
              - ask:
                  call: http
                  with: {method: get, endpoint: 'http://services.example/flaky'}
            catch:
              errors:
                with: {status: 503}
              retry:
                delay: {milliseconds: 5}
                limit:
                  attempt: {count: 5}
      """
    And given the service 'GET /flaky' answers:
      """yaml
      - status: 503
      - {status: 200, body: {done: true}}
      """
    When the workflow is executed
    Then the workflow should complete
    And a lifecycle event 'task.retried' should have data:
      """yaml
      task: /do/0/guarded
      """
    And the lifecycle events should be:
      """yaml
      - workflow.started
      - task.created
      - task.started
      - task.created
      - task.started
      - task.faulted
      - task.created
      - task.started
      - task.retried
      - task.completed
      - task.completed
      - workflow.completed
      """

  # dsl-reference.md: Task Cancelled Event
  Scenario: A branch that loses is cancelled
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: lifecycle, version: '1.0.0'}
      do:
        - race:
            fork:
              compete: true
              branches:
                - slow:
                    wait: PT1H
                - fast:
                    set: {by: fast}
      """
    When the workflow is executed
    Then the workflow should complete
    And a lifecycle event 'task.cancelled' should have data:
      """yaml
      task: /do/0/race/fork/branches/0/slow
      """

  # dsl.md: Lifecycle Events
  Scenario: A workflow that is cancelled
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: lifecycle, version: '1.0.0'}
      do:
        - pause:
            wait: PT1H
      """
    When the workflow is started
    And the workflow waits in pause
    And the workflow is cancelled
    Then the lifecycle events should be:
      """yaml
      - workflow.started
      - task.created
      - task.started
      - task.cancelled
      - workflow.cancelled
      """

  # dsl.md: Lifecycle Events
  Scenario: A workflow that is suspended and resumed while it listens
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: lifecycle, version: '1.0.0'}
      do:
        - hear:
            listen:
              to:
                one:
                  with: {type: com.example.ping}
      """
    When the workflow is started
    And the workflow waits in hear
    And the workflow is suspended
    And the workflow is resumed
    And the event is published:
      """yaml
      {type: com.example.ping, data: {n: 1}}
      """
    Then the workflow should complete
    And the lifecycle events should be:
      """yaml
      - workflow.started
      - task.created
      - task.started
      - workflow.correlation-started
      - workflow.suspended
      - task.suspended
      - workflow.resumed
      - task.resumed
      - workflow.correlation-completed
      - task.completed
      - workflow.completed
      """

  # dsl-reference.md: Workflow Correlation Completed Event
  Scenario: A correlation has keys that were expected
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: lifecycle, version: '1.0.0'}
      do:
        - hear:
            listen:
              to:
                one:
                  with: {type: com.example.paid}
                  correlate:
                    orderId: {from: '${ .data.order }', expect: o-7}
                    currency: {from: '${ .data.currency }', expect: EUR}
      """
    When the workflow is started
    And the workflow waits in hear
    And the event is published:
      """yaml
      {type: com.example.paid, data: {order: o-7, currency: EUR}}
      """
    Then the workflow should complete
    And a lifecycle event 'workflow.correlation-completed' should have data:
      """yaml
      correlationKeys: {orderId: o-7, currency: EUR}
      """

  # dsl-reference.md: Workflow Correlation Completed Event
  Scenario: A correlation has keys that events fixed
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: lifecycle, version: '1.0.0'}
      do:
        - hear:
            listen:
              to:
                all:
                  - with: {type: com.example.temperature}
                    correlate:
                      room: {from: '${ .data.room }'}
                  - with: {type: com.example.humidity}
                    correlate:
                      room: {from: '${ .data.room }'}
      """
    When the workflow is started
    And the workflow waits in hear
    And the event is published:
      """yaml
      {type: com.example.temperature, data: {room: kitchen}}
      """
    And the event is published:
      """yaml
      {type: com.example.humidity, data: {room: kitchen}}
      """
    Then the workflow should complete
    And a lifecycle event 'workflow.correlation-completed' should have data:
      """yaml
      correlationKeys: {room: kitchen}
      """

  # dsl.md: Status Phases
  Scenario Outline: A task is <phase> in the end
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: lifecycle, version: '1.0.0'}
      do:
        - only:
            <task>
      """
    When the workflow is executed
    Then a lifecycle event 'task.status-changed' should have data:
      """yaml
      {task: /do/0/only, status: <phase>}
      """
    And a lifecycle event 'workflow.status-changed' should have data:
      """yaml
      status: <phase>
      """

    Examples:
      | phase     | task                                                     |
      | completed | set: {n: 1}                                              |
      | faulted   | raise: {error: {type: 'https://e.example', status: 500}} |

  # dsl.md: Status Phases
  Scenario Outline: A task that waits comes through the phase <phase>
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: lifecycle, version: '1.0.0'}
      do:
        - pause:
            wait: {milliseconds: 5}
      """
    When the workflow is executed
    Then the workflow should complete
    And a lifecycle event 'task.status-changed' should have data:
      """yaml
      {task: /do/0/pause, status: <phase>}
      """

    Examples:
      | phase     |
      | pending   |
      | running   |
      | waiting   |
      | completed |

  # dsl-reference.md: Task Completed Event
  Scenario: A task that is skipped completes without an output
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: lifecycle, version: '1.0.0'}
      do:
        - never:
            if: ${ false }
            set: {n: 1}
      """
    When the workflow is executed
    Then the workflow should complete
    And the lifecycle events should be:
      """yaml
      - workflow.started
      - task.created
      - task.started
      - task.completed
      - workflow.completed
      """
