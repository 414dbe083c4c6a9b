Feature: Flow
  Conditions of tasks, and directives that say where the flow goes.

  # dsl.md: Task Flow
  Scenario: Tasks run in the order of their declaration
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: flow, version: '1.0.0'}
      do:
        - red:
            set: {colors: '${ .colors + ["red"] }'}
        - green:
            set: {colors: '${ .colors + ["green"] }'}
        - blue:
            set: {colors: '${ .colors + ["blue"] }'}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      colors: [red, green, blue]
      """
    And red should run first
    And green should run after red
    And blue should run after green

  # dsl-reference.md: Flow Directive
  Scenario: Continue goes to the next task
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: flow, version: '1.0.0'}
      do:
        - red:
            set: {colors: '${ .colors + ["red"] }'}
            then: continue
        - green:
            set: {colors: '${ .colors + ["green"] }'}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      colors: [red, green]
      """

  # dsl-reference.md: Flow Directive
  Scenario: Continue after the last task ends the workflow
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: flow, version: '1.0.0'}
      do:
        - red:
            set: {colors: '${ .colors + ["red"] }'}
            then: continue
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      colors: [red]
      """

  # dsl-reference.md: Flow Directive
  Scenario: A name leads forward
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: flow, version: '1.0.0'}
      do:
        - red:
            set: {colors: '${ .colors + ["red"] }'}
            then: blue
        - green:
            set: {colors: '${ .colors + ["green"] }'}
        - blue:
            set: {colors: '${ .colors + ["blue"] }'}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      colors: [red, blue]
      """
    And green should have run 0 times

  # dsl-reference.md: Flow Directive
  Scenario: A name leads back
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: flow, version: '1.0.0'}
      do:
        - count:
            set: {n: '${ .n + 1 }'}
        - again:
            switch:
              - more:
                  when: .n < 4
                  then: count
        - done:
            set: {result: '${ .n }'}
      """
    And given the workflow input is:
      """yaml
      n: 0
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      result: 4
      """
    And count should have run 4 times

  # dsl-reference.md: Flow Directive
  Scenario: A name leads to the task itself
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: flow, version: '1.0.0'}
      do:
        - count:
            if: .n < 3
            set: {n: '${ .n + 1 }'}
            then: count
      """
    And given the workflow input is:
      """yaml
      n: 0
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      n: 3
      """

  # dsl-reference.md: Flow Directive
  Scenario: End ends the workflow
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: flow, version: '1.0.0'}
      do:
        - red:
            set: {colors: '${ .colors + ["red"] }'}
            then: end
        - green:
            set: {colors: '${ .colors + ["green"] }'}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      colors: [red]
      """
    And green should have run 0 times

  # dsl-reference.md: Flow Directive
  Scenario: End in a composite task ends the workflow
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: flow, version: '1.0.0'}
      do:
        - outer:
            do:
              - inner:
                  do:
                    - red:
                        set: {colors: '${ .colors + ["red"] }'}
                        then: end
                    - green:
                        set: {colors: '${ .colors + ["green"] }'}
        - blue:
            set: {colors: '${ .colors + ["blue"] }'}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      colors: [red]
      """
    And green should have run 0 times
    And blue should have run 0 times

  # dsl.md: Data Flow
  Scenario: The output of the workflow is transformed after an end
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: flow, version: '1.0.0'}
      do:
        - red:
            set: {n: 1}
            then: end
        - green:
            set: {n: 2}
      output: {as: '{ended: .n}'}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      ended: 1
      """

  # dsl-reference.md: Flow Directive
  Scenario: Exit in the outermost scope ends the workflow
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: flow, version: '1.0.0'}
      do:
        - red:
            set: {colors: '${ .colors + ["red"] }'}
            then: exit
        - green:
            set: {colors: '${ .colors + ["green"] }'}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      colors: [red]
      """
    And green should have run 0 times

  # dsl-reference.md: Flow Directive
  Scenario: Exit leaves the scope only
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: flow, version: '1.0.0'}
      do:
        - outer:
            do:
              - red:
                  set: {colors: '${ .colors + ["red"] }'}
                  then: exit
              - green:
                  set: {colors: '${ .colors + ["green"] }'}
        - blue:
            set: {colors: '${ .colors + ["blue"] }'}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      colors: [red, blue]
      """
    And green should have run 0 times

  # dsl-reference.md: Flow Directive
  Scenario: Exit of a scope is followed by the directive of its task
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: flow, version: '1.0.0'}
      do:
        - outer:
            do:
              - red:
                  set: {colors: '${ .colors + ["red"] }'}
                  then: exit
            then: blue
        - green:
            set: {colors: '${ .colors + ["green"] }'}
        - blue:
            set: {colors: '${ .colors + ["blue"] }'}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      colors: [red, blue]
      """

  # dsl-reference.md: Flow Directive
  Scenario: A name leads to a task of the same composite task
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: flow, version: '1.0.0'}
      do:
        - outer:
            do:
              - red:
                  set: {colors: '${ .colors + ["red"] }'}
                  then: blue
              - green:
                  set: {colors: '${ .colors + ["green"] }'}
              - blue:
                  set: {colors: '${ .colors + ["blue"] }'}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      colors: [red, blue]
      """

  # dsl-reference.md: Flow Directive
  Scenario Outline: A name cannot lead <where>
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: flow, version: '1.0.0'}
      do:
        - outer:
            do:
              - inner:
                  set: {a: 1}
                  then: <inner>
            then: <outer>
        - last:
            set: {a: 2}
      """
    When the workflow is executed
    Then the definition should be refused

    Examples:
      | where             | inner    | outer    |
      | to an outer scope | last     | continue |
      | to an inner scope | continue | inner    |
      | nowhere           | continue | missing  |

  # dsl-reference.md: Flow Directive
  Scenario: Tasks of different scopes may have one name
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: flow, version: '1.0.0'}
      do:
        - step:
            do:
              - step:
                  set: {colors: '${ .colors + ["red"] }'}
                  then: other
              - other:
                  set: {colors: '${ .colors + ["green"] }'}
        - last:
            set: {colors: '${ .colors + ["blue"] }'}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      colors: [red, green, blue]
      """

  # dsl-reference.md: Task
  Scenario: A condition that holds
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: flow, version: '1.0.0'}
      do:
        - maybe:
            if: ${ .n > 1 }
            set: {ran: true}
      """
    And given the workflow input is:
      """yaml
      n: 2
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      ran: true
      """

  # dsl-reference.md: Task
  Scenario: A condition without braces
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: flow, version: '1.0.0'}
      do:
        - maybe:
            if: .n > 1
            set: {ran: true}
      """
    And given the workflow input is:
      """yaml
      n: 2
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      ran: true
      """

  # dsl-reference.md: Task
  Scenario: A skipped task passes its input on
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: flow, version: '1.0.0'}
      do:
        - maybe:
            if: .n > 2
            set: {ran: true}
      """
    And given the workflow input is:
      """yaml
      n: 2
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      n: 2
      """

  # dsl-reference.md: Task
  Scenario: A condition sees the input before its transformation
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: flow, version: '1.0.0'}
      do:
        - maybe:
            if: .a == 1
            input: {from: .b}
            set: {got: '${ . }'}
      """
    And given the workflow input is:
      """yaml
      {a: 1, b: 2}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      got: 2
      """

  # dsl-reference.md: Task
  Scenario: A skipped task passes its input on untransformed
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: flow, version: '1.0.0'}
      do:
        - maybe:
            if: .a == 2
            input: {from: .b}
            set: {got: '${ . }'}
            output: {as: '{never: true}'}
        - show:
            set: {seen: '${ . }'}
      """
    And given the workflow input is:
      """yaml
      {a: 1, b: 2}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      seen: {a: 1, b: 2}
      """

  # dsl-reference.md: Task
  Scenario: A skipped task does not validate its input
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: flow, version: '1.0.0'}
      do:
        - maybe:
            if: .a == 2
            input:
              schema: {document: {type: string}}
            set: {got: '${ . }'}
      """
    And given the workflow input is:
      """yaml
      a: 1
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      a: 1
      """

  # dsl-reference.md: Task
  Scenario: A skipped task exports nothing (ADR 0004)
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: flow, version: '1.0.0'}
      do:
        - maybe:
            if: .a == 2
            set: {a: 3}
            export: {as: '{exported: true}'}
        - show:
            set: {context: '${ $context }'}
      """
    And given the workflow input is:
      """yaml
      a: 1
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      context: {a: 1}
      """

  # dsl-reference.md: Task
  Scenario: The directive of a skipped task is not followed (ADR 0004)
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: flow, version: '1.0.0'}
      do:
        - maybe:
            if: .a == 2
            set: {a: 3}
            then: end
        - show:
            set: {shown: true}
      """
    And given the workflow input is:
      """yaml
      a: 1
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      shown: true
      """

  # dsl-reference.md: Task
  Scenario: A skipped composite task runs none of its tasks
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: flow, version: '1.0.0'}
      do:
        - outer:
            if: .a == 2
            do:
              - inner:
                  set: {b: 1}
      """
    And given the workflow input is:
      """yaml
      a: 1
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      a: 1
      """
    And inner should have run 0 times

  # dsl-reference.md: Task
  Scenario: A condition reads the context
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: flow, version: '1.0.0'}
      do:
        - first:
            set: {n: 1}
            export: {as: '{done: true}'}
        - second:
            if: $context.done | not
            set: {n: 2}
        - third:
            if: $context.done
            set: {n: '${ .n + 10 }'}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      n: 11
      """
