Feature: Do
  Tasks in sequence.

  # dsl-reference.md: Do
  Scenario: Tasks of a do run one after the other
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: do, version: '1.0.0'}
      do:
        - outer:
            do:
              - one:
                  set: {list: '${ .list + [1] }'}
              - two:
                  set: {list: '${ .list + [2] }'}
              - three:
                  set: {list: '${ .list + [3] }'}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      list: [1, 2, 3]
      """
    And two should run after one
    And three should run after two

  # dsl-reference.md: Do
  Scenario: A do within a do within a do
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: do, version: '1.0.0'}
      do:
        - a:
            do:
              - b:
                  do:
                    - c:
                        do:
                          - d:
                              set: {deep: '${ .n + 1 }'}
        - last:
            set: {seen: '${ .deep }'}
      """
    And given the workflow input is:
      """yaml
      n: 1
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      seen: 2
      """

  # dsl-reference.md: Do
  Scenario: Input and output of a do are transformed
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: do, version: '1.0.0'}
      do:
        - outer:
            input: {from: '{n: .numbers[0]}'}
            do:
              - inner:
                  set: {n: '${ .n * 2 }'}
            output: {as: '{result: .n, input: $input.n}'}
      """
    And given the workflow input is:
      """yaml
      numbers: [5, 6]
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      {result: 10, input: 5}
      """

  # dsl-reference.md: Do
  Scenario: A do may export
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: do, version: '1.0.0'}
      do:
        - outer:
            do:
              - inner:
                  set: {n: 1}
            export: {as: '{outer: .n}'}
        - show:
            set: {context: '${ $context }'}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      context: {outer: 1}
      """

  # dsl-reference.md: Do
  Scenario: An error of a task ends the tasks after it
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: do, version: '1.0.0'}
      do:
        - outer:
            do:
              - fail:
                  raise: {error: {type: 'https://errors.example/x', status: 500}}
              - never:
                  set: {a: 1}
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      type: https://errors.example/x
      status: 500
      instance: /do/0/outer/do/0/fail
      """
    And never should have run 0 times

  # dsl-reference.md: Do
  @deviation
  Scenario: A do without tasks
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: do, version: '1.0.0'}
      do:
        - nothing:
            do: []
        - show:
            set: {after: true}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      after: true
      """
