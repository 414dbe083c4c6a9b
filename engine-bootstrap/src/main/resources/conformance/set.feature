Feature: Set
  The task that makes data.

  # dsl-reference.md: Set
  Scenario: Set makes an object
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: set, version: '1.0.0'}
      do:
        - make:
            set: {shape: circle, size: {width: 6}, tags: [a, b], flag: true, none: null, number: 1.5}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      {shape: circle, size: {width: 6}, tags: [a, b], flag: true, none: null, number: 1.5}
      """

  # dsl-reference.md: Set
  Scenario: Set replaces the data
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: set, version: '1.0.0'}
      do:
        - make:
            set: {b: 2}
      """
    And given the workflow input is:
      """yaml
      a: 1
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      b: 2
      """

  # dsl-reference.md: Set
  Scenario: Set by one expression
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: set, version: '1.0.0'}
      do:
        - make:
            set: ${ .configuration.color }
      """
    And given the workflow input is:
      """yaml
      configuration: {color: {red: 1, green: 2}}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      {red: 1, green: 2}
      """

  # dsl-reference.md: Set
  Scenario: Set by an expression that adds to the data
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: set, version: '1.0.0'}
      do:
        - make:
            set: '${ . + {b: 2} }'
      """
    And given the workflow input is:
      """yaml
      a: 1
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      {a: 1, b: 2}
      """

  # dsl-reference.md: Set
  Scenario: Set by an expression that is no object
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: set, version: '1.0.0'}
      do:
        - make:
            set: ${ .list | length }
      """
    And given the workflow input is:
      """yaml
      list: [a, b, c]
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      3
      """

  # dsl-reference.md: Set
  Scenario: Set makes what has many characters
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: set, version: '1.0.0'}
      do:
        - make:
            set:
              text: "Zoë said: \"naïve 日本 🎉\""
              key with spaces: ${ "a\tb" }
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      {text: "Zoë said: \"naïve 日本 🎉\"", key with spaces: "a\tb"}
      """

  # dsl-reference.md: Set
  Scenario: Set makes large numbers
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: set, version: '1.0.0'}
      do:
        - make:
            set: {whole: 9007199254740991, fraction: 0.1, negative: -12}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      {whole: 9007199254740991, fraction: 0.1, negative: -12}
      """

  # dsl-reference.md: Set
  Scenario: A set of nothing
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: set, version: '1.0.0'}
      do:
        - make:
            set: {}
      """
    When the workflow is executed
    Then the definition should be refused

  # dsl-reference.md: Set
  Scenario: A set of a number
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: set, version: '1.0.0'}
      do:
        - make:
            set: 5
      """
    When the workflow is executed
    Then the definition should be refused
