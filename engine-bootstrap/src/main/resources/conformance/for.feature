Feature: For
  Loops over the items of a collection.

  # dsl-reference.md: For
  Scenario: Item and index have names of their own
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: for, version: '1.0.0'}
      do:
        - loop:
            for: {each: pet, in: .pets, at: place}
            do:
              - add:
                  set: '${ . + {seen: (.seen + [{name: $pet.name, place: $place}])} }'
      output: {as: .seen}
      """
    And given the workflow input is:
      """yaml
      pets: [{name: Rex}, {name: Tom}]
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      [{name: Rex, place: 0}, {name: Tom, place: 1}]
      """

  # dsl-reference.md: For
  Scenario: Item and index have default names
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: for, version: '1.0.0'}
      do:
        - loop:
            for: {in: .numbers}
            do:
              - add:
                  set: '${ . + {sum: ((.sum // 0) + $item * ($index + 1))} }'
      output: {as: .sum}
      """
    And given the workflow input is:
      """yaml
      numbers: [10, 20, 30]
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      140
      """

  # dsl-reference.md: For
  Scenario: The output of an iteration is the input of the next
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: for, version: '1.0.0'}
      do:
        - loop:
            for: {in: '[1, 2, 3, 4]'}
            do:
              - add:
                  set: {sum: '${ .sum + $item }'}
      """
    And given the workflow input is:
      """yaml
      sum: 0
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      sum: 10
      """

  # dsl-reference.md: For
  Scenario: The collection is evaluated on the transformed input
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: for, version: '1.0.0'}
      do:
        - loop:
            input: {from: .deep}
            for: {in: .list}
            do:
              - add:
                  set: {list: '${ .list }', last: '${ $item }'}
      """
    And given the workflow input is:
      """yaml
      deep: {list: [5, 6]}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      {list: [5, 6], last: 6}
      """

  # dsl-reference.md: For
  Scenario: The condition ends the loop
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: for, version: '1.0.0'}
      do:
        - loop:
            for: {in: '[1, 2, 3, 4]'}
            while: .sum < 3
            do:
              - add:
                  set: {sum: '${ .sum + $item }'}
      """
    And given the workflow input is:
      """yaml
      sum: 0
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      sum: 3
      """
    And add should have run 2 times

  # dsl-reference.md: For
  Scenario: A condition that does not hold at first
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: for, version: '1.0.0'}
      do:
        - loop:
            for: {in: '[1, 2]'}
            while: .go
            do:
              - add:
                  set: {go: true}
        - show:
            set: {after: true}
      """
    And given the workflow input is:
      """yaml
      go: false
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      after: true
      """
    And add should have run 0 times

  # dsl-reference.md: For
  Scenario: The condition sees item and index
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: for, version: '1.0.0'}
      do:
        - loop:
            for: {each: word, in: .words, at: i}
            while: $word != "stop" and $i < 10
            do:
              - add:
                  set: {words: '${ .words }', said: '${ (.said // "") + $word }'}
      output: {as: .said}
      """
    And given the workflow input is:
      """yaml
      words: [a, b, stop, c]
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      ab
      """

  # dsl-reference.md: For
  Scenario: Several tasks in an iteration
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: for, version: '1.0.0'}
      do:
        - loop:
            for: {in: '[1, 2]'}
            do:
              - add:
                  set: {n: '${ .n + $item }'}
              - double:
                  set: {n: '${ .n * 2 }'}
      """
    And given the workflow input is:
      """yaml
      n: 0
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      n: 8
      """
    And double should run after add
    And double should have run 2 times

  # dsl-reference.md: For
  Scenario: A loop within a loop
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: for, version: '1.0.0'}
      do:
        - rows:
            for: {each: row, in: .rows}
            do:
              - cells:
                  for: {each: cell, in: $row, at: column}
                  do:
                    - add:
                        set: '${ . + {seen: ((.seen // []) + [$cell * 10 + $column])} }'
      output: {as: .seen}
      """
    And given the workflow input is:
      """yaml
      rows: [[1, 2], [3]]
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      [10, 21, 30]
      """

  # dsl-reference.md: For
  Scenario: An empty collection runs nothing
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: for, version: '1.0.0'}
      do:
        - loop:
            for: {in: .none}
            do:
              - never:
                  set: {a: 1}
        - show:
            set: {after: true}
      """
    And given the workflow input is:
      """yaml
      none: []
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      after: true
      """
    And never should have run 0 times

  # dsl-reference.md: For
  Scenario: Many items
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: for, version: '1.0.0'}
      do:
        - loop:
            for: {in: '[range(200)]'}
            do:
              - add:
                  set: {sum: '${ .sum + $item }'}
      """
    And given the workflow input is:
      """yaml
      sum: 0
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      sum: 19900
      """

  # dsl-reference.md: For
  Scenario: The context passes from iteration to iteration
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: for, version: '1.0.0'}
      do:
        - loop:
            for: {in: '[1, 2, 3]'}
            do:
              - add:
                  set: {a: 1}
                  export: {as: '{list: ($context.list + [$item])}'}
        - show:
            set: {list: '${ $context.list }'}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      list: [1, 2, 3]
      """

  # dsl-reference.md: For
  Scenario: The input of a loop may be used by its output
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: for, version: '1.0.0'}
      do:
        - loop:
            input: {from: '{n: .n}'}
            for: {in: '[1, 2]'}
            do:
              - add:
                  set: {n: '${ .n + $item }'}
            output: {as: '{before: $input.n, after: .n}'}
      """
    And given the workflow input is:
      """yaml
      n: 10
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      {before: 10, after: 13}
      """

  # dsl-reference.md: For
  Scenario: An error in an iteration names its task
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: for, version: '1.0.0'}
      do:
        - loop:
            for: {in: '[1, 2, 3]'}
            do:
              - check:
                  if: $item == 2
                  raise: {error: {type: 'https://errors.example/two', status: 500}}
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      type: https://errors.example/two
      status: 500
      instance: /do/0/loop/do/0/check
      """

  # dsl-reference.md: Flow Directive
  Scenario: End in an iteration ends the workflow
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: for, version: '1.0.0'}
      do:
        - loop:
            for: {in: '[1, 2, 3]'}
            do:
              - add:
                  set: {last: '${ $item }'}
                  then: end
        - never:
            set: {a: 1}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      last: 1
      """
    And never should have run 0 times

  # dsl-reference.md: Flow Directive
  Scenario: Exit in an iteration ends the iteration (ADR 0004)
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: for, version: '1.0.0'}
      do:
        - loop:
            for: {in: '[1, 2, 3]'}
            do:
              - add:
                  set: {sum: '${ .sum + $item }'}
                  then: exit
              - never:
                  set: {sum: 100}
      """
    And given the workflow input is:
      """yaml
      sum: 0
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      sum: 6
      """
    And never should have run 0 times

  # dsl-reference.md: For
  Scenario: A loop without a collection
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: for, version: '1.0.0'}
      do:
        - loop:
            for: {each: x}
            do:
              - add:
                  set: {a: 1}
      """
    When the workflow is executed
    Then the definition should be refused

  # dsl-reference.md: For
  Scenario: A loop without tasks
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: for, version: '1.0.0'}
      do:
        - loop:
            for: {in: '[1]'}
      """
    When the workflow is executed
    Then the definition should be refused
