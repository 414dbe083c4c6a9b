Feature: Schedule
  Workflows that start by time and by events.

  # dsl-reference.md: Schedule
  Scenario: A workflow starts at intervals
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: schedule, version: '1.0.0'}
      schedule: {every: PT0.05S}
      do:
        - tick:
            set: {a: 1}
      """
    When the workflow is deployed
    Then tick should have run at least 3 times

  # dsl-reference.md: Schedule
  Scenario: A workflow starts at intervals of an object
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: schedule, version: '1.0.0'}
      schedule: {every: {milliseconds: 50}}
      do:
        - tick:
            set: {a: 1}
      """
    When the workflow is deployed
    Then tick should have run at least 2 times

  # dsl-reference.md: Schedule
  Scenario: Intervals do not wait for the run before
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: schedule, version: '1.0.0'}
      schedule: {every: PT0.1S}
      do:
        - begin:
            set: {a: 1}
        - long:
            wait: PT1H
      """
    When the workflow is deployed
    Then begin should have run at least 2 times

  # dsl-reference.md: Schedule
  Scenario: A workflow starts again after its end
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: schedule, version: '1.0.0'}
      schedule: {after: {milliseconds: 20}}
      do:
        - tick:
            set: {a: 1}
      """
    When the workflow is executed
    Then tick should have run at least 3 times

  # dsl.md: Workflow
  Scenario: A scheduled workflow starts on request, too
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: schedule, version: '1.0.0'}
      schedule: {cron: '0 0 1 1 *'}
      do:
        - tick:
            set: {a: 1}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      a: 1
      """

  # dsl-reference.md: Schedule
  Scenario Outline: A cron expression that is none: <cron>
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: schedule, version: '1.0.0'}
      schedule: {cron: '<cron>'}
      do:
        - tick:
            set: {a: 1}
      """
    When the workflow is executed
    Then the definition should be refused

    Examples:
      | cron       |
      | whenever   |
      | 61 * * * * |
      | * * *      |
      | * 25 * * * |

  # dsl.md: Event-driven scheduling
  Scenario: An event starts a workflow
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: schedule, version: '1.0.0'}
      schedule:
        on:
          one:
            with: {type: com.example.ordered}
      do:
        - tell:
            call: http
            with:
              method: post
              endpoint: http://services.example/orders
              body: ${ $workflow.input[0] | .data // . }
      """
    And given the service 'POST /orders' answers:
      """yaml
      body: {ok: true}
      """
    When the workflow is deployed
    And the event is published:
      """yaml
      {type: com.example.other, data: {order: 6}}
      """
    And the event is published:
      """yaml
      {type: com.example.ordered, data: {order: 7}}
      """
    Then the service 'POST /orders' should have received:
      """yaml
      body: {order: 7}
      """

  # dsl-reference.md: Schedule
  Scenario: Each event starts an execution
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: schedule, version: '1.0.0'}
      schedule:
        on:
          any:
            - with: {type: com.example.a}
            - with: {type: com.example.b}
      do:
        - tick:
            set: {a: 1}
      """
    When the workflow is deployed
    And the event is published:
      """yaml
      {type: com.example.a}
      """
    And the event is published:
      """yaml
      {type: com.example.b}
      """
    Then tick should have run at least 2 times

  # dsl.md: Event-driven scheduling
  Scenario: All events together start a workflow
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: schedule, version: '1.0.0'}
      schedule:
        on:
          all:
            - with: {type: com.example.a}
            - with: {type: com.example.b}
      do:
        - tell:
            call: http
            with:
              method: post
              endpoint: http://services.example/seen
              body: {events: '${ $workflow.input | length }'}
      """
    And given the service 'POST /seen' answers:
      """yaml
      body: {ok: true}
      """
    When the workflow is deployed
    And the event is published:
      """yaml
      {type: com.example.a, data: {n: 1}}
      """
    And the event is published:
      """yaml
      {type: com.example.b, data: {n: 2}}
      """
    Then the service 'POST /seen' should have received:
      """yaml
      body: {events: 2}
      """

  # dsl-reference.md: Schedule
  Scenario: A schedule with an unknown property
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: schedule, version: '1.0.0'}
      schedule: {sometimes: true}
      do:
        - tick:
            set: {a: 1}
      """
    When the workflow is executed
    Then the definition should be refused

  # dsl-reference.md: Schedule
  Scenario: A schedule without a property
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: schedule, version: '1.0.0'}
      schedule: {}
      do:
        - tick:
            set: {a: 1}
      """
    When the workflow is executed
    Then the definition should be refused

  # dsl-reference.md: Schedule
  @deviation
  Scenario: A schedule with two properties
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: schedule, version: '1.0.0'}
      schedule: {every: PT0.05S, cron: '0 0 1 1 *'}
      do:
        - tick:
            set: {a: 1}
      """
    When the workflow is executed
    Then the workflow should complete

  # dsl-reference.md: Schedule
  Scenario Outline: A schedule of no time: <schedule> (ADR 0054)
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: schedule, version: '1.0.0'}
      schedule: <schedule>
      do:
        - tick:
            set: {a: 1}
      """
    When the workflow is executed
    Then the definition should be refused

    Examples:
      | schedule              |
      | {every: PT0S}         |
      | {after: {seconds: 0}} |

  # dsl-reference.md: Schedule
  Scenario Outline: A cron expression: <cron>
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: schedule, version: '1.0.0'}
      schedule: {cron: '<cron>'}
      do:
        - tick:
            set: {a: 1}
      """
    When the workflow is executed
    Then the workflow should complete

    Examples:
      | cron                  |
      | */15 9-17 * * MON-FRI |
      | 30 4 1,15 * 5         |
      | 0 0 29 2 *            |
      | @daily                |
      | @hourly               |

  # dsl-reference.md: Schedule
  Scenario: A fault does not end intervals
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: schedule, version: '1.0.0'}
      schedule: {every: PT0.05S}
      do:
        - tick:
            set: {a: 1}
        - fail:
            raise:
              error: {type: 'https://example.com/errors/no', status: 500}
      """
    When the workflow is deployed
    Then tick should have run at least 3 times

  # dsl-reference.md: Schedule
  Scenario: A workflow starts again after a fault (ADR 0054)
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: schedule, version: '1.0.0'}
      schedule: {after: {milliseconds: 20}}
      do:
        - tick:
            set: {a: 1}
        - fail:
            raise:
              error: {type: 'https://example.com/errors/no', status: 500}
      """
    When the workflow is deployed
    Then tick should have run at least 3 times

  # dsl.md: Scheduling
  Scenario: The input of a scheduled workflow is an empty object (ADR 0054)
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: schedule, version: '1.0.0'}
      schedule: {every: PT0.05S}
      do:
        - tell:
            call: http
            with:
              method: post
              endpoint: http://services.example/ticks
              body: ${ $workflow.input }
      """
    And given the service 'POST /ticks' answers:
      """yaml
      body: {ok: true}
      """
    When the workflow is deployed
    Then the service 'POST /ticks' should have received:
      """yaml
      body: {}
      """
