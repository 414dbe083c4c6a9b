Feature: Evaluation of expressions
  The settings of evaluation.

  # dsl-reference.md: Evaluate
  Scenario: Strict evaluation of jq, as stated
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: evaluation, version: '1.0.0'}
      evaluate: {language: jq, mode: strict}
      do:
        - show:
            set: {value: '${ .a }', text: .a}
      """
    And given the workflow input is:
      """yaml
      a: 1
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      {value: 1, text: .a}
      """

  # dsl-reference.md: Evaluate
  Scenario: Strict evaluation is the default
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: evaluation, version: '1.0.0'}
      do:
        - show:
            set: {value: '${ .a }', text: .a}
      """
    And given the workflow input is:
      """yaml
      a: 1
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      {value: 1, text: .a}
      """

  # dsl-reference.md: Evaluate
  Scenario: Loose evaluation needs no braces
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: evaluation, version: '1.0.0'}
      evaluate: {language: jq, mode: loose}
      do:
        - show:
            set: {value: .a, braces: '${ .a + 1 }'}
      """
    And given the workflow input is:
      """yaml
      a: 1
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      {value: 1, braces: 2}
      """

  # dsl-reference.md: Evaluate
  Scenario: Loose evaluation that fails gives the text
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: evaluation, version: '1.0.0'}
      evaluate: {language: jq, mode: loose}
      do:
        - show:
            set: {greeting: Hello there, sum: .a + 1}
      """
    And given the workflow input is:
      """yaml
      a: 1
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      {greeting: Hello there, sum: 2}
      """

  # dsl-reference.md: Evaluate
  Scenario: A mode that does not exist
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: evaluation, version: '1.0.0'}
      evaluate: {language: jq, mode: sloppy}
      do:
        - show:
            set: {a: 1}
      """
    When the workflow is executed
    Then the definition should be refused
