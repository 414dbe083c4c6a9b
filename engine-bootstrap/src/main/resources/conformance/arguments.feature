Feature: Arguments of expressions
  What expressions can read besides the value they are evaluated on.

  # dsl.md: Workflow Descriptor
  Scenario: The id of an execution is a text, and one
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: arguments, version: '1.0.0'}
      do:
        - first:
            set: {id: '${ $workflow.id }'}
        - second:
            set: {text: '${ $workflow.id | type }', filled: '${ $workflow.id | length > 0 }', same: '${ .id == $workflow.id }'}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      {text: string, filled: true, same: true}
      """

  # dsl.md: Workflow Descriptor
  Scenario: The definition of the workflow
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: arguments, version: '1.0.0'}
      do:
        - show:
            set:
              name: ${ $workflow.definition.document.name }
              tasks: '${ [$workflow.definition.do[] | keys[]] }'
        - other:
            set: {name: '${ .name }', tasks: '${ .tasks }'}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      {name: arguments, tasks: [show, other]}
      """

  # dsl.md: Workflow Descriptor
  Scenario: The input of the workflow before its transformation
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: arguments, version: '1.0.0'}
      input: {from: .a}
      do:
        - show:
            set: {raw: '${ $workflow.input }', transformed: '${ . }'}
      """
    And given the workflow input is:
      """yaml
      {a: 1, b: 2}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      {raw: {a: 1, b: 2}, transformed: 1}
      """

  # dsl.md: DateTime Descriptor
  Scenario: The start of the workflow
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: arguments, version: '1.0.0'}
      do:
        - show:
            set:
              date: '${ $workflow.startedAt.iso8601 | test("^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}") }'
              seconds: '${ $workflow.startedAt.epoch | (.milliseconds / 1000 | floor) == .seconds }'
              recent: '${ $workflow.startedAt.epoch.seconds > 1700000000 }'
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      {date: true, seconds: true, recent: true}
      """

  # dsl.md: Task Descriptor
  Scenario: The name of a task
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: arguments, version: '1.0.0'}
      do:
        - myTask:
            set: {name: '${ $task.name }'}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      name: myTask
      """

  # dsl.md: Task Descriptor
  Scenario: The reference of a task in a do
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: arguments, version: '1.0.0'}
      do:
        - outer:
            do:
              - first:
                  set: {a: 1}
              - second:
                  set: {ref: '${ $task.reference }'}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      ref: /do/0/outer/do/1/second
      """

  # dsl.md: Task Descriptor
  Scenario: The reference of a task in a try
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: arguments, version: '1.0.0'}
      do:
        - outer:
            try:
              - inner:
                  set: {ref: '${ $task.reference }'}
            catch: {}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      ref: /do/0/outer/try/0/inner
      """

  # dsl.md: Task Descriptor
  Scenario: The reference of a task in a catch
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: arguments, version: '1.0.0'}
      do:
        - outer:
            try:
              - fail:
                  raise: {error: {type: 'https://errors.example/x', status: 500}}
            catch:
              do:
                - inner:
                    set: {ref: '${ $task.reference }'}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      ref: /do/0/outer/catch/do/0/inner
      """

  # dsl.md: Task Descriptor
  Scenario: The reference of a task in a loop
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: arguments, version: '1.0.0'}
      do:
        - outer:
            for: {in: '[1]'}
            do:
              - inner:
                  set: {ref: '${ $task.reference }'}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      ref: /do/0/outer/do/0/inner
      """

  # dsl.md: Task Descriptor
  Scenario: The reference of a branch
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: arguments, version: '1.0.0'}
      do:
        - outer:
            fork:
              branches:
                - left:
                    set: {ref: '${ $task.reference }'}
                - right:
                    do:
                      - inner:
                          set: {ref: '${ $task.reference }'}
            output: {as: '[.[].ref]'}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      [/do/0/outer/fork/branches/0/left, /do/0/outer/fork/branches/1/right/do/0/inner]
      """

  # dsl.md: Task Descriptor
  Scenario: The definition of a task
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: arguments, version: '1.0.0'}
      do:
        - show:
            metadata: {level: 4}
            set: {level: '${ $task.definition.metadata.level }', kind: '${ $task.definition | has("set") }'}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      {level: 4, kind: true}
      """

  # dsl.md: Task Descriptor
  Scenario: The input of a task before its transformation
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: arguments, version: '1.0.0'}
      do:
        - show:
            input: {from: .a}
            set: {raw: '${ $task.input }', input: '${ $input }', dot: '${ . }'}
      """
    And given the workflow input is:
      """yaml
      {a: 1, b: 2}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      {raw: {a: 1, b: 2}, input: 1, dot: 1}
      """

  # dsl.md: Task Descriptor
  Scenario: The output of a task before its transformation
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: arguments, version: '1.0.0'}
      do:
        - make:
            set: {a: 1, b: 2}
            output: {as: '{picked: .a, raw: $task.output}'}
            export: {as: '{raw: $task.output, output: $output}'}
        - show:
            set: {context: '${ $context }'}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      context: {raw: {a: 1, b: 2}, output: {picked: 1, raw: {a: 1, b: 2}}}
      """

  # dsl.md: DateTime Descriptor
  Scenario: The start of a task
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: arguments, version: '1.0.0'}
      do:
        - show:
            set:
              after: '${ $task.startedAt.epoch.milliseconds >= $workflow.startedAt.epoch.milliseconds }'
              text: '${ $task.startedAt.iso8601 | type }'
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      {after: true, text: string}
      """

  # dsl.md: Runtime Descriptor
  Scenario: The runtime
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: arguments, version: '1.0.0'}
      do:
        - show:
            set:
              name: ${ $runtime.name | type }
              version: ${ $runtime.version | type }
              metadata: ${ $runtime.metadata | type }
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      {name: string, version: string, metadata: object}
      """

  # dsl.md: Runtime Expression Arguments
  Scenario: The transformed input in the definition of a task
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: arguments, version: '1.0.0'}
      do:
        - show:
            input: {from: .n}
            set: {same: '${ $input == . }', n: '${ $input }'}
      """
    And given the workflow input is:
      """yaml
      n: 5
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      {same: true, n: 5}
      """

  # dsl.md: Runtime Expression Arguments
  Scenario: The transformed output in an export
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: arguments, version: '1.0.0'}
      do:
        - make:
            set: {a: {b: 1}}
            output: {as: .a}
            export: {as: '{seen: $output, input: $input}'}
        - show:
            set: {context: '${ $context }'}
      """
    And given the workflow input is:
      """yaml
      x: 1
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      context: {seen: {b: 1}, input: {x: 1}}
      """

  # dsl.md: Runtime Expression Arguments
  Scenario: Arguments of the input of a workflow
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: arguments, version: '1.0.0'}
      input: {from: '{name: $workflow.definition.document.name, raw: $workflow.input, runtime: ($runtime.name | type)}'}
      do:
        - show:
            set: ${ . }
      """
    And given the workflow input is:
      """yaml
      a: 1
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      {name: arguments, raw: {a: 1}, runtime: string}
      """

  # dsl.md: Runtime Expression Arguments
  Scenario: Arguments of the condition of a task
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: arguments, version: '1.0.0'}
      do:
        - first:
            set: {a: 1}
            export: {as: '{allowed: true}'}
        - show:
            if: ${ $context.allowed and $task.name == "show" and $workflow.input.x == 1 and ($runtime | type) == "object" }
            set: {shown: true}
      """
    And given the workflow input is:
      """yaml
      x: 1
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      shown: true
      """

  # dsl.md: Runtime Expression Arguments
  Scenario: Arguments of the input of a task
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: arguments, version: '1.0.0'}
      do:
        - first:
            set: {a: 1}
            export: {as: '{kept: 2}'}
        - show:
            input: {from: '{kept: $context.kept, name: $task.name, x: $workflow.input.x}'}
            set: ${ . }
      """
    And given the workflow input is:
      """yaml
      x: 1
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      {kept: 2, name: show, x: 1}
      """

  # dsl.md: Runtime Expression Arguments
  Scenario: Arguments of the output of a task
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: arguments, version: '1.0.0'}
      do:
        - show:
            set: {a: 1}
            output: {as: '{context: $context, input: $input, name: $task.name, workflow: $workflow.input}'}
      """
    And given the workflow input is:
      """yaml
      x: 1
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      {context: {x: 1}, input: {x: 1}, name: show, workflow: {x: 1}}
      """

  # dsl.md: Runtime Expression Arguments
  Scenario: Arguments of the output of a workflow
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: arguments, version: '1.0.0'}
      do:
        - make:
            set: {a: 1}
            export: {as: '{b: 2}'}
      output: {as: '{output: ., context: $context, raw: $workflow.input, runtime: ($runtime.version | type)}'}
      """
    And given the workflow input is:
      """yaml
      x: 1
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      {output: {a: 1}, context: {b: 2}, raw: {x: 1}, runtime: string}
      """
