Feature: Call of OpenAPI services
  Operations of documents of OpenAPI.

  # dsl-reference.md: OpenAPI Call
  Scenario: Parameters in path, query and header
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: openapi, version: '1.0.0'}
      do:
        - ask:
            call: openapi
            with:
              document: {endpoint: 'http://services.example/shop.json'}
              operationId: getOrder
              parameters: {id: 7, detail: full, X-Trace: '${ .trace }'}
      """
    And given the workflow input is:
      """yaml
      trace: t-1
      """
    And given the service 'GET /shop.json' answers:
      """yaml
      body:
        openapi: 3.0.3
        info: {title: Shop, version: '1'}
        servers: [{url: 'http://services.example/api'}]
        paths:
          /orders/{id}:
            get:
              operationId: getOrder
              parameters:
                - {name: id, in: path, required: true, schema: {type: integer}}
                - {name: detail, in: query, schema: {type: string}}
                - {name: X-Trace, in: header, schema: {type: string}}
              responses: {'200': {description: The order}}
      """
    And given the service 'GET /api/orders/7' answers:
      """yaml
      body: {id: 7}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      id: 7
      """
    And the service 'GET /api/orders/7' should have received:
      """yaml
      {query: {detail: full}, headers: {x-trace: t-1}}
      """

  # dsl-reference.md: OpenAPI Call
  Scenario: A document of Swagger 2
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: openapi, version: '1.0.0'}
      do:
        - ask:
            call: openapi
            with:
              document: {endpoint: 'https://petstore.swagger.io/v2/swagger.json'}
              operationId: getPetById
              parameters: {petId: "${ .id }"}
      """
    And given the workflow input is:
      """yaml
      id: 3
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      {id: 3, name: pet-3, status: available}
      """

  # dsl-reference.md: OpenAPI Call
  Scenario: The output is the content
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: openapi, version: '1.0.0'}
      do:
        - ask:
            call: openapi
            with:
              document: {endpoint: 'https://petstore.swagger.io/v2/swagger.json'}
              operationId: findPetsByStatus
              parameters: {status: sold}
              output: content
            output: {as: 'map(.status) | unique'}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      [sold]
      """

  # dsl-reference.md: OpenAPI Call
  Scenario: The output is the response
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: openapi, version: '1.0.0'}
      do:
        - ask:
            call: openapi
            with:
              document: {endpoint: 'http://services.example/shop.json'}
              operationId: getOrder
              parameters: {id: 7}
              output: response
            output: {as: '{statusCode, content, uri: .request.uri}'}
      """
    And given the service 'GET /shop.json' answers:
      """yaml
      body:
        openapi: 3.0.3
        info: {title: Shop, version: '1'}
        servers: [{url: 'http://services.example/api'}]
        paths:
          /orders/{id}:
            get:
              operationId: getOrder
              parameters:
                - {name: id, in: path, required: true, schema: {type: integer}}
                - {name: detail, in: query, schema: {type: string}}
                - {name: X-Trace, in: header, schema: {type: string}}
              responses: {'200': {description: The order}}
      """
    And given the service 'GET /api/orders/7' answers:
      """yaml
      body: {id: 7}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      {statusCode: 200, content: {id: 7}, uri: 'http://services.example/api/orders/7'}
      """

  # dsl-reference.md: OpenAPI Call
  Scenario: The output is the raw content
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: openapi, version: '1.0.0'}
      do:
        - ask:
            call: openapi
            with:
              document: {endpoint: 'http://services.example/shop.json'}
              operationId: getOrder
              parameters: {id: 7}
              output: raw
      """
    And given the service 'GET /shop.json' answers:
      """yaml
      body:
        openapi: 3.0.3
        info: {title: Shop, version: '1'}
        servers: [{url: 'http://services.example/api'}]
        paths:
          /orders/{id}:
            get:
              operationId: getOrder
              parameters:
                - {name: id, in: path, required: true, schema: {type: integer}}
                - {name: detail, in: query, schema: {type: string}}
                - {name: X-Trace, in: header, schema: {type: string}}
              responses: {'200': {description: The order}}
      """
    And given the service 'GET /api/orders/7' answers:
      """yaml
      body: {id: 7}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      eyJpZCI6N30=
      """

  # dsl-reference.md: OpenAPI Call
  Scenario: A body of Swagger 2
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: openapi, version: '1.0.0'}
      do:
        - ask:
            call: openapi
            with:
              document: {endpoint: 'http://services.example/shop.json'}
              operationId: createOrder
              parameters: {order: {item: tea}}
      """
    And given the service 'GET /shop.json' answers:
      """yaml
      body:
        swagger: '2.0'
        info: {title: Shop, version: '1'}
        host: services.example
        basePath: /api
        schemes: [http]
        paths:
          /orders:
            post:
              operationId: createOrder
              consumes: [application/json]
              parameters: [{name: order, in: body, schema: {type: object}}]
              responses: {'200': {description: Done}}
      """
    And given the service 'POST /api/orders' answers:
      """yaml
      body: {ok: true}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      ok: true
      """
    And the service 'POST /api/orders' should have received:
      """yaml
      body: {item: tea}
      """

  # dsl-reference.md: OpenAPI Call
  Scenario: A status of failure is an error
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: openapi, version: '1.0.0'}
      do:
        - ask:
            call: openapi
            with:
              document: {endpoint: 'http://services.example/shop.json'}
              operationId: getOrder
              parameters: {id: 8}
      """
    And given the service 'GET /shop.json' answers:
      """yaml
      body:
        openapi: 3.0.3
        info: {title: Shop, version: '1'}
        servers: [{url: 'http://services.example/api'}]
        paths:
          /orders/{id}:
            get:
              operationId: getOrder
              parameters:
                - {name: id, in: path, required: true, schema: {type: integer}}
                - {name: detail, in: query, schema: {type: string}}
                - {name: X-Trace, in: header, schema: {type: string}}
              responses: {'200': {description: The order}}
      """
    And given the service 'GET /api/orders/8' answers:
      """yaml
      status: 404
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      type: https://serverlessworkflow.io/spec/1.0.0/errors/communication
      status: 404
      instance: /do/0/ask
      """

  # dsl-reference.md: OpenAPI Call
  Scenario: A status of redirection is no error if it is allowed
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: openapi, version: '1.0.0'}
      do:
        - ask:
            call: openapi
            with:
              document: {endpoint: 'http://services.example/shop.json'}
              operationId: getOrder
              parameters: {id: 8}
              redirect: true
        - show:
            set: {after: true}
      """
    And given the service 'GET /shop.json' answers:
      """yaml
      body:
        openapi: 3.0.3
        info: {title: Shop, version: '1'}
        servers: [{url: 'http://services.example/api'}]
        paths:
          /orders/{id}:
            get:
              operationId: getOrder
              parameters:
                - {name: id, in: path, required: true, schema: {type: integer}}
                - {name: detail, in: query, schema: {type: string}}
                - {name: X-Trace, in: header, schema: {type: string}}
              responses: {'200': {description: The order}}
      """
    And given the service 'GET /api/orders/8' answers:
      """yaml
      {status: 304}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      after: true
      """

  # dsl-reference.md: OpenAPI Call
  Scenario: A document that does not exist
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: openapi, version: '1.0.0'}
      do:
        - ask:
            call: openapi
            with:
              document: {endpoint: 'http://services.example/none.json'}
              operationId: getOrder
              parameters: {id: 8}
      """
    When the workflow is executed
    Then the definition should be refused

  # dsl-reference.md: OpenAPI Call
  Scenario: An operation that does not exist
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: openapi, version: '1.0.0'}
      do:
        - ask:
            call: openapi
            with:
              document: {endpoint: 'http://services.example/shop.json'}
              operationId: dropOrder
              parameters: {id: 8}
      """
    And given the service 'GET /shop.json' answers:
      """yaml
      body:
        openapi: 3.0.3
        info: {title: Shop, version: '1'}
        servers: [{url: 'http://services.example/api'}]
        paths:
          /orders/{id}:
            get:
              operationId: getOrder
              parameters:
                - {name: id, in: path, required: true, schema: {type: integer}}
                - {name: detail, in: query, schema: {type: string}}
                - {name: X-Trace, in: header, schema: {type: string}}
              responses: {'200': {description: The order}}
      """
    When the workflow is executed
    Then the definition should be refused

  # dsl-reference.md: OpenAPI Call
  Scenario: Credentials of a call
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: openapi, version: '1.0.0'}
      do:
        - ask:
            call: openapi
            with:
              document: {endpoint: 'http://services.example/shop.json'}
              operationId: getOrder
              parameters: {id: 7}
              authentication: {bearer: {token: t-1}}
      """
    And given the service 'GET /shop.json' answers:
      """yaml
      body:
        openapi: 3.0.3
        info: {title: Shop, version: '1'}
        servers: [{url: 'http://services.example/api'}]
        paths:
          /orders/{id}:
            get:
              operationId: getOrder
              parameters:
                - {name: id, in: path, required: true, schema: {type: integer}}
                - {name: detail, in: query, schema: {type: string}}
                - {name: X-Trace, in: header, schema: {type: string}}
              responses: {'200': {description: The order}}
      """
    And given the service 'GET /api/orders/7' answers:
      """yaml
      body: {id: 7}
      """
    When the workflow is executed
    Then the workflow should complete
    And the service 'GET /api/orders/7' should have received:
      """yaml
      headers: {authorization: Bearer t-1}
      """

  # dsl-reference.md: OpenAPI Call
  Scenario: A call without operation
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: openapi, version: '1.0.0'}
      do:
        - ask:
            call: openapi
            with: {document: {endpoint: 'http://services.example/shop.json'}}
      """
    When the workflow is executed
    Then the definition should be refused

  # dsl-reference.md: OpenAPI Call
  Scenario: Arrays and objects in a query
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: openapi, version: '1.0.0'}
      do:
        - ask:
            call: openapi
            with:
              document: {endpoint: 'http://services.example/shop.json'}
              operationId: act
              parameters: {tags: [new, 'a b'], ids: [1, 2], filter: {color: red, size: 4}}
      """
    And given the service 'GET /shop.json' answers:
      """yaml
      body:
        openapi: 3.1.0
        info: {title: Shop, version: '1'}
        servers: [{url: 'http://services.example/api'}]
        paths:
          /orders:
            get:
              operationId: act
              parameters:
                - {name: tags, in: query, schema: {type: array}}
                - {name: ids, in: query, explode: false, schema: {type: array}}
                - {name: filter, in: query, style: deepObject, schema: {type: object}}
              responses: {'200': {description: Done}}
      """
    And given the service 'GET /api/orders' answers:
      """yaml
      body: {ok: true}
      """
    When the workflow is executed
    Then the workflow should complete
    And the service 'GET /api/orders' should have received:
      """yaml
      query: {tags: [new, 'a b'], ids: '1,2', 'filter[color]': red, 'filter[size]': '4'}
      """

  # dsl-reference.md: OpenAPI Call
  Scenario: A collection of Swagger 2 in a query
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: openapi, version: '1.0.0'}
      do:
        - ask:
            call: openapi
            with:
              document: {endpoint: 'http://services.example/shop.json'}
              operationId: act
              parameters: {tags: [new, old], ids: [1, 2]}
      """
    And given the service 'GET /shop.json' answers:
      """yaml
      body:
        swagger: '2.0'
        info: {title: Shop, version: '1'}
        host: services.example
        basePath: /api
        schemes: [http]
        paths:
          /orders:
            get:
              operationId: act
              parameters:
                - {name: tags, in: query, type: array, items: {type: string}, collectionFormat: multi}
                - {name: ids, in: query, type: array, items: {type: integer}, collectionFormat: pipes}
              responses: {'200': {description: Done}}
      """
    And given the service 'GET /api/orders' answers:
      """yaml
      body: {ok: true}
      """
    When the workflow is executed
    Then the workflow should complete
    And the service 'GET /api/orders' should have received:
      """yaml
      query: {tags: [new, old], ids: '1|2'}
      """

  # dsl-reference.md: OpenAPI Call
  Scenario: Parameters of a cookie and of a path
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: openapi, version: '1.0.0'}
      do:
        - ask:
            call: openapi
            with:
              document: {endpoint: 'http://services.example/shop.json'}
              operationId: act
              parameters: {session: s-1, theme: dark, id: 'a/b'}
      """
    And given the service 'GET /shop.json' answers:
      """yaml
      body:
        openapi: 3.0.3
        info: {title: Shop, version: '1'}
        servers: [{url: 'http://services.example/api'}]
        paths:
          /orders/{id}:
            parameters:
              - {name: id, in: path, required: true, schema: {type: string}}
            get:
              operationId: act
              parameters:
                - {name: session, in: cookie, schema: {type: string}}
                - {name: theme, in: cookie, schema: {type: string}}
              responses: {'200': {description: Done}}
      """
    And given the service 'GET /api/orders/a%2Fb' answers:
      """yaml
      body: {ok: true}
      """
    When the workflow is executed
    Then the workflow should complete
    And the service 'GET /api/orders/a%2Fb' should have received:
      """yaml
      headers: {cookie: 'session=s-1; theme=dark'}
      """

  # dsl-reference.md: OpenAPI Call
  Scenario: A body as a whole
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: openapi, version: '1.0.0'}
      do:
        - ask:
            call: openapi
            with:
              document: {endpoint: 'http://services.example/shop.json'}
              operationId: act
              parameters: {body: {item: tea, pieces: '${ .n }'}}
      """
    And given the workflow input is:
      """yaml
      n: 3
      """
    And given the service 'GET /shop.json' answers:
      """yaml
      body:
        openapi: 3.0.3
        info: {title: Shop, version: '1'}
        servers: [{url: 'http://services.example/api'}]
        paths:
          /orders:
            post:
              operationId: act
              requestBody: {$ref: '#/components/requestBodies/Order'}
              responses: {'200': {description: Done}}
        components:
          requestBodies:
            Order:
              required: true
              content:
                application/json:
                  schema: {$ref: '#/components/schemas/Order'}
          schemas:
            Order: {type: object, properties: {item: {type: string}, pieces: {type: integer}}}
      """
    And given the service 'POST /api/orders' answers:
      """yaml
      body: {ok: true}
      """
    When the workflow is executed
    Then the workflow should complete
    And the service 'POST /api/orders' should have received:
      """yaml
      body: {item: tea, pieces: 3}
      """

  # dsl-reference.md: OpenAPI Call
  Scenario: A body by its members
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: openapi, version: '1.0.0'}
      do:
        - ask:
            call: openapi
            with:
              document: {endpoint: 'http://services.example/shop.json'}
              operationId: act
              parameters: {item: tea, pieces: '${ .n }'}
      """
    And given the workflow input is:
      """yaml
      n: 3
      """
    And given the service 'GET /shop.json' answers:
      """yaml
      body:
        openapi: 3.0.3
        info: {title: Shop, version: '1'}
        servers: [{url: 'http://services.example/api'}]
        paths:
          /orders:
            post:
              operationId: act
              requestBody: {$ref: '#/components/requestBodies/Order'}
              responses: {'200': {description: Done}}
        components:
          requestBodies:
            Order:
              required: true
              content:
                application/json:
                  schema: {$ref: '#/components/schemas/Order'}
          schemas:
            Order: {type: object, properties: {item: {type: string}, pieces: {type: integer}}}
      """
    And given the service 'POST /api/orders' answers:
      """yaml
      body: {ok: true}
      """
    When the workflow is executed
    Then the workflow should complete
    And the service 'POST /api/orders' should have received:
      """yaml
      body: {item: tea, pieces: 3}
      """

  # dsl-reference.md: OpenAPI Call
  Scenario: A body as a form
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: openapi, version: '1.0.0'}
      do:
        - ask:
            call: openapi
            with:
              document: {endpoint: 'http://services.example/shop.json'}
              operationId: act
              parameters: {item: tea, pieces: '${ .n }'}
      """
    And given the workflow input is:
      """yaml
      n: 3
      """
    And given the service 'GET /shop.json' answers:
      """yaml
      body:
        openapi: 3.0.3
        info: {title: Shop, version: '1'}
        servers: [{url: 'http://services.example/api'}]
        paths:
          /orders:
            post:
              operationId: act
              requestBody: {$ref: '#/components/requestBodies/Order'}
              responses: {'200': {description: Done}}
        components:
          requestBodies:
            Order:
              required: true
              content:
                application/x-www-form-urlencoded:
                  schema: {$ref: '#/components/schemas/Order'}
          schemas:
            Order: {type: object, properties: {item: {type: string}, pieces: {type: integer}}}
      """
    And given the service 'POST /api/orders' answers:
      """yaml
      body: {ok: true}
      """
    When the workflow is executed
    Then the workflow should complete
    And the service 'POST /api/orders' should have received:
      """yaml
      body: {item: tea, pieces: '3'}
      headers: {content-type: application/x-www-form-urlencoded}
      """

  # dsl-reference.md: OpenAPI Call
  Scenario: A form of Swagger 2
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: openapi, version: '1.0.0'}
      do:
        - ask:
            call: openapi
            with:
              document: {endpoint: 'http://services.example/shop.json'}
              operationId: act
              parameters: {item: tea, pieces: 3}
      """
    And given the service 'GET /shop.json' answers:
      """yaml
      body:
        swagger: '2.0'
        info: {title: Shop, version: '1'}
        host: services.example
        basePath: /api
        schemes: [http]
        paths:
          /orders:
            post:
              operationId: act
              consumes: [application/x-www-form-urlencoded]
              parameters:
                - {name: item, in: formData, type: string, required: true}
                - {name: pieces, in: formData, type: integer}
              responses: {'200': {description: Done}}
      """
    And given the service 'POST /api/orders' answers:
      """yaml
      body: {ok: true}
      """
    When the workflow is executed
    Then the workflow should complete
    And the service 'POST /api/orders' should have received:
      """yaml
      body: {item: tea, pieces: '3'}
      """

  # dsl-reference.md: OpenAPI Call
  Scenario: The server of an operation, with a variable
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: openapi, version: '1.0.0'}
      do:
        - ask:
            call: openapi
            with:
              document: {endpoint: 'http://services.example/shop.json'}
              operationId: act
              parameters: {}
      """
    And given the service 'GET /shop.json' answers:
      """yaml
      body:
        openapi: 3.0.3
        info: {title: Shop, version: '1'}
        servers: [{url: 'http://services.example/other'}]
        paths:
          /orders:
            get:
              operationId: act
              servers:
                - url: 'http://services.example/{version}'
                  variables: {version: {default: v2}}
              responses: {'200': {description: Done}}
      """
    And given the service 'GET /v2/orders' answers:
      """yaml
      body: {ok: true}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      ok: true
      """

  # dsl-reference.md: OpenAPI Call
  Scenario: A server that is relative to the document
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: openapi, version: '1.0.0'}
      do:
        - ask:
            call: openapi
            with:
              document: {endpoint: 'http://services.example/shop.json'}
              operationId: act
              parameters: {}
      """
    And given the service 'GET /shop.json' answers:
      """yaml
      body:
        openapi: 3.0.3
        info: {title: Shop, version: '1'}
        servers: [{url: /api/v3}]
        paths:
          /orders:
            get:
              operationId: act
              responses: {'200': {description: Done}}
      """
    And given the service 'GET /api/v3/orders' answers:
      """yaml
      body: {ok: true}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      ok: true
      """

  # dsl-reference.md: OpenAPI Call
  Scenario: An API key of the document
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: openapi, version: '1.0.0'}
      do:
        - ask:
            call: openapi
            with:
              document: {endpoint: 'http://services.example/shop.json'}
              operationId: act
              parameters: {X-Key: '${ .key }'}
      """
    And given the workflow input is:
      """yaml
      key: k-1
      """
    And given the service 'GET /shop.json' answers:
      """yaml
      body:
        openapi: 3.0.3
        info: {title: Shop, version: '1'}
        servers: [{url: 'http://services.example/api'}]
        security: [{key: []}]
        paths:
          /orders:
            get:
              operationId: act
              responses: {'200': {description: Done}}
        components:
          securitySchemes:
            key: {type: apiKey, in: header, name: X-Key}
      """
    And given the service 'GET /api/orders' answers:
      """yaml
      body: {ok: true}
      """
    When the workflow is executed
    Then the workflow should complete
    And the service 'GET /api/orders' should have received:
      """yaml
      headers: {x-key: k-1}
      """

  # dsl-reference.md: OpenAPI Call
  Scenario: Credentials by the name of a scheme of the document
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: openapi, version: '1.0.0'}
      use:
        authentications:
          key: {bearer: {token: t-1}}
      do:
        - ask:
            call: openapi
            with:
              document: {endpoint: 'http://services.example/shop.json'}
              operationId: act
              parameters: {}
      """
    And given the service 'GET /shop.json' answers:
      """yaml
      body:
        openapi: 3.0.3
        info: {title: Shop, version: '1'}
        servers: [{url: 'http://services.example/api'}]
        security: [{key: []}]
        paths:
          /orders:
            get:
              operationId: act
              responses: {'200': {description: Done}}
        components:
          securitySchemes:
            key: {type: http, scheme: bearer}
      """
    And given the service 'GET /api/orders' answers:
      """yaml
      body: {ok: true}
      """
    When the workflow is executed
    Then the workflow should complete
    And the service 'GET /api/orders' should have received:
      """yaml
      headers: {authorization: Bearer t-1}
      """

  # dsl-reference.md: OpenAPI Call
  Scenario: A parameter that the operation requires is missing
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: openapi, version: '1.0.0'}
      do:
        - ask:
            call: openapi
            with:
              document: {endpoint: 'http://services.example/shop.json'}
              operationId: act
              parameters: {detail: full}
      """
    And given the service 'GET /shop.json' answers:
      """yaml
      body:
        openapi: 3.0.3
        info: {title: Shop, version: '1'}
        servers: [{url: 'http://services.example/api'}]
        paths:
          /orders/{id}:
            get:
              operationId: act
              parameters:
                - {name: id, in: path, required: true, schema: {type: integer}}
                - {name: detail, in: query, schema: {type: string}}
              responses: {'200': {description: Done}}
      """
    When the workflow is executed
    Then the definition should be refused

  # dsl-reference.md: OpenAPI Call
  Scenario: A parameter that the operation does not have
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: openapi, version: '1.0.0'}
      do:
        - ask:
            call: openapi
            with:
              document: {endpoint: 'http://services.example/shop.json'}
              operationId: act
              parameters: {id: 7, detial: full}
      """
    And given the service 'GET /shop.json' answers:
      """yaml
      body:
        openapi: 3.0.3
        info: {title: Shop, version: '1'}
        servers: [{url: 'http://services.example/api'}]
        paths:
          /orders/{id}:
            get:
              operationId: act
              parameters:
                - {name: id, in: path, required: true, schema: {type: integer}}
                - {name: detail, in: query, schema: {type: string}}
              responses: {'200': {description: Done}}
      """
    When the workflow is executed
    Then the definition should be refused
