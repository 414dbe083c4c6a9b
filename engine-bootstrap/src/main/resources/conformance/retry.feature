Feature: Retry
  Attempts after an error.

  # dsl-reference.md: Retry
  Scenario: Attempts go on until one succeeds
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: retry, version: '1.0.0'}
      do:
        - guarded:
            try:
              - ask:
                  call: http
                  with: {method: get, endpoint: 'http://services.example/flaky'}
            catch:
              errors:
                with: {status: 503}
              retry:
                delay: {milliseconds: 5}
                limit:
                  attempt: {count: 5}
      """
    And given the service 'GET /flaky' answers:
      """yaml
      - status: 503
      - status: 503
      - {status: 200, body: {done: true}}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      done: true
      """
    And the service 'GET /flaky' should have received 3 requests
    And ask should have run 3 times

  # dsl-reference.md: Backoff
  Scenario Outline: Attempts have the <backoff> backoff
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: retry, version: '1.0.0'}
      do:
        - guarded:
            try:
              - ask:
                  call: http
                  with: {method: get, endpoint: 'http://services.example/flaky'}
            catch:
              errors:
                with: {status: 503}
              retry: {delay: PT0.03S, backoff: {<backoff>: {}}, limit: {attempt: {count: 5}}}
      """
    And given the service 'GET /flaky' answers:
      """yaml
      - status: 503
      - status: 503
      - {status: 200, body: {done: true}}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      done: true
      """
    And the service 'GET /flaky' should have received 3 requests
    And the workflow should have taken at least PT0.06S

    Examples:
      | backoff     |
      | constant    |
      | linear      |
      | exponential |

  # dsl-reference.md: Backoff
  Scenario: A linear backoff waits longer each time
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: retry, version: '1.0.0'}
      do:
        - guarded:
            try:
              - ask:
                  call: http
                  with: {method: get, endpoint: 'http://services.example/flaky'}
            catch:
              errors:
                with: {status: 503}
              retry: {delay: PT0.04S, backoff: {linear: {}}, limit: {attempt: {count: 5}}}
      """
    And given the service 'GET /flaky' answers:
      """yaml
      - status: 503
      - status: 503
      - {status: 200, body: {done: true}}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      done: true
      """
    And the workflow should have taken at least PT0.12S

  # dsl-reference.md: Backoff
  Scenario: An exponential backoff waits longer each time
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: retry, version: '1.0.0'}
      do:
        - guarded:
            try:
              - ask:
                  call: http
                  with: {method: get, endpoint: 'http://services.example/flaky'}
            catch:
              errors:
                with: {status: 503}
              retry: {delay: PT0.04S, backoff: {exponential: {}}, limit: {attempt: {count: 5}}}
      """
    And given the service 'GET /flaky' answers:
      """yaml
      - status: 503
      - status: 503
      - {status: 200, body: {done: true}}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      done: true
      """
    And the workflow should have taken at least PT0.12S

  # dsl-reference.md: Retry Limit
  Scenario: The number of attempts is limited (retries, by ADR 0004)
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: retry, version: '1.0.0'}
      do:
        - guarded:
            try:
              - ask:
                  call: http
                  with: {method: get, endpoint: 'http://services.example/flaky'}
            catch:
              errors:
                with: {status: 503}
              retry: {delay: {milliseconds: 5}, limit: {attempt: {count: 2}}}
      """
    And given the service 'GET /flaky' answers:
      """yaml
      status: 503
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      status: 503
      """
    And the service 'GET /flaky' should have received 3 requests

  # dsl-reference.md: Retry Limit
  Scenario: Tasks of the catch run when no attempt is left (ADR 0004)
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: retry, version: '1.0.0'}
      do:
        - guarded:
            try:
              - ask:
                  call: http
                  with: {method: get, endpoint: 'http://services.example/flaky'}
            catch:
              errors:
                with: {status: 503}
              retry: {delay: {milliseconds: 5}, limit: {attempt: {count: 1}}}
              do:
                - handled:
                    set: {status: '${ $error.status }'}
      """
    And given the service 'GET /flaky' answers:
      """yaml
      status: 503
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      status: 503
      """
    And the service 'GET /flaky' should have received 2 requests
    And handled should have run 1 times

  # dsl-reference.md: Retry
  Scenario: Tasks of the catch do not run when an attempt succeeds
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: retry, version: '1.0.0'}
      do:
        - guarded:
            try:
              - ask:
                  call: http
                  with: {method: get, endpoint: 'http://services.example/flaky'}
            catch:
              errors:
                with: {status: 503}
              retry: {delay: {milliseconds: 5}, limit: {attempt: {count: 3}}}
              do:
                - handled:
                    set: {status: '${ $error.status }'}
      """
    And given the service 'GET /flaky' answers:
      """yaml
      - status: 503
      - status: 503
      - {status: 200, body: {done: true}}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      done: true
      """
    And handled should have run 0 times

  # dsl-reference.md: Retry Limit
  Scenario: The time of all attempts is limited
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: retry, version: '1.0.0'}
      do:
        - guarded:
            try:
              - ask:
                  call: http
                  with: {method: get, endpoint: 'http://services.example/flaky'}
            catch:
              errors:
                with: {status: 503}
              retry: {delay: PT0.03S, limit: {duration: PT0.15S}}
      """
    And given the service 'GET /flaky' answers:
      """yaml
      status: 503
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      status: 503
      """
    And the service 'GET /flaky' should have received at least 2 requests

  # dsl-reference.md: Retry
  Scenario: The delay is between the attempts
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: retry, version: '1.0.0'}
      do:
        - guarded:
            try:
              - ask:
                  call: http
                  with: {method: get, endpoint: 'http://services.example/flaky'}
            catch:
              errors:
                with: {status: 503}
              retry: {delay: {milliseconds: 60}, limit: {attempt: {count: 2}}}
      """
    And given the service 'GET /flaky' answers:
      """yaml
      status: 503
      """
    When the workflow is executed
    Then the workflow should fault
    And the workflow should have taken at least PT0.12S

  # dsl-reference.md: Jitter
  Scenario: Jitter adds to the delay
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: retry, version: '1.0.0'}
      do:
        - guarded:
            try:
              - ask:
                  call: http
                  with: {method: get, endpoint: 'http://services.example/flaky'}
            catch:
              errors:
                with: {status: 503}
              retry: {jitter: {from: {milliseconds: 40}, to: {milliseconds: 60}}, limit: {attempt: {count: 2}}}
      """
    And given the service 'GET /flaky' answers:
      """yaml
      status: 503
      """
    When the workflow is executed
    Then the workflow should fault
    And the service 'GET /flaky' should have received 3 requests
    And the workflow should have taken at least PT0.08S

  # dsl-reference.md: Duration
  Scenario: The delay is an expression
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: retry, version: '1.0.0'}
      do:
        - guarded:
            try:
              - ask:
                  call: http
                  with: {method: get, endpoint: 'http://services.example/flaky'}
            catch:
              errors:
                with: {status: 503}
              retry: {delay: '${ "PT0.0\(.hundredths)S" }', limit: {attempt: {count: 2}}}
      """
    And given the workflow input is:
      """yaml
      hundredths: 3
      """
    And given the service 'GET /flaky' answers:
      """yaml
      status: 503
      """
    When the workflow is executed
    Then the workflow should fault
    And the workflow should have taken at least PT0.06S

  # dsl-reference.md: Retry
  Scenario: A condition that does not hold ends the attempts
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: retry, version: '1.0.0'}
      do:
        - guarded:
            try:
              - ask:
                  call: http
                  with: {method: get, endpoint: 'http://services.example/flaky'}
            catch:
              errors:
                with: {status: 503}
              retry: {when: '${ $error.status == 500 }', delay: {milliseconds: 5}, limit: {attempt: {count: 5}}}
      """
    And given the service 'GET /flaky' answers:
      """yaml
      status: 503
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      status: 503
      """
    And the service 'GET /flaky' should have received 1 requests

  # dsl-reference.md: Retry
  Scenario: A condition that holds lets attempts go on
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: retry, version: '1.0.0'}
      do:
        - guarded:
            try:
              - ask:
                  call: http
                  with: {method: get, endpoint: 'http://services.example/flaky'}
            catch:
              errors:
                with: {status: 503}
              retry: {when: '${ $error.status == 503 }', delay: {milliseconds: 5}, limit: {attempt: {count: 5}}}
      """
    And given the service 'GET /flaky' answers:
      """yaml
      - status: 503
      - status: 503
      - {status: 200, body: {done: true}}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      done: true
      """
    And the service 'GET /flaky' should have received 3 requests

  # dsl-reference.md: Retry
  Scenario: An exception that holds ends the attempts
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: retry, version: '1.0.0'}
      do:
        - guarded:
            try:
              - ask:
                  call: http
                  with: {method: get, endpoint: 'http://services.example/flaky'}
            catch:
              errors:
                with: {status: 503}
              retry: {exceptWhen: '${ $error.status == 503 }', delay: {milliseconds: 5}, limit: {attempt: {count: 5}}}
      """
    And given the service 'GET /flaky' answers:
      """yaml
      status: 503
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      status: 503
      """
    And the service 'GET /flaky' should have received 1 requests

  # dsl-reference.md: Retry
  Scenario: An error that is not caught is not retried
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: retry, version: '1.0.0'}
      do:
        - guarded:
            try:
              - ask:
                  call: http
                  with: {method: get, endpoint: 'http://services.example/flaky'}
            catch:
              errors:
                with: {status: 503}
              retry: {delay: {milliseconds: 5}, limit: {attempt: {count: 5}}}
      """
    And given the service 'GET /flaky' answers:
      """yaml
      status: 404
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      status: 404
      """
    And the service 'GET /flaky' should have received 1 requests

  # dsl-reference.md: Retry
  Scenario: Attempts end with another error
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: retry, version: '1.0.0'}
      do:
        - guarded:
            try:
              - ask:
                  call: http
                  with: {method: get, endpoint: 'http://services.example/flaky'}
            catch:
              errors:
                with: {status: 503}
              retry: {delay: {milliseconds: 5}, limit: {attempt: {count: 5}}}
      """
    And given the service 'GET /flaky' answers:
      """yaml
      [{status: 503}, {status: 404}]
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      status: 404
      """
    And the service 'GET /flaky' should have received 2 requests

  # dsl-reference.md: Retry
  Scenario: An attempt begins with the first task of the try
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: retry, version: '1.0.0'}
      do:
        - guarded:
            try:
              - prepare:
                  set: {n: '${ .n + 1 }'}
              - ask:
                  call: http
                  with: {method: get, endpoint: 'http://services.example/flaky'}
            catch:
              retry:
                delay: {milliseconds: 5}
                limit: {attempt: {count: 5}}
      """
    And given the workflow input is:
      """yaml
      n: 0
      """
    And given the service 'GET /flaky' answers:
      """yaml
      - status: 503
      - status: 503
      - {status: 200, body: {done: true}}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      done: true
      """
    And prepare should have run 3 times

  # dsl-reference.md: Retry
  Scenario: An attempt begins with the input of the try
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: retry, version: '1.0.0'}
      do:
        - guarded:
            try:
              - add:
                  set: {n: '${ .n + 1 }'}
              - ask:
                  call: http
                  with: {method: post, endpoint: 'http://services.example/flaky', body: {n: '${ .n }'}}
            catch:
              retry:
                limit: {attempt: {count: 5}}
      """
    And given the workflow input is:
      """yaml
      n: 0
      """
    And given the service 'POST /flaky' answers:
      """yaml
      - status: 503
      - status: 503
      - {status: 200, body: {done: true}}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      done: true
      """
    And the service 'POST /flaky' should have received:
      """yaml
      [{body: {n: 1}}, {body: {n: 1}}, {body: {n: 1}}]
      """

  # dsl-reference.md: Use
  Scenario: A reusable policy
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: retry, version: '1.0.0'}
      use:
        retries:
          patient: {delay: {milliseconds: 5}, backoff: {constant: {}}, limit: {attempt: {count: 4}}}
      do:
        - guarded:
            try:
              - ask:
                  call: http
                  with: {method: get, endpoint: 'http://services.example/flaky'}
            catch:
              errors:
                with: {status: 503}
              retry: patient
      """
    And given the service 'GET /flaky' answers:
      """yaml
      - status: 503
      - status: 503
      - {status: 200, body: {done: true}}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      done: true
      """
    And the service 'GET /flaky' should have received 3 requests

  # dsl-reference.md: Use
  Scenario: A reusable policy that does not exist
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: retry, version: '1.0.0'}
      do:
        - guarded:
            try:
              - ask:
                  call: http
                  with: {method: get, endpoint: 'http://services.example/flaky'}
            catch:
              retry: patient
      """
    When the workflow is executed
    Then the definition should be refused

  # dsl-reference.md: Backoff
  Scenario: Two backoffs in one policy
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: retry, version: '1.0.0'}
      do:
        - guarded:
            try:
              - ask:
                  set: {a: 1}
            catch:
              retry:
                backoff: {constant: {}, linear: {}}
      """
    When the workflow is executed
    Then the definition should be refused

  # dsl-reference.md: Jitter
  Scenario: Jitter without its end
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: retry, version: '1.0.0'}
      do:
        - guarded:
            try:
              - ask:
                  set: {a: 1}
            catch:
              retry:
                jitter: {from: PT0.1S}
      """
    When the workflow is executed
    Then the definition should be refused
