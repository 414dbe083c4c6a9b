@openapi
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
    Then the workflow should fault

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
    Then the workflow should fault

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
