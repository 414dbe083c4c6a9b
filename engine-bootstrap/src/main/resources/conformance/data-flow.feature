Feature: Data flow
  How data pass from the input of a workflow through its tasks to its output.

  # dsl.md: Data Flow
  Scenario: Input passes to the first task unless it is transformed
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: data-flow, version: '1.0.0'}
      do:
        - show:
            set: {all: '${ . }'}
      """
    And given the workflow input is:
      """yaml
      {a: 1, b: [2]}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      all: {a: 1, b: [2]}
      """

  # dsl.md: Data Flow
  Scenario: Input of the workflow is transformed by an expression
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: data-flow, version: '1.0.0'}
      input: {from: .order}
      do:
        - show:
            set: {id: '${ .id }', keys: '${ keys }'}
      """
    And given the workflow input is:
      """yaml
      {order: {id: 7}, other: 1}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      {id: 7, keys: [id]}
      """

  # dsl-reference.md: Input
  Scenario: Input of the workflow is transformed by an object
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: data-flow, version: '1.0.0'}
      input:
        from:
          number: ${ .order.id }
          kind: fixed
      do:
        - show:
            set: ${ . }
      """
    And given the workflow input is:
      """yaml
      {order: {id: 7}}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      {number: 7, kind: fixed}
      """

  # dsl.md: Data Flow
  Scenario: Input of a task is transformed by an expression
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: data-flow, version: '1.0.0'}
      do:
        - show:
            input: {from: .user.name}
            set: {name: '${ . }'}
      """
    And given the workflow input is:
      """yaml
      {user: {name: Ada}}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      name: Ada
      """

  # dsl-reference.md: Input
  Scenario: Input of a task is transformed by an object
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: data-flow, version: '1.0.0'}
      do:
        - show:
            input:
              from: {first: '${ .names[0] }', count: '${ .names | length }'}
            set: {text: '${ "\(.first) of \(.count)" }'}
      """
    And given the workflow input is:
      """yaml
      {names: [Ada, Bob]}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      text: Ada of 2
      """

  # dsl.md: Data Flow
  Scenario: A task receives the output of the task before
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: data-flow, version: '1.0.0'}
      do:
        - one:
            set: {n: '${ .n + 1 }'}
        - two:
            set: {n: '${ .n * 10 }'}
        - three:
            set: {n: '${ .n + 3 }'}
      """
    And given the workflow input is:
      """yaml
      n: 4
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      n: 53
      """

  # dsl.md: Data Flow
  Scenario: Output of a task is transformed by an expression
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: data-flow, version: '1.0.0'}
      do:
        - make:
            set: {a: 1, b: {c: 2}}
            output: {as: .b}
        - show:
            set: {got: '${ . }'}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      got: {c: 2}
      """

  # dsl-reference.md: Output
  Scenario: Output of a task is transformed by an object
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: data-flow, version: '1.0.0'}
      do:
        - make:
            set: {a: 1, b: {c: 2}}
            output:
              as:
                inner: ${ .b.c }
                list: ['${ .a }', 5]
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      {inner: 2, list: [1, 5]}
      """

  # dsl.md: Data Flow
  Scenario: Transformation of an output sees the transformed input
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: data-flow, version: '1.0.0'}
      do:
        - make:
            input: {from: .keep}
            set: {made: true}
            output: {as: '${ . + {input: $input} }'}
      """
    And given the workflow input is:
      """yaml
      {keep: {x: 1}, drop: 2}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      {made: true, input: {x: 1}}
      """

  # dsl.md: Data Flow
  Scenario: The context begins as the transformed input of the workflow
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: data-flow, version: '1.0.0'}
      input: {from: .kept}
      do:
        - replace:
            set: {gone: true}
        - show:
            set: {context: '${ $context }'}
      """
    And given the workflow input is:
      """yaml
      {kept: {a: 1}, dropped: 2}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      context: {a: 1}
      """

  # dsl-reference.md: Export
  Scenario: Export replaces the context
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: data-flow, version: '1.0.0'}
      do:
        - login:
            set: {token: t-1}
            export: {as: .}
        - other:
            set: {x: 1}
        - show:
            set: {context: '${ $context }'}
      """
    And given the workflow input is:
      """yaml
      {a: 1}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      context: {token: t-1}
      """

  # dsl-reference.md: Export
  Scenario: Export merges into the context
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: data-flow, version: '1.0.0'}
      do:
        - login:
            set: {token: t-1}
            export: {as: '$context + .'}
        - show:
            set: {context: '${ $context }'}
      """
    And given the workflow input is:
      """yaml
      {a: 1}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      context: {a: 1, token: t-1}
      """

  # dsl-reference.md: Export
  Scenario: Export by an object
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: data-flow, version: '1.0.0'}
      do:
        - login:
            set: {token: t-1}
            export:
              as: {token: '${ .token }', former: '${ $context.a }'}
        - show:
            set: {context: '${ $context }'}
      """
    And given the workflow input is:
      """yaml
      {a: 1}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      context: {token: t-1, former: 1}
      """

  # dsl.md: Data Flow
  Scenario: Export is made from the transformed output
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: data-flow, version: '1.0.0'}
      do:
        - make:
            set: {raw: {id: 5}}
            output: {as: .raw}
            export: {as: '{exported: .}'}
        - show:
            set: {context: '${ $context }', input: '${ . }'}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      {context: {exported: {id: 5}}, input: {id: 5}}
      """

  # dsl.md: Data Flow
  Scenario: Export does not change the output
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: data-flow, version: '1.0.0'}
      do:
        - make:
            set: {a: 1}
            export: {as: '{b: 2}'}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      a: 1
      """

  # dsl.md: Data Flow
  Scenario: The context stays without an export
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: data-flow, version: '1.0.0'}
      do:
        - first:
            set: {a: 1}
            export: {as: '{kept: .a}'}
        - second:
            set: {a: 2}
        - third:
            set: {a: 3}
        - show:
            set: {kept: '${ $context.kept }'}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      kept: 1
      """

  # dsl.md: Data Flow
  Scenario: A nested task exports to the context of the workflow
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: data-flow, version: '1.0.0'}
      do:
        - outer:
            do:
              - inner:
                  set: {n: 1}
                  export: {as: '{inner: .n}'}
              - next:
                  set: {n: 2}
        - show:
            set: {inner: '${ $context.inner }', n: '${ .n }'}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      {inner: 1, n: 2}
      """

  # dsl.md: Data Flow
  Scenario: Output of the workflow is transformed by an expression
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: data-flow, version: '1.0.0'}
      do:
        - make:
            set: {a: 1, b: 2}
      output: {as: '.a + .b'}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      3
      """

  # dsl-reference.md: Output
  Scenario: Output of the workflow is transformed by an object
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: data-flow, version: '1.0.0'}
      do:
        - make:
            set: {a: 1, b: 2}
      output:
        as: {sum: '${ .a + .b }', kind: total}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      {sum: 3, kind: total}
      """

  # dsl.md: Data Flow
  Scenario: Output of the workflow sees the context
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: data-flow, version: '1.0.0'}
      do:
        - first:
            set: {id: 9}
            export: {as: .}
        - second:
            set: {done: true}
      output: {as: '. + {id: $context.id}'}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      {done: true, id: 9}
      """

  # dsl.md: Data Flow
  Scenario: The input of a composite task is the input of its first task
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: data-flow, version: '1.0.0'}
      do:
        - outer:
            input: {from: .deep}
            do:
              - inner:
                  set: {seen: '${ . }'}
      """
    And given the workflow input is:
      """yaml
      {deep: {x: 1}}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      seen: {x: 1}
      """

  # dsl.md: Data Flow
  Scenario: The output of a composite task is that of its last task
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: data-flow, version: '1.0.0'}
      do:
        - outer:
            do:
              - one:
                  set: {n: 1}
              - two:
                  set: {n: 2}
            output: {as: '{last: .n}'}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      last: 2
      """
