Feature: Secrets
  What workflows must not show.

  # dsl.md: Runtime Expression Arguments
  Scenario: A secret in the input of a task
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: secrets, version: '1.0.0'}
      use: {secrets: [apiKey]}
      do:
        - ask:
            input: {from: '{key: $secrets.apiKey}'}
            call: http
            with:
              method: get
              endpoint: http://services.example/protected
              headers: {X-Key: '${ .key }'}
      """
    And given the service 'GET /protected' answers:
      """yaml
      body: {ok: true}
      """
    And given the secret 'apiKey' is:
      """yaml
      k-123
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      ok: true
      """
    And the service 'GET /protected' should have received:
      """yaml
      headers: {x-key: k-123}
      """

  # dsl.md: Secret
  Scenario: A secret with members
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: secrets, version: '1.0.0'}
      use: {secrets: [shop]}
      do:
        - ask:
            call: http
            with:
              method: get
              endpoint: http://services.example/protected
              headers: {X-User: '${ $secrets.shop.username }'}
      """
    And given the service 'GET /protected' answers:
      """yaml
      body: {ok: true}
      """
    And given the secret 'shop' is:
      """yaml
      {username: ada, password: secret}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      ok: true
      """
    And the service 'GET /protected' should have received:
      """yaml
      headers: {x-user: ada}
      """

  # dsl.md: Runtime Expression Arguments
  @deviation
  Scenario: A secret in data
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: secrets, version: '1.0.0'}
      use: {secrets: [shop]}
      do:
        - show:
            input: {from: '{user: $secrets.shop.username}'}
            set: {user: '${ .user }'}
      """
    And given the secret 'shop' is:
      """yaml
      {username: ada, password: secret}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      user: ada
      """

  # dsl-reference.md: Authentication
  Scenario: Credentials by a secret
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: secrets, version: '1.0.0'}
      use:
        secrets: [shop]
        authentications:
          shop:
            basic: {use: shop}
      do:
        - ask:
            call: http
            with:
              method: get
              endpoint:
                uri: http://services.example/protected
                authentication: {use: shop}
      """
    And given the service 'GET /protected' answers:
      """yaml
      body: {ok: true}
      """
    And given the secret 'shop' is:
      """yaml
      {username: ada, password: secret}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      ok: true
      """
    And the service 'GET /protected' should have received:
      """yaml
      headers: {authorization: 'Basic YWRhOnNlY3JldA=='}
      """

  # dsl.md: Secret
  Scenario: A secret that does not exist
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: secrets, version: '1.0.0'}
      use: {secrets: [missing]}
      do:
        - ask:
            input: {from: '{key: $secrets.missing}'}
            call: http
            with:
              method: get
              endpoint: http://services.example/protected
              headers: {X-Key: '${ .key }'}
      """
    And given the service 'GET /protected' answers:
      """yaml
      body: {ok: true}
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      type: https://serverlessworkflow.io/spec/1.0.0/errors/authorization
      status: 403
      """
    And the service 'GET /protected' should have received 0 requests
