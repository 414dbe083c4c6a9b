Feature: Fork
  Tasks at the same time.

  # dsl-reference.md: Fork
  Scenario: The output has the outputs of all branches in their order
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: fork, version: '1.0.0'}
      do:
        - all:
            fork:
              branches:
                - slow:
                    do:
                      - pause:
                          wait: PT0.05S
                      - slowDone:
                          set: {by: slow}
                - fast:
                    set: {by: fast}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      [{by: slow}, {by: fast}]
      """

  # dsl-reference.md: Fork
  Scenario: Each branch gets the input of the task
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: fork, version: '1.0.0'}
      do:
        - all:
            input: {from: .deep}
            fork:
              branches:
                - one:
                    set: {n: '${ .n + 1 }'}
                - two:
                    set: {n: '${ .n + 2 }'}
      """
    And given the workflow input is:
      """yaml
      deep: {n: 10}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      [{n: 11}, {n: 12}]
      """

  # dsl-reference.md: Fork
  Scenario: No branch competes unless said
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: fork, version: '1.0.0'}
      do:
        - all:
            fork:
              compete: false
              branches:
                - one:
                    set: {n: 1}
                - two:
                    set: {n: 2}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      [{n: 1}, {n: 2}]
      """

  # dsl-reference.md: Fork
  Scenario: Of competing branches the first to complete wins
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: fork, version: '1.0.0'}
      do:
        - race:
            fork:
              compete: true
              branches:
                - slow:
                    do:
                      - pause:
                          wait: PT1H
                      - never:
                          set: {by: slow}
                - fast:
                    set: {by: fast}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      by: fast
      """
    And never should have run 0 times

  # dsl-reference.md: Fork
  Scenario: Branches run at the same time
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: fork, version: '1.0.0'}
      do:
        - both:
            fork:
              branches:
                - first:
                    do:
                      - slow:
                          wait: PT0.1S
                      - slowDone:
                          set: {by: slow}
                - second:
                    do:
                      - fast:
                          wait: PT0.01S
                      - fastDone:
                          set: {by: fast}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      [{by: slow}, {by: fast}]
      """
    And slowDone should run last

  # dsl-reference.md: Fork
  Scenario: The output of a fork is transformed
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: fork, version: '1.0.0'}
      do:
        - all:
            fork:
              branches:
                - one:
                    set: {n: 1}
                - two:
                    set: {n: 2}
            output: {as: '{sum: (map(.n) | add)}'}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      sum: 3
      """

  # dsl-reference.md: Fork
  Scenario: A fork within a fork
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: fork, version: '1.0.0'}
      do:
        - outer:
            fork:
              branches:
                - inner:
                    fork:
                      branches:
                        - a:
                            set: {n: 1}
                        - b:
                            set: {n: 2}
                - c:
                    set: {n: 3}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      [[{n: 1}, {n: 2}], {n: 3}]
      """

  # dsl-reference.md: Fork
  Scenario: An error in a branch is the error of the fork (ADR 0004)
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: fork, version: '1.0.0'}
      do:
        - all:
            fork:
              branches:
                - fail:
                    raise: {error: {type: 'https://errors.example/branch', status: 500}}
                - slow:
                    wait: PT1H
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      type: https://errors.example/branch
      status: 500
      instance: /do/0/all/fork/branches/0/fail
      """

  # dsl-reference.md: Fork
  Scenario: An error in a branch can be caught inside it
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: fork, version: '1.0.0'}
      do:
        - all:
            fork:
              branches:
                - guarded:
                    try:
                      - fail:
                          raise: {error: {type: 'https://errors.example/branch', status: 500}}
                    catch:
                      do:
                        - handled:
                            set: {handled: true}
                - other:
                    set: {other: true}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      [{handled: true}, {other: true}]
      """

  # dsl-reference.md: Fork
  Scenario: A competing branch that fails leaves the race (ADR 0004)
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: fork, version: '1.0.0'}
      do:
        - race:
            fork:
              compete: true
              branches:
                - fail:
                    raise: {error: {type: 'https://errors.example/branch', status: 500}}
                - good:
                    do:
                      - pause:
                          wait: PT0.02S
                      - done:
                          set: {by: good}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      by: good
      """

  # dsl-reference.md: Fork
  Scenario: A race fails when all branches fail (ADR 0004)
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: fork, version: '1.0.0'}
      do:
        - race:
            fork:
              compete: true
              branches:
                - one:
                    raise: {error: {type: 'https://errors.example/branch', status: 500}}
                - two:
                    raise: {error: {type: 'https://errors.example/branch', status: 500}}
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      {type: https://errors.example/branch, status: 500}
      """

  # dsl-reference.md: Fork
  Scenario: Contexts of branches are merged in their order (ADR 0004)
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: fork, version: '1.0.0'}
      do:
        - all:
            fork:
              branches:
                - one:
                    set: {n: 1}
                    export: {as: '$context + {one: .n, last: "one"}'}
                - two:
                    set: {n: 2}
                    export: {as: '$context + {two: .n, last: "two"}'}
        - show:
            set: {context: '${ $context }'}
      """
    And given the workflow input is:
      """yaml
      start: 0
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      context: {start: 0, one: 1, two: 2, last: two}
      """

  # dsl-reference.md: Flow Directive
  Scenario: End in a branch ends the workflow (ADR 0004)
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: fork, version: '1.0.0'}
      do:
        - all:
            fork:
              branches:
                - stop:
                    set: {stopped: true}
                    then: end
                - slow:
                    wait: PT1H
        - never:
            set: {a: 1}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      stopped: true
      """
    And never should have run 0 times

  # dsl-reference.md: Fork
  Scenario: A fork without branches
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: fork, version: '1.0.0'}
      do:
        - all:
            fork: {compete: true}
      """
    When the workflow is executed
    Then the definition should be refused
