Feature: Wait
  Pauses, and the forms of durations.

  # dsl-reference.md: Wait
  Scenario: A wait takes its time
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: wait, version: '1.0.0'}
      do:
        - pause:
            wait: {milliseconds: 120}
      """
    When the workflow is executed
    Then the workflow should complete
    And the workflow should have taken at least PT0.12S

  # dsl-reference.md: Wait
  Scenario: Waits follow each other
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: wait, version: '1.0.0'}
      do:
        - first:
            wait: PT0.05S
        - second:
            wait: PT0.05S
      """
    When the workflow is executed
    Then the workflow should complete
    And the workflow should have taken at least PT0.1S
    And second should run after first

  # dsl-reference.md: Wait
  Scenario: The flow goes on after a wait
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: wait, version: '1.0.0'}
      do:
        - pause:
            wait: PT0.01S
        - show:
            set: {after: true}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      after: true
      """
    And show should run after pause

  # dsl-reference.md: Duration
  Scenario Outline: A short duration: <form>
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: wait, version: '1.0.0'}
      do:
        - pause:
            wait: <duration>
        - show:
            set: {after: true}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      after: true
      """

    Examples:
      | form               | duration                                                     |
      | milliseconds       | {milliseconds: 10}                                           |
      | no time            | {seconds: 0}                                                 |
      | several units      | {days: 0, hours: 0, minutes: 0, seconds: 0, milliseconds: 5} |
      | ISO 8601 seconds   | PT0S                                                         |
      | ISO 8601 fraction  | PT0.01S                                                      |
      | ISO 8601 all units | P0DT0H0M0.01S                                                |
      | ISO 8601 days      | P0D                                                          |
      | expression         | ${ "PT0.01S" }                                               |

  # dsl-reference.md: Duration
  Scenario: A duration made by an expression
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: wait, version: '1.0.0'}
      do:
        - pause:
            wait: ${ "PT0.0\(.hundredths)S" }
        - show:
            set: {after: true}
      """
    And given the workflow input is:
      """yaml
      hundredths: 5
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      after: true
      """
    And the workflow should have taken at least PT0.05S

  # dsl-reference.md: Duration
  Scenario Outline: A long duration: <form>
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: wait, version: '1.0.0'}
      do:
        - race:
            fork:
              compete: true
              branches:
                - long:
                    wait: <duration>
                - short:
                    set: {by: short}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      by: short
      """

    Examples:
      | form             | duration             |
      | seconds          | {seconds: 3600}      |
      | minutes          | {minutes: 90}        |
      | hours            | {hours: 2}           |
      | days             | {days: 3}            |
      | days and hours   | {days: 1, hours: 12} |
      | ISO 8601 minutes | PT90M                |
      | ISO 8601 hours   | PT2H30M              |
      | ISO 8601 days    | P3DT12H              |
      | ISO 8601 weeks   | P2W                  |

  # dsl-reference.md: Duration
  Scenario: A duration of ISO 8601 with weeks and days
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: wait, version: '1.0.0'}
      do:
        - race:
            fork:
              compete: true
              branches:
                - long:
                    wait: P1W2DT1H
                - short:
                    set: {by: short}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      by: short
      """

  # dsl-reference.md: Duration
  @deviation
  Scenario Outline: A duration of ISO 8601 in <unit>
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: wait, version: '1.0.0'}
      do:
        - race:
            fork:
              compete: true
              branches:
                - long:
                    wait: <duration>
                - short:
                    set: {by: short}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      by: short
      """

    Examples:
      | unit   | duration |
      | years  | P1Y      |
      | months | P2M      |

  # dsl-reference.md: Duration
  Scenario Outline: A duration that is none: <duration>
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: wait, version: '1.0.0'}
      do:
        - pause:
            wait: <duration>
      """
    When the workflow is executed
    Then the definition should be refused

    Examples:
      | duration       |
      | 5 minutes      |
      | {}             |
      | {weeks: 1}     |
      | {seconds: 1.5} |
      | {seconds: ten} |
      | P              |
      | PT             |
      | [1]            |

  # dsl-reference.md: Duration
  Scenario: An expression that makes no duration
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: wait, version: '1.0.0'}
      do:
        - pause:
            wait: ${ "soon" }
      """
    When the workflow is executed
    Then the workflow should fault
