Feature: Switch
  The choice of one of several ways.

  # dsl-reference.md: Switch
  Scenario Outline: The case that holds is taken: <n>
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: switch, version: '1.0.0'}
      do:
        - choose:
            switch:
              - small: {when: .n < 10, then: parcel}
              - large: {when: .n < 100, then: pallet}
              - other: {then: ship}
        - parcel:
            set: {by: parcel}
            then: end
        - pallet:
            set: {by: pallet}
            then: end
        - ship:
            set: {by: ship}
      """
    And given the workflow input is:
      """yaml
      n: <n>
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      by: <by>
      """
    And choose should run first

    Examples:
      | n   | by     |
      | 5   | parcel |
      | 50  | pallet |
      | 500 | ship   |

  # dsl-reference.md: Switch
  Scenario: The first case that holds is taken
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: switch, version: '1.0.0'}
      do:
        - choose:
            switch:
              - first: {when: .n > 1, then: one}
              - second: {when: .n > 2, then: two}
        - one:
            set: {took: one}
            then: end
        - two:
            set: {took: two}
      """
    And given the workflow input is:
      """yaml
      n: 3
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      took: one
      """
    And two should have run 0 times

  # dsl-reference.md: Switch Case
  Scenario: The default counts wherever it stands
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: switch, version: '1.0.0'}
      do:
        - choose:
            switch:
              - other: {then: no}
              - match: {when: .n == 1, then: yes}
        - no:
            set: {took: default}
            then: end
        - yes:
            set: {took: match}
      """
    And given the workflow input is:
      """yaml
      n: 1
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      took: match
      """

  # dsl-reference.md: Switch
  Scenario: Without a match the flow goes on
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: switch, version: '1.0.0'}
      do:
        - choose:
            switch:
              - match: {when: .n == 2, then: end}
        - next:
            set: {went: on}
      """
    And given the workflow input is:
      """yaml
      n: 1
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      went: on
      """

  # dsl-reference.md: Switch
  Scenario: Without a match the directive of the task counts
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: switch, version: '1.0.0'}
      do:
        - choose:
            switch:
              - match: {when: .n == 2, then: next}
            then: last
        - next:
            set: {a: 1}
        - last:
            set: {b: 1}
      """
    And given the workflow input is:
      """yaml
      n: 1
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      b: 1
      """
    And next should have run 0 times

  # dsl-reference.md: Switch
  Scenario: The output is the input
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: switch, version: '1.0.0'}
      do:
        - choose:
            switch:
              - match: {when: .n == 1, then: show}
        - show:
            set: {seen: '${ . }'}
      """
    And given the workflow input is:
      """yaml
      {n: 1, m: 2}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      seen: {n: 1, m: 2}
      """

  # dsl-reference.md: Switch Case
  Scenario: A case ends the workflow
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: switch, version: '1.0.0'}
      do:
        - choose:
            switch:
              - match: {when: .n == 1, then: end}
        - never:
            set: {a: 1}
      """
    And given the workflow input is:
      """yaml
      n: 1
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      n: 1
      """
    And never should have run 0 times

  # dsl-reference.md: Switch Case
  Scenario: A case leaves the scope
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: switch, version: '1.0.0'}
      do:
        - outer:
            do:
              - choose:
                  switch:
                    - match: {when: .n == 1, then: exit}
              - never:
                  set: {a: 1}
        - last:
            set: {n: '${ .n + 1 }'}
      """
    And given the workflow input is:
      """yaml
      n: 1
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      n: 2
      """
    And never should have run 0 times

  # dsl-reference.md: Switch Case
  Scenario: A case continues
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: switch, version: '1.0.0'}
      do:
        - choose:
            switch:
              - match: {when: .n == 1, then: continue}
            then: end
        - next:
            set: {went: on}
      """
    And given the workflow input is:
      """yaml
      n: 1
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      went: on
      """

  # dsl-reference.md: Switch
  Scenario: Cases see the transformed input
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: switch, version: '1.0.0'}
      do:
        - choose:
            input: {from: .deep}
            switch:
              - match: {when: .n == 1, then: yes}
              - other: {then: no}
        - yes:
            set: {took: match}
            then: end
        - no:
            set: {took: default}
      """
    And given the workflow input is:
      """yaml
      deep: {n: 1}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      took: match
      """

  # dsl-reference.md: Switch Case
  Scenario: Two defaults
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: switch, version: '1.0.0'}
      do:
        - choose:
            switch:
              - one: {then: end}
              - two: {then: continue}
      """
    When the workflow is executed
    Then the definition should be refused

  # dsl-reference.md: Switch Case
  Scenario: A case without directive
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: switch, version: '1.0.0'}
      do:
        - choose:
            switch:
              - one: {when: .n == 1}
      """
    When the workflow is executed
    Then the definition should be refused

  # dsl-reference.md: Flow Directive
  Scenario: A case leads nowhere
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: switch, version: '1.0.0'}
      do:
        - choose:
            switch:
              - one: {when: .n == 1, then: missing}
      """
    When the workflow is executed
    Then the definition should be refused

  # dsl-reference.md: Switch
  Scenario: A switch without cases
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: switch, version: '1.0.0'}
      do:
        - choose:
            switch: []
      """
    When the workflow is executed
    Then the definition should be refused
