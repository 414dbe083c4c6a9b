Feature: Reusable components
  What a workflow defines once and uses by name.

  # dsl-reference.md: Use
  Scenario: Errors, retries and timeouts together
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: components, version: '1.0.0'}
      use:
        errors:
          down: {type: 'https://errors.example/down', status: 503}
        retries:
          twice: {delay: {milliseconds: 5}, limit: {attempt: {count: 2}}}
        timeouts:
          minute: {after: {minutes: 1}}
      timeout: minute
      do:
        - guarded:
            timeout: minute
            try:
              - fail:
                  raise: {error: down}
            catch:
              retry: twice
              do:
                - handled:
                    set: {status: '${ $error.status }'}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      status: 503
      """
    And fail should have run 3 times

  # dsl-reference.md: Use
  Scenario: A component is used twice
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: components, version: '1.0.0'}
      use:
        errors:
          down: {type: 'https://errors.example/down', status: 503, detail: '${ "at \(.n)" }'}
      do:
        - first:
            try:
              - fail:
                  raise: {error: down}
            catch:
              do:
                - keep:
                    set: {n: 2, first: '${ $error.detail }'}
        - second:
            try:
              - fail:
                  raise: {error: down}
            catch:
              do:
                - keep:
                    set: {first: '${ .first }', second: '${ $error.detail }'}
      """
    And given the workflow input is:
      """yaml
      n: 1
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      {first: at 1, second: at 2}
      """

  # dsl-reference.md: Use
  Scenario: Components that nobody uses
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: components, version: '1.0.0'}
      use:
        errors:
          down: {type: 'https://errors.example/down', status: 503}
        timeouts:
          minute: {after: {minutes: 1}}
      do:
        - show:
            set: {a: 1}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      a: 1
      """

  # dsl-reference.md: Use
  Scenario Outline: A reusable <kind> that is wrong
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: components, version: '1.0.0'}
      use:
        <kind>:
          wrong: <value>
      do:
        - show:
            set: {a: 1}
      """
    When the workflow is executed
    Then the definition should be refused

    Examples:
      | kind     | value                              |
      | errors   | {type: 'https://errors.example/x'} |
      | timeouts | {before: PT1S}                     |
      | retries  | {delay: soon}                      |

  # dsl-reference.md: Use
  Scenario: A kind of components that does not exist
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: components, version: '1.0.0'}
      use:
        variables: {a: 1}
      do:
        - show:
            set: {a: 1}
      """
    When the workflow is executed
    Then the definition should be refused
