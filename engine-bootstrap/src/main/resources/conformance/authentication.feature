Feature: Authentication
  Credentials of calls.

  # dsl-reference.md: Basic Authentication
  Scenario: Basic authentication
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: authentication, version: '1.0.0'}
      do:
        - ask:
            call: http
            with:
              method: get
              endpoint:
                uri: http://services.example/protected
                authentication: {basic: {username: ada, password: secret}}
      """
    And given the service 'GET /protected' answers:
      """yaml
      body: {ok: true}
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

  # dsl-reference.md: Basic Authentication
  Scenario: Basic authentication by expressions
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: authentication, version: '1.0.0'}
      do:
        - ask:
            call: http
            with:
              method: get
              endpoint:
                uri: http://services.example/protected
                authentication: {basic: {username: '${ .user }', password: '${ .word }'}}
      """
    And given the workflow input is:
      """yaml
      {user: eve, word: päss}
      """
    And given the service 'GET /protected' answers:
      """yaml
      body: {ok: true}
      """
    When the workflow is executed
    Then the workflow should complete
    And the service 'GET /protected' should have received:
      """yaml
      headers: {authorization: 'Basic ZXZlOnDDpHNz'}
      """

  # dsl-reference.md: Authentication
  Scenario: A reusable policy
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: authentication, version: '1.0.0'}
      use:
        authentications:
          shop:
            basic: {username: ada, password: secret}
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
    When the workflow is executed
    Then the workflow should complete
    And the service 'GET /protected' should have received:
      """yaml
      headers: {authorization: 'Basic YWRhOnNlY3JldA=='}
      """

  # dsl-reference.md: Bearer Authentication
  Scenario: Bearer authentication
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: authentication, version: '1.0.0'}
      do:
        - ask:
            call: http
            with:
              method: get
              endpoint:
                uri: http://services.example/protected
                authentication: {bearer: {token: t-0123}}
      """
    And given the service 'GET /protected' answers:
      """yaml
      body: {ok: true}
      """
    When the workflow is executed
    Then the workflow should complete
    And the service 'GET /protected' should have received:
      """yaml
      headers: {authorization: 'Bearer t-0123'}
      """

  # dsl-reference.md: Bearer Authentication
  Scenario: Bearer authentication by an expression
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: authentication, version: '1.0.0'}
      do:
        - ask:
            call: http
            with:
              method: get
              endpoint:
                uri: http://services.example/protected
                authentication: {bearer: {token: '${ .user.token }'}}
      """
    And given the workflow input is:
      """yaml
      user: {token: t-4567}
      """
    And given the service 'GET /protected' answers:
      """yaml
      body: {ok: true}
      """
    When the workflow is executed
    Then the workflow should complete
    And the service 'GET /protected' should have received:
      """yaml
      headers: {authorization: 'Bearer t-4567'}
      """

  # dsl-reference.md: Digest Authentication
  Scenario: Digest authentication
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: authentication, version: '1.0.0'}
      do:
        - ask:
            call: http
            with:
              method: get
              endpoint:
                uri: http://services.example/protected
                authentication: {digest: {username: ada, password: secret}}
      """
    And given the service 'GET /protected' answers:
      """yaml
      - status: 401
        headers: {WWW-Authenticate: 'Digest realm="shop", nonce="nonce-1"'}
      - body: {ok: true}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      ok: true
      """
    And the service 'GET /protected' should have received:
      """yaml
      - headers: {authorization: null}
      - headers: {authorization: '/^Digest .*response="ad9b626a713f744d42c982be9f4989b2"/'}
      """

  # dsl-reference.md: OAUTH2 Authentication
  Scenario: Client credentials of OAuth 2
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: authentication, version: '1.0.0'}
      do:
        - ask:
            call: http
            with:
              method: get
              endpoint:
                uri: http://services.example/protected
                authentication:
                  oauth2:
                    authority: http://services.example
                    grant: client_credentials
                    client: {id: shop, secret: s-1}
      """
    And given the service 'GET /protected' answers:
      """yaml
      body: {ok: true}
      """
    And given the service 'POST /oauth2/token' answers:
      """yaml
      body: {access_token: at-1, token_type: Bearer, expires_in: 3600}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      ok: true
      """
    And the service 'GET /protected' should have received:
      """yaml
      headers: {authorization: 'Bearer at-1'}
      """
    And the service 'POST /oauth2/token' should have received:
      """yaml
      headers: {content-type: '/^application.x-www-form-urlencoded/'}
      body: {grant_type: client_credentials, client_id: shop, client_secret: s-1}
      """

  # dsl-reference.md: OAUTH2 Authentication
  Scenario: Scopes and audiences of OAuth 2
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: authentication, version: '1.0.0'}
      do:
        - ask:
            call: http
            with:
              method: get
              endpoint:
                uri: http://services.example/protected
                authentication:
                  oauth2:
                    authority: http://services.example
                    grant: client_credentials
                    client: {id: shop, secret: s-1}
                    scopes: [read, write]
                    audiences: [orders]
      """
    And given the service 'GET /protected' answers:
      """yaml
      body: {ok: true}
      """
    And given the service 'POST /oauth2/token' answers:
      """yaml
      body: {access_token: at-1, token_type: Bearer, expires_in: 3600}
      """
    When the workflow is executed
    Then the workflow should complete
    And the service 'POST /oauth2/token' should have received:
      """yaml
      body: {grant_type: client_credentials, client_id: shop, client_secret: s-1, scope: read write, audience: orders}
      """

  # dsl-reference.md: OAUTH2 Authentication
  Scenario: The client of OAuth 2 authenticates by a header field
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: authentication, version: '1.0.0'}
      do:
        - ask:
            call: http
            with:
              method: get
              endpoint:
                uri: http://services.example/protected
                authentication:
                  oauth2:
                    authority: http://services.example
                    grant: client_credentials
                    client: {id: shop, secret: s-1, authentication: client_secret_basic}
      """
    And given the service 'GET /protected' answers:
      """yaml
      body: {ok: true}
      """
    And given the service 'POST /oauth2/token' answers:
      """yaml
      body: {access_token: at-1, token_type: Bearer, expires_in: 3600}
      """
    When the workflow is executed
    Then the workflow should complete
    And the service 'POST /oauth2/token' should have received:
      """yaml
      headers: {authorization: 'Basic c2hvcDpzLTE='}
      body: {grant_type: client_credentials}
      """

  # dsl-reference.md: OAUTH2 Authentication
  Scenario: The password grant of OAuth 2
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: authentication, version: '1.0.0'}
      do:
        - ask:
            call: http
            with:
              method: get
              endpoint:
                uri: http://services.example/protected
                authentication:
                  oauth2:
                    authority: http://services.example
                    grant: password
                    client: {id: shop, secret: s-1}
                    username: ada
                    password: secret
      """
    And given the service 'GET /protected' answers:
      """yaml
      body: {ok: true}
      """
    And given the service 'POST /oauth2/token' answers:
      """yaml
      body: {access_token: at-1, token_type: Bearer, expires_in: 3600}
      """
    When the workflow is executed
    Then the workflow should complete
    And the service 'GET /protected' should have received:
      """yaml
      headers: {authorization: 'Bearer at-1'}
      """
    And the service 'POST /oauth2/token' should have received:
      """yaml
      body: {grant_type: password, client_id: shop, client_secret: s-1, username: ada, password: secret}
      """

  # dsl-reference.md: OAUTH2 Authentication
  Scenario: The token exchange of OAuth 2
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: authentication, version: '1.0.0'}
      do:
        - ask:
            call: http
            with:
              method: get
              endpoint:
                uri: http://services.example/protected
                authentication:
                  oauth2:
                    authority: http://services.example
                    grant: 'urn:ietf:params:oauth:grant-type:token-exchange'
                    client: {id: shop, secret: s-1}
                    subject: {token: st-1, type: 'urn:ietf:params:oauth:token-type:access_token'}
      """
    And given the service 'GET /protected' answers:
      """yaml
      body: {ok: true}
      """
    And given the service 'POST /oauth2/token' answers:
      """yaml
      body: {access_token: at-1, token_type: Bearer, expires_in: 3600}
      """
    When the workflow is executed
    Then the workflow should complete
    And the service 'GET /protected' should have received:
      """yaml
      headers: {authorization: 'Bearer at-1'}
      """
    And the service 'POST /oauth2/token' should have received:
      """yaml
      body:
        grant_type: urn:ietf:params:oauth:grant-type:token-exchange
        client_id: shop
        client_secret: s-1
        subject_token: st-1
        subject_token_type: urn:ietf:params:oauth:token-type:access_token
      """

  # dsl-reference.md: OAUTH2 Authentication
  Scenario: A token request in JSON
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: authentication, version: '1.0.0'}
      do:
        - ask:
            call: http
            with:
              method: get
              endpoint:
                uri: http://services.example/protected
                authentication:
                  oauth2:
                    authority: http://services.example
                    grant: client_credentials
                    client: {id: shop, secret: s-1}
                    request: {encoding: application/json}
      """
    And given the service 'GET /protected' answers:
      """yaml
      body: {ok: true}
      """
    And given the service 'POST /oauth2/token' answers:
      """yaml
      body: {access_token: at-1, token_type: Bearer, expires_in: 3600}
      """
    When the workflow is executed
    Then the workflow should complete
    And the service 'GET /protected' should have received:
      """yaml
      headers: {authorization: 'Bearer at-1'}
      """
    And the service 'POST /oauth2/token' should have received:
      """yaml
      headers: {content-type: '/^application.json/'}
      body: {grant_type: client_credentials, client_id: shop, client_secret: s-1}
      """

  # dsl-reference.md: OAUTH2 Authentication
  Scenario: Another path of the token endpoint
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: authentication, version: '1.0.0'}
      do:
        - ask:
            call: http
            with:
              method: get
              endpoint:
                uri: http://services.example/protected
                authentication:
                  oauth2:
                    authority: http://services.example
                    grant: client_credentials
                    endpoints: {token: /login/token}
                    client: {id: shop, secret: s-1}
      """
    And given the service 'GET /protected' answers:
      """yaml
      body: {ok: true}
      """
    And given the service 'POST /login/token' answers:
      """yaml
      body: {access_token: at-2, token_type: Bearer}
      """
    When the workflow is executed
    Then the workflow should complete
    And the service 'GET /protected' should have received:
      """yaml
      headers: {authorization: 'Bearer at-2'}
      """

  # dsl-reference.md: OAUTH2 Authentication
  Scenario: A token endpoint that refuses
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: authentication, version: '1.0.0'}
      do:
        - ask:
            call: http
            with:
              method: get
              endpoint:
                uri: http://services.example/protected
                authentication:
                  oauth2:
                    authority: http://services.example
                    grant: client_credentials
                    client: {id: shop, secret: wrong}
      """
    And given the service 'GET /protected' answers:
      """yaml
      body: {ok: true}
      """
    And given the service 'POST /oauth2/token' answers:
      """yaml
      {status: 401, body: {error: invalid_client}}
      """
    When the workflow is executed
    Then the workflow should fault
    And the service 'GET /protected' should have received 0 requests

  # dsl-reference.md: OpenIdConnect Authentication
  Scenario: OpenID Connect finds the token endpoint
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: authentication, version: '1.0.0'}
      do:
        - ask:
            call: http
            with:
              method: get
              endpoint:
                uri: http://services.example/protected
                authentication:
                  oidc:
                    authority: http://services.example/realm
                    grant: client_credentials
                    client: {id: shop, secret: s-1}
      """
    And given the service 'GET /protected' answers:
      """yaml
      body: {ok: true}
      """
    And given the service 'GET /realm/.well-known/openid-configuration' answers:
      """yaml
      body: {issuer: 'http://services.example/realm', token_endpoint: 'http://services.example/realm/token'}
      """
    And given the service 'POST /realm/token' answers:
      """yaml
      body: {access_token: at-3, token_type: Bearer}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      ok: true
      """
    And the service 'GET /protected' should have received:
      """yaml
      headers: {authorization: 'Bearer at-3'}
      """

  # dsl.md: Authorization Descriptor
  @deviation
  Scenario: The authorization is an argument
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: authentication, version: '1.0.0'}
      do:
        - ask:
            call: http
            with:
              method: get
              endpoint:
                uri: http://services.example/protected
                authentication: {bearer: {token: t-1}}
            output: {as: '{scheme: $authorization.scheme, parameter: $authorization.parameter}'}
      """
    And given the service 'GET /protected' answers:
      """yaml
      body: {ok: true}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      {scheme: Bearer, parameter: t-1}
      """

  # dsl-reference.md: Authentication
  Scenario Outline: A policy that is wrong: <what>
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: authentication, version: '1.0.0'}
      do:
        - ask:
            call: http
            with:
              method: get
              endpoint:
                uri: http://services.example/protected
                authentication: <policy>
      """
    When the workflow is executed
    Then the definition should be refused

    Examples:
      | what                   | policy                                                                             |
      | unknown name           | {use: missing}                                                                     |
      | two schemes            | {basic: {username: a, password: b}, bearer: {token: c}}                            |
      | basic without password | {basic: {username: a}}                                                             |
      | bearer without token   | {bearer: {}}                                                                       |
      | grant                  | {oauth2: {authority: 'http://services.example', grant: anything, client: {id: a}}} |
