Feature: Run
  Sub-workflows, scripts, commands and containers.

  # dsl-reference.md: Workflow Process
  Scenario: The output of a sub-workflow
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: run, version: '1.0.0'}
      do:
        - sub:
            run:
              workflow:
                namespace: suite
                name: child
                version: '1.0.0'
                input: {a: 1, b: 2}
      """
    And given another workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: child, version: '1.0.0'}

      do:
        - work:
            set: {sum: '${ .a + .b }'}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      sum: 3
      """
    And work should run after sub

  # dsl-reference.md: Workflow Process
  Scenario: The input of a sub-workflow is made by expressions
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: run, version: '1.0.0'}
      do:
        - sub:
            run:
              workflow:
                namespace: suite
                name: child
                version: '1.0.0'
                input: {a: '${ .x }', b: '${ .y + 1 }'}
      """
    And given the workflow input is:
      """yaml
      {x: 10, y: 19}
      """
    And given another workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: child, version: '1.0.0'}

      do:
        - work:
            set: {sum: '${ .a + .b }'}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      sum: 30
      """

  # dsl-reference.md: Workflow Process
  Scenario: The latest version of a sub-workflow
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: run, version: '1.0.0'}
      do:
        - sub:
            run:
              workflow: {namespace: suite, name: child, version: latest}
      """
    And given another workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: child, version: '1.9.0'}

      do:
        - work:
            set: {version: first}
      """
    And given another workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: child, version: '1.10.0'}

      do:
        - work:
            set: {version: second}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      version: second
      """

  # dsl-reference.md: Workflow Process
  Scenario: A stated version of a sub-workflow
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: run, version: '1.0.0'}
      do:
        - sub:
            run:
              workflow: {namespace: suite, name: child, version: '1.9.0'}
      """
    And given another workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: child, version: '1.9.0'}

      do:
        - work:
            set: {version: first}
      """
    And given another workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: child, version: '1.10.0'}

      do:
        - work:
            set: {version: second}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      version: first
      """

  # dsl-reference.md: Run
  Scenario: A sub-workflow that is not awaited
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: run, version: '1.0.0'}
      do:
        - sub:
            input: {from: .keep}
            run:
              await: false
              workflow:
                namespace: suite
                name: child
                version: '1.0.0'
                input: {a: 1, b: 2}
      """
    And given the workflow input is:
      """yaml
      keep: {x: 1}
      """
    And given another workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: child, version: '1.0.0'}

      do:
        - work:
            set: {sum: '${ .a + .b }'}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      x: 1
      """
    And work should have run at least 1 times

  # dsl-reference.md: Run
  Scenario: No output of a sub-workflow
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: run, version: '1.0.0'}
      do:
        - sub:
            run:
              workflow: {namespace: suite, name: child, version: '1.0.0'}
              return: none
        - show:
            set: {got: '${ . }'}
      """
    And given another workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: child, version: '1.0.0'}

      do:
        - work:
            set: {sum: 3}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      got: null
      """
    And work should have run 1 times

  # dsl-reference.md: Workflow Process
  Scenario: The input of a sub-workflow is validated
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: run, version: '1.0.0'}
      do:
        - sub:
            run:
              workflow:
                namespace: suite
                name: child
                version: '1.0.0'
                input: {a: one, b: 2}
      """
    And given another workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: child, version: '1.0.0'}
      input: {schema: {document: {type: object, properties: {a: {type: integer}}}}}
      do:
        - work:
            set: {sum: '${ .a + .b }'}
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      type: https://serverlessworkflow.io/spec/1.0.0/errors/validation
      status: 400
      """
    And work should have run 0 times

  # dsl-reference.md: Workflow Process
  Scenario: The output of a sub-workflow is transformed
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: run, version: '1.0.0'}
      do:
        - sub:
            run:
              workflow:
                namespace: suite
                name: child
                version: '1.0.0'
                input: {a: 1, b: 2}
            output: {as: '{result: .sum}'}
      """
    And given another workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: child, version: '1.0.0'}

      do:
        - work:
            set: {sum: '${ .a + .b }'}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      result: 3
      """

  # dsl-reference.md: Workflow Process
  Scenario: The fault of a sub-workflow is caught
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: run, version: '1.0.0'}
      do:
        - guarded:
            try:
              - sub:
                  run:
                    workflow: {namespace: suite, name: child, version: '1.0.0'}
            catch:
              do:
                - handled:
                    set: {handled: true}
      """
    And given another workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: child, version: '1.0.0'}

      do:
        - work:
            set: {sum: '${ error("no") }'}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      handled: true
      """

  # dsl-reference.md: Workflow Process
  Scenario: Sub-workflows in a loop
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: run, version: '1.0.0'}
      do:
        - loop:
            for: {in: '[1, 2, 3]'}
            do:
              - sub:
                  run:
                    workflow:
                      namespace: suite
                      name: child
                      version: '1.0.0'
                      input: {a: '${ .sum }', b: '${ $item }'}
      """
    And given the workflow input is:
      """yaml
      sum: 0
      """
    And given another workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: child, version: '1.0.0'}

      do:
        - work:
            set: {sum: '${ .a + .b }'}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      sum: 6
      """
    And work should have run 3 times

  # dsl-reference.md: Shell Process
  Scenario: The output of a command
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: run, version: '1.0.0'}
      do:
        - command:
            run:
              shell:
                command: printf hello
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      hello
      """

  # dsl-reference.md: Run
  Scenario Outline: The output of a command as stated: <return>
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: run, version: '1.0.0'}
      do:
        - command:
            run:
              shell:
                command: printf out; printf err >&2; exit <code>
              return: <return>
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      <output>
      """

    Examples:
      | return | code | output                              |
      | stderr | 0    | err                                 |
      | code   | 3    | 3                                   |
      | all    | 3    | {code: 3, stdout: out, stderr: err} |

  # dsl-reference.md: Run
  Scenario: No output of a command
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: run, version: '1.0.0'}
      do:
        - command:
            run:
              shell: {command: printf hello}
              return: none
        - show:
            set: {after: true}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      after: true
      """

  # dsl-reference.md: Shell Process
  Scenario: Arguments of a command
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: run, version: '1.0.0'}
      do:
        - command:
            run:
              shell:
                command: printf '%s-%s' "$1" "$2"
                arguments: [Foo, 'two words; exit 1']
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      Foo-two words; exit 1
      """

  # dsl-reference.md: Shell Process
  Scenario: Arguments of a command made by expressions
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: run, version: '1.0.0'}
      do:
        - command:
            run:
              shell:
                command: printf '%s' "$1"
                arguments: ['${ .name }']
      """
    And given the workflow input is:
      """yaml
      name: 'Ada "quoted" $HOME'
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      Ada "quoted" $HOME
      """

  # dsl-reference.md: Shell Process
  Scenario: Environment of a command
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: run, version: '1.0.0'}
      do:
        - command:
            run:
              shell:
                command: printf '%s' "$GREETING"
                environment: {GREETING: '${ .greeting }'}
      """
    And given the workflow input is:
      """yaml
      greeting: hello
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      hello
      """

  # dsl-reference.md: Shell Process
  Scenario: Standard input of a command
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: run, version: '1.0.0'}
      do:
        - command:
            run:
              shell:
                command: cat
                stdin: ${ .text }
      """
    And given the workflow input is:
      """yaml
      text: from stdin
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      from stdin
      """

  # dsl-reference.md: Run
  Scenario: A command that is not awaited
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: run, version: '1.0.0'}
      do:
        - command:
            run:
              await: false
              shell: {command: sleep 30}
        - show:
            set: {seen: '${ .x }'}
      """
    And given the workflow input is:
      """yaml
      x: 1
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      seen: 1
      """

  # dsl-reference.md: Script Process
  @requires:python3
  Scenario: A script in Python
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: run, version: '1.0.0'}
      do:
        - script:
            run:
              script:
                language: python
                code: |
                  import sys
                  sys.stdout.write("six times seven is %d" % (6 * 7))
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      six times seven is 42
      """

  # dsl-reference.md: Script Process
  @requires:python3
  Scenario: Arguments, environment and standard input of a script
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: run, version: '1.0.0'}
      do:
        - script:
            run:
              script:
                language: python
                arguments: ['${ .name }', second]
                environment: {MODE: test}
                stdin: ${ .text }
                code: |
                  import os, sys
                  sys.stdout.write("|".join(sys.argv[1:] + [os.environ["MODE"], sys.stdin.read()]))
      """
    And given the workflow input is:
      """yaml
      {name: Ada, text: typed}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      Ada|second|test|typed
      """

  # dsl-reference.md: Script Process
  @requires:node
  Scenario Outline: A script in JavaScript, named <language>
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: run, version: '1.0.0'}
      do:
        - script:
            run:
              script:
                language: <language>
                arguments: [hello, world]
                code: |
                  const [_, __, arg0, arg1] = process.argv;
                  process.stdout.write(arg0 + " " + arg1);
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      hello world
      """

    Examples:
      | language   |
      | js         |
      | javascript |

  # dsl-reference.md: Script Process
  @requires:python3
  Scenario: A script of an external resource
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: run, version: '1.0.0'}
      do:
        - script:
            run:
              script:
                language: python
                source: {endpoint: 'http://services.example/script.py'}
      """
    And given the service 'GET /script.py' answers:
      """yaml
      body: 'import sys; sys.stdout.write("fetched")'
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      fetched
      """

  # dsl-reference.md: Run
  @requires:python3
  Scenario: The exit code of a script
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: run, version: '1.0.0'}
      do:
        - script:
            run:
              script: {language: python, code: 'raise SystemExit(4)'}
              return: code
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      4
      """

  # dsl-reference.md: Container Process
  @requires:docker|podman
  Scenario: A container
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: run, version: '1.0.0'}
      do:
        - container:
            run:
              container:
                image: alpine
                stdin: ${ .text }
                command: cat
      """
    And given the workflow input is:
      """yaml
      text: from stdin
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      from stdin
      """

  # dsl-reference.md: Run
  Scenario Outline: A run that is wrong: <what>
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: run, version: '1.0.0'}
      do:
        - wrong:
            run: <run>
      """
    When the workflow is executed
    Then the definition should be refused

    Examples:
      | what                    | run                                                           |
      | nothing to run          | {}                                                            |
      | two things to run       | {shell: {command: ls}, script: {language: python, code: '1'}} |
      | shell without command   | {shell: {arguments: [a]}}                                     |
      | script without language | {script: {code: '1'}}                                         |
      | script without code     | {script: {language: python}}                                  |
      | workflow without name   | {workflow: {namespace: suite, version: '1.0.0'}}              |
      | container without image | {container: {command: ls}}                                    |
      | return                  | {shell: {command: ls}, return: everything}                    |
      | pull policy             | {container: {image: alpine, pullPolicy: sometimes}}           |
