Feature: Raise
  Errors that a workflow raises.

  # dsl-reference.md: Raise
  Scenario: An inline error with all members
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: raise, version: '1.0.0'}
      do:
        - check:
            raise:
              error:
                type: https://errors.example/out-of-stock
                status: 409
                title: Out of stock
                detail: No tea is left
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      type: https://errors.example/out-of-stock
      status: 409
      title: Out of stock
      detail: No tea is left
      instance: /do/0/check
      """

  # dsl-reference.md: Raise
  Scenario: A reusable error
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: raise, version: '1.0.0'}
      use:
        errors:
          outOfStock: {type: 'https://errors.example/out-of-stock', status: 409, title: Out of stock}
          other: {type: 'https://errors.example/other', status: 500}
      do:
        - check:
            raise: {error: outOfStock}
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      {type: https://errors.example/out-of-stock, status: 409, title: Out of stock}
      """

  # dsl-reference.md: Error
  Scenario: Members made by expressions
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: raise, version: '1.0.0'}
      do:
        - check:
            raise:
              error:
                type: ${ "https://errors.example/" + .kind }
                status: 409
                title: ${ "No \(.item)" }
                detail: ${ .items | join(", ") }
      """
    And given the workflow input is:
      """yaml
      {kind: stock, item: tea, items: [tea, coffee]}
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      {type: https://errors.example/stock, status: 409, title: No tea, detail: "tea, coffee"}
      """

  # dsl-reference.md: Raise
  Scenario: A reusable error with expressions
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: raise, version: '1.0.0'}
      use:
        errors:
          missing: {type: 'https://errors.example/missing', status: 404, detail: '${ "No \(.item)" }'}
      do:
        - check:
            input: {from: '{item: .what}'}
            raise: {error: missing}
      """
    And given the workflow input is:
      """yaml
      what: tea
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      {status: 404, detail: No tea}
      """

  # dsl-reference.md: Error
  Scenario: The instance of an error is the task
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: raise, version: '1.0.0'}
      do:
        - outer:
            do:
              - first:
                  set: {a: 1}
              - check:
                  raise: {error: {type: 'https://errors.example/x', status: 500}}
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      instance: /do/0/outer/do/1/check
      """

  # dsl.md: Task Flow
  Scenario: No task runs after an error
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: raise, version: '1.0.0'}
      do:
        - check:
            raise: {error: {type: 'https://errors.example/x', status: 500}}
        - never:
            set: {a: 1}
      """
    When the workflow is executed
    Then the workflow should fault
    And never should have run 0 times

  # dsl-reference.md: Task
  Scenario: A raise that is skipped
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: raise, version: '1.0.0'}
      do:
        - check:
            if: .bad
            raise: {error: {type: 'https://errors.example/x', status: 500}}
      """
    And given the workflow input is:
      """yaml
      bad: false
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      bad: false
      """

  # dsl-reference.md: Raise
  Scenario: A switch leads to a raise
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: raise, version: '1.0.0'}
      do:
        - choose:
            switch:
              - high: {when: .priority == "high", then: escalate}
              - other: {then: refuse}
        - escalate:
            set: {escalated: true}
            then: end
        - refuse:
            raise:
              error: {type: 'https://errors.example/priority', status: 400, title: Undefined priority}
      """
    And given the workflow input is:
      """yaml
      priority: none
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      {type: https://errors.example/priority, status: 400, title: Undefined priority}
      """

  # dsl-reference.md: Error
  Scenario Outline: An error without <member>
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: raise, version: '1.0.0'}
      do:
        - check:
            raise:
              error: {<members>}
      """
    When the workflow is executed
    Then the definition should be refused

    Examples:
      | member                 | members                                        |
      | type                   | status: 500                                    |
      | status                 | type: 'https://errors.example/x'               |
      | whole number as status | type: 'https://errors.example/x', status: high |

  # dsl-reference.md: Error
  Scenario: An error with an unknown member
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: raise, version: '1.0.0'}
      do:
        - check:
            raise:
              error: {type: 'https://errors.example/x', status: 500, code: 7}
      """
    When the workflow is executed
    Then the definition should be refused

  # dsl-reference.md: Error
  @deviation
  Scenario: A status beyond those of HTTP
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: raise, version: '1.0.0'}
      do:
        - check:
            raise:
              error: {type: 'https://errors.example/x', status: 1001}
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      status: 1001
      """

  # dsl-reference.md: Use
  Scenario: A reusable error that does not exist
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: raise, version: '1.0.0'}
      do:
        - check:
            raise: {error: outOfStock}
      """
    When the workflow is executed
    Then the definition should be refused
