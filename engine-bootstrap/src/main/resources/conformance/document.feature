Feature: Document
  What identifies and describes a workflow, and which documents are no workflow.

  # dsl-reference.md: Document
  Scenario: All properties of a document
    Given a workflow with definition:
      """yaml
      document:
        dsl: '1.0.3'
        namespace: suite
        name: documented
        version: '1.0.0'
        title: A documented workflow
        summary: |
          # Documented
          Does little.
        tags:
          team: conformance
        metadata:
          owner: {mail: owner@example.com}
      do:
        - done:
            set: {done: true}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      done: true
      """

  # dsl-reference.md: Document
  Scenario: Version with pre-release and build
    Given a workflow with definition:
      """yaml
      document:
        dsl: '1.0.3'
        namespace: suite
        name: prerelease
        version: 1.2.3-rc.1+build.5
      do:
        - show:
            set: {version: '${ $workflow.definition.document.version }'}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      version: 1.2.3-rc.1+build.5
      """

  # dsl-reference.md: Document
  Scenario: Document written as JSON
    Given a workflow with definition:
      """yaml
      {
        "document": {"dsl": "1.0.3", "namespace": "suite", "name": "json", "version": "1.0.0"},
        "do": [{"sum": {"set": {"sum": "${ .a + .b }"}}}]
      }
      """
    And given the workflow input is:
      """yaml
      {a: 2, b: 3}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      sum: 5
      """

  # dsl-reference.md: Document
  Scenario: Names may have inner hyphens and digits
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: name-space-1, name: 2nd-workflow, version: '1.0.0'}
      do:
        - show:
            set: '${ $workflow.definition.document | {namespace, name} }'
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      {namespace: name-space-1, name: 2nd-workflow}
      """

  # dsl-reference.md: Document
  Scenario: Tags and metadata are readable
    Given a workflow with definition:
      """yaml
      document:
        dsl: '1.0.3'
        namespace: suite
        name: tagged
        version: '1.0.0'
        tags: {team: red}
        metadata: {level: 3}
      do:
        - show:
            set:
              team: ${ $workflow.definition.document.tags.team }
              level: ${ $workflow.definition.document.metadata.level }
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      {team: red, level: 3}
      """

  # dsl-reference.md: Document
  Scenario Outline: A document lacks <member>
    Given a workflow with definition:
      """yaml
      document: {<rest>}
      do:
        - done:
            set: {done: true}
      """
    When the workflow is executed
    Then the definition should be refused

    Examples:
      | member    | rest                                                 |
      | dsl       | namespace: suite, name: incomplete, version: '1.0.0' |
      | namespace | dsl: '1.0.3', name: incomplete, version: '1.0.0'     |
      | name      | dsl: '1.0.3', namespace: suite, version: '1.0.0'     |
      | version   | dsl: '1.0.3', namespace: suite, name: incomplete     |

  # dsl-reference.md: Document
  Scenario Outline: A document has a wrong <member>
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', <rest>}
      do:
        - done:
            set: {done: true}
      """
    When the workflow is executed
    Then the definition should be refused

    Examples:
      | member            | rest                                                           |
      | namespace         | namespace: 'my space', name: wrong, version: '1.0.0'           |
      | name              | namespace: suite, name: -wrong, version: '1.0.0'               |
      | short version     | namespace: suite, name: wrong, version: '1.0'                  |
      | number as version | namespace: suite, name: wrong, version: 1                      |
      | padded version    | namespace: suite, name: wrong, version: '01.0.0'               |
      | title             | namespace: suite, name: wrong, version: '1.0.0', title: [a, b] |
      | property          | namespace: suite, name: wrong, version: '1.0.0', author: me    |

  # dsl-reference.md: Workflow
  Scenario: A workflow lacks its tasks
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: document, version: '1.0.0'}
      input: {from: .a}
      """
    When the workflow is executed
    Then the definition should be refused

  # dsl-reference.md: Workflow
  Scenario: A workflow has tasks that are no list
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: document, version: '1.0.0'}
      do:
        done:
          set: {done: true}
      """
    When the workflow is executed
    Then the definition should be refused

  # dsl-reference.md: Task
  Scenario: A task of two kinds
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: document, version: '1.0.0'}
      do:
        - both:
            set: {a: 1}
            wait: PT0S
      """
    When the workflow is executed
    Then the definition should be refused

  # dsl-reference.md: Task
  Scenario: A task of no kind
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: document, version: '1.0.0'}
      do:
        - none:
            metadata: {a: 1}
      """
    When the workflow is executed
    Then the definition should be refused

  # dsl-reference.md: Task
  Scenario: Two tasks in one item of a list
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: document, version: '1.0.0'}
      do:
        - first:
            set: {a: 1}
          second:
            set: {a: 2}
      """
    When the workflow is executed
    Then the definition should be refused

  # dsl-reference.md: Task
  Scenario: A task with an unknown property
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: document, version: '1.0.0'}
      do:
        - wrong:
            set: {a: 1}
            retries: 3
      """
    When the workflow is executed
    Then the definition should be refused

  # dsl-reference.md: Task
  Scenario: Metadata of a task changes nothing
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: document, version: '1.0.0'}
      do:
        - noted:
            metadata: {owner: me, level: [1, 2]}
            set: {a: 1}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      a: 1
      """
