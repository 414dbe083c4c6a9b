Feature: Runtime expressions
  The language of expressions, where they stand, and what happens when they fail.

  # dsl.md: Runtime Expressions
  Scenario Outline: An expression in jq: <subject>
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: expressions, version: '1.0.0'}
      do:
        - show:
            set:
              value: '${ <expression> }'
      """
    And given the workflow input is:
      """yaml
      {list: [3, 1, 2], text: "a,b", pets: [{name: Rex, kind: dog}, {name: Tom, kind: cat}], none: null, n: 7}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      value: <value>
      """

    Examples:
      | subject         | expression                                      | value                |
      | path            | .pets[1].name                                   | Tom                  |
      | arithmetic      | (.n + 3) * 2 - 1                                | 19                   |
      | remainder       | .n % 4                                          | 3                    |
      | comparison      | .n >= 7 and (.n < 7 \| not)                     | true                 |
      | alternative     | .none // "default"                              | default              |
      | condition       | if .n > 5 then "big" else "small" end           | big                  |
      | interpolation   | "n is \\(.n)"                                   | n is 7               |
      | split and join  | .text / "," \| join("-")                        | a-b                  |
      | select          | [.pets[] \| select(.kind == "dog") \| .name]    | [Rex]                |
      | map and add     | .list \| map(. * 2) \| add                      | 12                   |
      | sort            | .list \| sort                                   | [1, 2, 3]            |
      | group           | .pets \| group_by(.kind) \| map(.[0].kind)      | [cat, dog]           |
      | reduce          | reduce .list[] as $x (0; . + $x)                | 6                    |
      | object          | .pets[0] \| {name, n: 1}                        | {name: Rex, n: 1}    |
      | merge           | {a: {b: 1}} * {a: {c: 2}}                       | {a: {b: 1, c: 2}}    |
      | entries         | .pets[0] \| to_entries \| map(.key) \| sort     | [kind, name]         |
      | test            | .text \| test("^a")                             | true                 |
      | slice           | .list[1:]                                       | [1, 2]               |
      | error is caught | try error("x") catch ("caught: " + .)           | "caught: x"          |
      | recursion       | [.. \| numbers] \| length                       | 4                    |
      | length          | .text \| length                                 | 3                    |
      | unique          | [1, 2, 1] \| unique                             | [1, 2]               |
      | any and all     | [(.list \| any(. == 3)), (.list \| all(. > 1))] | [true, false]        |
      | function        | def twice(f): f \| f; .n \| twice(. * 2)        | 28                   |
      | dates           | 0 \| todate                                     | 1970-01-01T00:00:00Z |

  # dsl.md: Runtime Expressions
  Scenario: Expressions in nested values
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: expressions, version: '1.0.0'}
      do:
        - show:
            set:
              outer:
                inner: ${ .n }
                list: ['${ .n + 1 }', plain, {deep: '${ .n + 2 }'}]
              text: .n
      """
    And given the workflow input is:
      """yaml
      n: 1
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      {outer: {inner: 1, list: [2, plain, {deep: 3}]}, text: .n}
      """

  # dsl.md: Runtime Expressions
  Scenario: Expressions keep the type of their value
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: expressions, version: '1.0.0'}
      do:
        - show:
            set:
              number: ${ 1.5 }
              boolean: ${ false }
              none: ${ null }
              list: ${ [1] }
              object: '${ {a: 1} }'
              text: ${ "1" }
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      {number: 1.5, boolean: false, none: null, list: [1], object: {a: 1}, text: "1"}
      """

  # dsl.md: Runtime Expressions
  Scenario: An expression over several lines
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: expressions, version: '1.0.0'}
      do:
        - show:
            set: |
              ${
                {
                  sum: (.list | add)
                }
              }
      """
    And given the workflow input is:
      """yaml
      list: [1, 2, 3]
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      sum: 6
      """

  # dsl.md: Runtime Expressions
  Scenario Outline: An expression that fails in <place>
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: expressions, version: '1.0.0'}
      do:
        - broken:
            <task>
      """
    And given the workflow input is:
      """yaml
      text: abc
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      type: https://serverlessworkflow.io/spec/1.0.0/errors/expression
      status: 400
      instance: /do/0/broken
      """

    Examples:
      | place          | task                                                                                      |
      | set            | set: {a: '${ .text + 1 }'}                                                                |
      | a nested value | set: {a: [{b: '${ .text * {} }'}]}                                                        |
      | a condition    | {if: '${ .text.member }', set: {a: 1}}                                                    |
      | an input       | {input: {from: '${ error("no") }'}, set: {a: 1}}                                          |
      | an output      | {set: {a: 1}, output: {as: '.a.b'}}                                                       |
      | an export      | {set: {a: 1}, export: {as: '.a \| keys'}}                                                 |
      | a switch       | switch: [{one: {when: '.text \| tonumber', then: end}}]                                   |
      | a loop         | {for: {in: '.text \| .[]'}, do: [{a: {set: {b: 1}}}]}                                     |
      | a wait         | wait: '${ .text / 2 }'                                                                    |
      | a raise        | raise: {error: {type: 'https://errors.example/x', status: 400, detail: '${ .text - 1 }'}} |

  # dsl.md: Runtime Expressions
  Scenario: An expression that fails in the input of the workflow
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: expressions, version: '1.0.0'}
      input: {from: .text.member}
      do:
        - show:
            set: {a: 1}
      """
    And given the workflow input is:
      """yaml
      text: abc
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      type: https://serverlessworkflow.io/spec/1.0.0/errors/expression
      status: 400
      """

  # dsl.md: Runtime Expressions
  Scenario: An expression that fails in the output of the workflow
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: expressions, version: '1.0.0'}
      do:
        - show:
            set: {a: 1}
      output: {as: .a.b}
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      type: https://serverlessworkflow.io/spec/1.0.0/errors/expression
      status: 400
      """

  # dsl.md: Runtime Expressions
  Scenario: The failure of an expression can be caught
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: expressions, version: '1.0.0'}
      do:
        - guarded:
            try:
              - broken:
                  set: {a: '${ .text + 1 }'}
            catch:
              errors:
                with: {type: 'https://serverlessworkflow.io/spec/1.0.0/errors/expression', status: 400}
              do:
                - handled:
                    set: {handled: true}
      """
    And given the workflow input is:
      """yaml
      text: abc
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      handled: true
      """

  # dsl.md: Runtime Expressions
  Scenario: The first of several values counts (ADR 0004)
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: expressions, version: '1.0.0'}
      do:
        - show:
            set: {first: '${ .list[] }'}
      """
    And given the workflow input is:
      """yaml
      list: [3, 4]
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      first: 3
      """

  # dsl.md: Runtime Expressions
  Scenario: No value is null (ADR 0004)
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: expressions, version: '1.0.0'}
      do:
        - show:
            set: {none: '${ .list[] }'}
      """
    And given the workflow input is:
      """yaml
      list: []
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      none: null
      """
