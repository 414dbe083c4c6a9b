Feature: Try
  Errors that are caught.

  # dsl-reference.md: Try
  Scenario: A try without error has the output of its last task
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: try, version: '1.0.0'}
      do:
        - guarded:
            try:
              - one:
                  set: {n: 1}
              - two:
                  set: {n: '${ .n + 1 }'}
            catch:
              do:
                - never:
                    set: {caught: true}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      n: 2
      """
    And never should have run 0 times

  # dsl-reference.md: Catch
  Scenario: Every error is caught without a filter
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: try, version: '1.0.0'}
      do:
        - guarded:
            try:
              - fail:
                  raise: {error: {type: 'https://errors.example/x', status: 500}}
              - skipped:
                  set: {n: 1}
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
    And skipped should have run 0 times
    And handled should run after fail

  # dsl-reference.md: Catch
  Scenario Outline: An error is caught by its <member>
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: try, version: '1.0.0'}
      do:
        - guarded:
            try:
              - fail:
                  raise:
                    error: {type: 'https://errors.example/x', status: 409, title: Taken, detail: It is taken}
            catch:
              errors:
                with: {<member>: <value>}
              do:
                - handled:
                    set: {handled: true}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      handled: true
      """

    Examples:
      | member   | value                    |
      | type     | https://errors.example/x |
      | status   | 409                      |
      | title    | Taken                    |
      | detail   | It is taken              |
      | details  | It is taken              |
      | instance | /do/0/guarded/try/0/fail |

  # dsl-reference.md: Catch
  Scenario Outline: An error with another <member> is not caught
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: try, version: '1.0.0'}
      do:
        - guarded:
            try:
              - fail:
                  raise:
                    error: {type: 'https://errors.example/x', status: 409, title: Taken}
            catch:
              errors:
                with: {<member>: <value>}
              do:
                - never:
                    set: {handled: true}
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      {type: https://errors.example/x, status: 409, title: Taken}
      """
    And never should have run 0 times

    Examples:
      | member   | value                    |
      | type     | https://errors.example/y |
      | status   | 410                      |
      | title    | Free                     |
      | instance | /do/0/guarded/try/1/fail |

  # dsl-reference.md: Catch
  Scenario: All members of a filter must match
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: try, version: '1.0.0'}
      do:
        - guarded:
            try:
              - fail:
                  raise: {error: {type: 'https://errors.example/x', status: 409}}
            catch:
              errors:
                with: {type: 'https://errors.example/x', status: 500}
              do:
                - never:
                    set: {handled: true}
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      status: 409
      """

  # dsl-reference.md: Catch
  Scenario: The variable of the error has a default name
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: try, version: '1.0.0'}
      do:
        - guarded:
            try:
              - fail:
                  raise: {error: {type: 'https://errors.example/x', status: 409, title: Taken, detail: By Ada}}
            catch:
              do:
                - handled:
                    set: ${ $error }
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      type: https://errors.example/x
      status: 409
      title: Taken
      detail: By Ada
      instance: /do/0/guarded/try/0/fail
      """

  # dsl-reference.md: Catch
  Scenario: The variable of the error has a name of its own
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: try, version: '1.0.0'}
      do:
        - guarded:
            try:
              - fail:
                  raise: {error: {type: 'https://errors.example/x', status: 409}}
            catch:
              as: problem
              do:
                - handled:
                    set: {status: '${ $problem.status }'}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      status: 409
      """

  # dsl-reference.md: Catch
  Scenario: A condition on the error that holds
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: try, version: '1.0.0'}
      do:
        - guarded:
            try:
              - fail:
                  raise: {error: {type: 'https://errors.example/x', status: 409}}
            catch:
              when: ${ $error.status >= 400 and $error.status < 500 }
              do:
                - handled:
                    set: {handled: true}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      handled: true
      """

  # dsl-reference.md: Catch
  Scenario: A condition on the error that does not hold
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: try, version: '1.0.0'}
      do:
        - guarded:
            try:
              - fail:
                  raise: {error: {type: 'https://errors.example/x', status: 409}}
            catch:
              when: ${ $error.status >= 500 }
              do:
                - never:
                    set: {handled: true}
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      status: 409
      """

  # dsl-reference.md: Catch
  Scenario: An exception on the error that holds
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: try, version: '1.0.0'}
      do:
        - guarded:
            try:
              - fail:
                  raise: {error: {type: 'https://errors.example/x', status: 409}}
            catch:
              exceptWhen: ${ $error.status == 409 }
              do:
                - never:
                    set: {handled: true}
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      status: 409
      """

  # dsl-reference.md: Catch
  Scenario: An exception on the error that does not hold
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: try, version: '1.0.0'}
      do:
        - guarded:
            try:
              - fail:
                  raise: {error: {type: 'https://errors.example/x', status: 409}}
            catch:
              as: problem
              exceptWhen: ${ $problem.status == 500 }
              do:
                - handled:
                    set: {handled: true}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      handled: true
      """

  # dsl-reference.md: Catch
  Scenario: Filter and condition must both match
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: try, version: '1.0.0'}
      do:
        - guarded:
            try:
              - fail:
                  raise: {error: {type: 'https://errors.example/x', status: 409, detail: soft}}
            catch:
              errors:
                with: {status: 409}
              when: ${ $error.detail == "hard" }
              do:
                - never:
                    set: {handled: true}
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      status: 409
      """

  # dsl-reference.md: Try
  Scenario: The flow goes on after a caught error
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: try, version: '1.0.0'}
      do:
        - guarded:
            try:
              - fail:
                  raise: {error: {type: 'https://errors.example/x', status: 500}}
            catch:
              do:
                - handled:
                    set: {n: 1}
        - next:
            set: {n: '${ .n + 1 }'}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      n: 2
      """
    And next should run last

  # dsl-reference.md: Catch
  Scenario: An error is swallowed without tasks (ADR 0004)
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: try, version: '1.0.0'}
      do:
        - guarded:
            try:
              - fail:
                  raise: {error: {type: 'https://errors.example/x', status: 500}}
            catch: {}
        - next:
            set: {seen: '${ . }'}
      """
    And given the workflow input is:
      """yaml
      a: 1
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      seen: {a: 1}
      """

  # dsl-reference.md: Catch
  Scenario: Tasks of the catch get the input of the try (ADR 0004)
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: try, version: '1.0.0'}
      do:
        - guarded:
            input: {from: .deep}
            try:
              - change:
                  set: {b: 2}
              - fail:
                  raise: {error: {type: 'https://errors.example/x', status: 500}}
            catch:
              do:
                - handled:
                    set: {seen: '${ . }'}
      """
    And given the workflow input is:
      """yaml
      deep: {a: 1}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      seen: {a: 1}
      """

  # dsl-reference.md: Catch
  Scenario: An error of the catch goes outwards
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: try, version: '1.0.0'}
      do:
        - guarded:
            try:
              - fail:
                  raise: {error: {type: 'https://errors.example/x', status: 500}}
            catch:
              do:
                - worse:
                    raise: {error: {type: 'https://errors.example/worse', status: 501}}
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      type: https://errors.example/worse
      status: 501
      instance: /do/0/guarded/catch/do/0/worse
      """

  # dsl-reference.md: Catch
  Scenario: An inner try passes on what it does not catch
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: try, version: '1.0.0'}
      do:
        - outer:
            try:
              - inner:
                  try:
                    - fail:
                        raise: {error: {type: 'https://errors.example/x', status: 409}}
                  catch:
                    errors:
                      with: {status: 500}
                    do:
                      - wrong:
                          set: {by: inner}
            catch:
              errors:
                with: {status: 409}
              do:
                - right:
                    set: {by: outer, where: '${ $error.instance }'}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      {by: outer, where: /do/0/outer/try/0/inner/try/0/fail}
      """
    And wrong should have run 0 times

  # dsl-reference.md: Catch
  Scenario: The inner of two tries catches
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: try, version: '1.0.0'}
      do:
        - outer:
            try:
              - inner:
                  try:
                    - fail:
                        raise: {error: {type: 'https://errors.example/x', status: 500}}
                  catch:
                    do:
                      - right:
                          set: {by: inner}
            catch:
              do:
                - wrong:
                    set: {by: outer}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      by: inner
      """
    And wrong should have run 0 times

  # dsl-reference.md: Catch
  Scenario: An error deep inside is caught
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: try, version: '1.0.0'}
      do:
        - guarded:
            try:
              - a:
                  do:
                    - b:
                        for: {in: '[1, 2]'}
                        do:
                          - c:
                              fork:
                                branches:
                                  - d:
                                      raise: {error: {type: 'https://errors.example/x', status: 500}}
            catch:
              do:
                - handled:
                    set: {where: '${ $error.instance }'}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      where: /do/0/guarded/try/0/a/do/0/b/do/0/c/fork/branches/0/d
      """

  # dsl-reference.md: Catch
  Scenario: Each iteration has its try
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: try, version: '1.0.0'}
      do:
        - loop:
            for: {in: '[1, 2, 3]'}
            do:
              - guarded:
                  try:
                    - check:
                        if: $item == 2
                        raise: {error: {type: 'https://errors.example/x', status: 500}}
                    - count:
                        set: {good: '${ .good + 1 }', bad: '${ .bad }'}
                  catch:
                    do:
                      - handled:
                          set: {good: '${ .good }', bad: '${ .bad + 1 }'}
      """
    And given the workflow input is:
      """yaml
      {good: 0, bad: 0}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      {good: 2, bad: 1}
      """

  # dsl-reference.md: Catch
  Scenario: The catch may export the error
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: try, version: '1.0.0'}
      do:
        - guarded:
            try:
              - fail:
                  raise: {error: {type: 'https://errors.example/x', status: 409}}
            catch:
              do:
                - handled:
                    set: {handled: true}
                    export: {as: '$context + {status: $error.status}'}
        - show:
            if: $context.status == 409
            set: {context: '${ $context }'}
      """
    And given the workflow input is:
      """yaml
      a: 1
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      context: {a: 1, status: 409}
      """

  # dsl-reference.md: Try
  Scenario: The output of a try is transformed after a caught error
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: try, version: '1.0.0'}
      do:
        - guarded:
            try:
              - fail:
                  raise: {error: {type: 'https://errors.example/x', status: 500}}
            catch:
              do:
                - handled:
                    set: {n: 1}
            output: {as: '{got: .n}'}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      got: 1
      """

  # dsl-reference.md: Catch
  Scenario: The directive of a catch is followed after an error
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: try, version: '1.0.0'}
      do:
        - guarded:
            try:
              - fail:
                  raise: {error: {type: 'https://errors.example/x', status: 500}}
            catch:
              do:
                - handled:
                    set: {handled: true}
              then: last
            then: next
        - next:
            set: {went: next}
            then: end
        - last:
            set: {went: last}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      went: last
      """
    And next should have run 0 times

  # dsl-reference.md: Catch
  Scenario: The directive of a catch is not followed without an error
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: try, version: '1.0.0'}
      do:
        - guarded:
            try:
              - good:
                  set: {a: 1}
            catch:
              then: last
            then: next
        - next:
            set: {went: next}
            then: end
        - last:
            set: {went: last}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      went: next
      """

  # dsl-reference.md: Try
  Scenario: A try without catch
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: try, version: '1.0.0'}
      do:
        - guarded:
            try:
              - good:
                  set: {a: 1}
      """
    When the workflow is executed
    Then the definition should be refused

  # dsl-reference.md: Try
  Scenario: A catch without try
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: try, version: '1.0.0'}
      do:
        - guarded:
            catch:
              do:
                - good:
                    set: {a: 1}
      """
    When the workflow is executed
    Then the definition should be refused

  # dsl-reference.md: Catch
  Scenario: A filter of nothing
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: try, version: '1.0.0'}
      do:
        - guarded:
            try:
              - good:
                  set: {a: 1}
            catch:
              errors:
                with: {}
      """
    When the workflow is executed
    Then the definition should be refused
