Feature: Examples of the specification
  Each scenario runs one document of its examples, whose file it names.

  Scenario: The result of a listen is an array, which has no such member
    Given the example accumulate-room-readings.yaml
    And given the service 'GET /ordersservices.json' answers:
      """yaml
      body:
        openapi: 3.1.0
        info: {title: Orders, version: '1'}
        servers: [{url: 'http://services.example'}]
        paths:
          /readings: {post: {operationId: logreading, responses: {}}}
          /report: {get: {operationId: produceReport, responses: {}}}
      """
    When the workflow is started
    And the workflow waits in consumeReading
    And the event is published:
      """yaml
      {type: my.home.sensors.temperature, source: 'https://my.home.com/sensor', roomid: r1, data: {t: 20}}
      """
    And the event is published:
      """yaml
      {type: my.home.sensors.humidity, source: 'https://my.home.com/sensor', roomid: r2, data: {h: 30}}
      """
    And the event is published:
      """yaml
      {type: my.home.sensors.humidity, source: 'https://my.home.com/sensor', roomid: r1, data: {h: 40}}
      """
    Then the workflow should fault with error:
      """yaml
      {type: https://serverlessworkflow.io/spec/1.0.0/errors/expression, instance: /do/0/consumeReading}
      """
    And the service 'GET /report' should have received 0 requests

  Scenario: A token of the input
    Given the example authentication-bearer-uri-format.yaml
    And given the workflow input is:
      """yaml
      {petId: 7, token: t-1}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      {id: 7, name: pet-7, status: available}
      """
    And the service 'GET /v2/pet/7' should have received:
      """yaml
      headers: {authorization: Bearer t-1}
      """

  Scenario: A token of the input
    Given the example authentication-reusable.yaml
    And given the workflow input is:
      """yaml
      {petId: 7, token: t-1}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      {id: 7, name: pet-7, status: available}
      """
    And the service 'GET /v2/pet/7' should have received:
      """yaml
      headers: {authorization: Bearer t-1}
      """

  Scenario: A token of the input
    Given the example authentication-bearer.yaml
    And given the workflow input is:
      """yaml
      {token: t-1}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      {id: 1, name: pet-1, status: available}
      """
    And the service 'GET /v2/pet/1' should have received:
      """yaml
      headers: {authorization: Bearer t-1}
      """

  Scenario: The authority's token, its policy in a secret
    Given the example authentication-oauth2-secret.yaml
    And given the workflow input is:
      """yaml
      petId: 7
      """
    And given the secret 'mySecret' is:
      """yaml
      authority: http://keycloak/realms/fake-authority
      endpoints: {token: /auth/token}
      grant: client_credentials
      client: {id: workflow-runtime-id, secret: workflow-runtime-secret}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      {id: 7, name: pet-7, status: available}
      """
    And the service 'GET /v2/pet/7' should have received:
      """yaml
      headers: {authorization: '/^Bearer eyJ[^.]+[.][^.]+[.][^.]+$/'}
      """

  Scenario: The authority's token
    Given the example authentication-oauth2.yaml
    And given the workflow input is:
      """yaml
      petId: 7
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      {id: 7, name: pet-7, status: available}
      """
    And the service 'GET /v2/pet/7' should have received:
      """yaml
      headers: {authorization: '/^Bearer eyJ[^.]+[.][^.]+[.][^.]+$/'}
      """

  Scenario: The authority's token, its policy in a secret
    Given the example authentication-oidc-secret.yaml
    And given the workflow input is:
      """yaml
      petId: 7
      """
    And given the secret 'mySecret' is:
      """yaml
      authority: http://keycloak/realms/fake-authority
      grant: client_credentials
      client: {id: workflow-runtime-id, secret: workflow-runtime-secret}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      {id: 7, name: pet-7, status: available}
      """
    And the service 'GET /v2/pet/7' should have received:
      """yaml
      headers: {authorization: '/^Bearer eyJ[^.]+[.][^.]+[.][^.]+$/'}
      """

  Scenario: The authority's token
    Given the example authentication-oidc.yaml
    And given the workflow input is:
      """yaml
      petId: 7
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      {id: 7, name: pet-7, status: available}
      """
    And the service 'GET /v2/pet/7' should have received:
      """yaml
      headers: {authorization: '/^Bearer eyJ[^.]+[.][^.]+[.][^.]+$/'}
      """

  Scenario: A message over NATS
    Given the example call-asyncapi-publish.yaml
    And given the workflow input is:
      """yaml
      {pet: {id: 7}, token: t-1}
      """
    And given the service 'GET /docs/asyncapi.json' answers:
      """yaml
      body:
        asyncapi: 2.6.0
        info: {title: Pets, version: '1'}
        servers:
          staging: {url: 'nats://nats.example', protocol: nats}
        channels:
          pets: {publish: {operationId: findPetsByStatus}}
      """
    When the workflow is executed
    Then the workflow should complete
    And the workflow output should have a 'payload' property with value:
      """yaml
      petId: 7
      """

  Scenario: Five messages over WebSocket that pass the filter
    Given the example call-asyncapi-subscribe-consume-amount.yaml
    And given the workflow input is:
      """yaml
      userId: u-1
      contact: {firstName: Ada, lastName: Byron}
      """
    And given the service 'GET /docs/asyncapi.json' answers:
      """yaml
      body:
        asyncapi: 2.6.0
        info: {title: Notifications, version: '1'}
        servers:
          live: {url: 'ws://websocket.example', protocol: ws}
        channels:
          /feed:
            subscribe:
              operationId: getNotifications
              message: {correlationId: {location: '$message.payload#/userId'}}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      - {headers: {}, correlationId: u-1, payload: {userId: u-1, from: {firstName: Ada, lastName: Byron}, n: 1}}
      - {headers: {}, correlationId: u-1, payload: {userId: u-1, from: {firstName: Ada, lastName: Byron}, n: 2}}
      - {headers: {}, correlationId: u-1, payload: {userId: u-1, from: {firstName: Ada, lastName: Byron}, n: 4}}
      - {headers: {}, correlationId: u-1, payload: {userId: u-1, from: {firstName: Ada, lastName: Byron}, n: 5}}
      - {headers: {}, correlationId: u-1, payload: {userId: u-1, from: {firstName: Ada, lastName: Byron}, n: 7}}
      """

  Scenario: An event for each message
    Given the example call-asyncapi-subscribe-consume-forever-foreach.yaml
    And given the workflow input is:
      """yaml
      userId: u-1
      contact: {firstName: Ada, lastName: Byron}
      """
    And given the service 'GET /docs/asyncapi.json' answers:
      """yaml
      body:
        asyncapi: 2.6.0
        info: {title: Notifications, version: '1'}
        servers:
          live: {url: 'http://services.example', protocol: http}
        channels:
          /notifications:
            subscribe:
              operationId: getNotifications
              message: {correlationId: {location: '$message.payload#/userId'}}
      """
    And given the service 'GET /notifications' answers:
      """yaml
      headers: {Content-Type: application/x-ndjson}
      body: |
        {"userId": "u-1", "from": {"firstName": "Ada", "lastName": "Byron"}, "n": 1}
        {"userId": "u-2", "from": {"firstName": "Ada", "lastName": "Byron"}, "n": 2}
        {"userId": "u-1", "from": {"firstName": "Eve", "lastName": "Byron"}, "n": 3}
        {"userId": "u-1", "from": {"firstName": "Ada", "lastName": "Byron"}, "n": 4}
      """
    When the workflow is executed
    Then the workflow should complete
    And the workflow output should have a '0.data' property with value:
      """yaml
      message: {headers: {}, correlationId: u-1, payload: {userId: u-1, from: {firstName: Ada, lastName: Byron}, n: 1}}
      """
    And the workflow output should have a '1.data' property with value:
      """yaml
      message: {headers: {}, correlationId: u-1, payload: {userId: u-1, from: {firstName: Ada, lastName: Byron}, n: 4}}
      """
    And the workflow output should have a '1.type' property with value:
      """yaml
      io.serverlessworkflow.samples.asyncapi.message.consumed.v1
      """

  Scenario: The messages of a channel that ends
    Given the example call-asyncapi-subscribe-consume-until.yaml
    And given the workflow input is:
      """yaml
      userId: u-1
      contact: {firstName: Ada, lastName: Byron}
      """
    And given the service 'GET /docs/asyncapi.json' answers:
      """yaml
      body:
        asyncapi: 2.6.0
        info: {title: Notifications, version: '1'}
        servers:
          live: {url: 'http://services.example', protocol: http}
        channels:
          /notifications:
            subscribe:
              operationId: getNotifications
              message: {correlationId: {location: '$message.payload#/userId'}}
      """
    And given the service 'GET /notifications' answers:
      """yaml
      headers: {Content-Type: application/x-ndjson}
      body: |
        {"userId": "u-1", "from": {"firstName": "Ada", "lastName": "Byron"}, "n": 1}
        {"userId": "u-2", "from": {"firstName": "Ada", "lastName": "Byron"}, "n": 2}
        {"userId": "u-1", "from": {"firstName": "Eve", "lastName": "Byron"}, "n": 3}
        {"userId": "u-1", "from": {"firstName": "Ada", "lastName": "Byron"}, "n": 4}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      - {headers: {}, correlationId: u-1, payload: {userId: u-1, from: {firstName: Ada, lastName: Byron}, n: 1}}
      - {headers: {}, correlationId: u-1, payload: {userId: u-1, from: {firstName: Ada, lastName: Byron}, n: 4}}
      """

  Scenario: The messages of a channel that ends
    Given the example call-asyncapi-subscribe-consume-while.yaml
    And given the workflow input is:
      """yaml
      userId: u-1
      contact: {firstName: Ada, lastName: Byron}
      """
    And given the service 'GET /docs/asyncapi.json' answers:
      """yaml
      body:
        asyncapi: 2.6.0
        info: {title: Notifications, version: '1'}
        servers:
          live: {url: 'http://services.example', protocol: http}
        channels:
          /notifications:
            subscribe:
              operationId: getNotifications
              message: {correlationId: {location: '$message.payload#/userId'}}
      """
    And given the service 'GET /notifications' answers:
      """yaml
      headers: {Content-Type: application/x-ndjson}
      body: |
        {"userId": "u-1", "from": {"firstName": "Ada", "lastName": "Byron"}, "n": 1}
        {"userId": "u-2", "from": {"firstName": "Ada", "lastName": "Byron"}, "n": 2}
        {"userId": "u-1", "from": {"firstName": "Eve", "lastName": "Byron"}, "n": 3}
        {"userId": "u-1", "from": {"firstName": "Ada", "lastName": "Byron"}, "n": 4}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      - {headers: {}, correlationId: u-1, payload: {userId: u-1, from: {firstName: Ada, lastName: Byron}, n: 1}}
      - {headers: {}, correlationId: u-1, payload: {userId: u-1, from: {firstName: Ada, lastName: Byron}, n: 4}}
      """

  Scenario: An end by the context before the first message
    Given the example call-asyncapi-subscribe-consume-until.yaml
    And given the workflow input is:
      """yaml
      userId: u-1
      contact: {firstName: Ada, lastName: Byron}
      consumedMessages: [1, 2, 3, 4, 5]
      """
    And given the service 'GET /docs/asyncapi.json' answers:
      """yaml
      body:
        asyncapi: 2.6.0
        info: {title: Notifications, version: '1'}
        servers:
          live: {url: 'http://services.example', protocol: http}
        channels:
          /notifications:
            subscribe:
              operationId: getNotifications
              message: {correlationId: {location: '$message.payload#/userId'}}
      """
    And given the service 'GET /notifications' answers:
      """yaml
      headers: {Content-Type: application/x-ndjson}
      body: |
        {"userId": "u-1", "from": {"firstName": "Ada", "lastName": "Byron"}, "n": 1}
        {"userId": "u-2", "from": {"firstName": "Ada", "lastName": "Byron"}, "n": 2}
        {"userId": "u-1", "from": {"firstName": "Eve", "lastName": "Byron"}, "n": 3}
        {"userId": "u-1", "from": {"firstName": "Ada", "lastName": "Byron"}, "n": 4}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      []
      """

  Scenario: A function of a catalog
    Given the example call-custom-function-cataloged.yaml
    And given the service 'GET /serverlessworkflow/catalog/main/functions/log/1.0.0/function.yaml' answers:
      """yaml
      body: "set: {logged: '${ .message }', level: '${ .level }'}"
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      {logged: 'Hello, world!', level: information}
      """

  Scenario: A function of the definition
    Given the example call-custom-function-inline.yaml
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      {id: 69, name: pet-69, status: available}
      """
    And the service 'GET /v2/pet/69' should have received 1 requests

  Scenario: A greeting
    Given the example call-grpc.yaml
    And given the workflow input is:
      """yaml
      user: {preferredDisplayName: Ada}
      """
    And given the service 'GET /greet.proto' answers:
      """yaml
      body: |
        syntax = "proto3";
        package GreeterApi;
        service Greeter { rpc SayHello (HelloRequest) returns (HelloReply); }
        message HelloRequest { string name = 1; }
        message HelloReply { string message = 1; }
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      message: Hello, Ada!
      """

  Scenario: A variable in the address
    Given the example call-http-endpoint-interpolation-shorthand.yaml
    And given the workflow input is:
      """yaml
      petId: 7
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      {id: 7, name: pet-7, status: available}
      """

  Scenario: An expression as address
    Given the example call-http-endpoint-interpolation.yaml
    And given the workflow input is:
      """yaml
      petId: 7
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      {id: 7, name: pet-7, status: available}
      """
    And the service 'GET /v2/pet/7' should have received 1 requests

  Scenario: Query and headers by expressions
    Given the example call-http-query-headers-expressions.yaml
    And given the workflow input is:
      """yaml
      searchQuery: luke
      """
    And given the service 'GET /api/people/' answers:
      """yaml
      body: {count: 1}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      count: 1
      """
    And the service 'GET /api/people/' should have received:
      """yaml
      {query: {search: luke}, headers: {accept: application/json}}
      """

  Scenario: An input that its schema refuses
    Given the example call-http-query-headers-expressions.yaml
    And given the workflow input is:
      """yaml
      searchQuery: 7
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      {type: https://serverlessworkflow.io/spec/1.0.0/errors/validation, status: 400}
      """
    And the service 'GET /api/people/' should have received 0 requests

  Scenario: A query
    Given the example call-http-query-parameters.yaml
    And given the workflow input is:
      """yaml
      searchQuery: luke & leia
      """
    And given the service 'GET /api/people/' answers:
      """yaml
      body: {count: 2}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      count: 2
      """
    And the service 'GET /api/people/' should have received:
      """yaml
      query: {search: luke & leia}
      """

  Scenario: A redirection is no error
    Given the example call-http-redirect.yaml
    And given the workflow input is:
      """yaml
      searchQuery: luke
      """
    And given the service 'GET /api/people/' answers:
      """yaml
      status: 302
      headers: {Location: 'http://services.example/elsewhere'}
      body: {moved: true}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      moved: true
      """
    And the service 'GET /elsewhere' should have received 0 requests

  Scenario: A tool of a program
    Given the example call-mcp.yaml
    When the workflow is executed
    Then the workflow should complete
    And the workflow output should have a 'sent.params' property with value:
      """yaml
      name: conversations_add_message
      arguments:
        channel_id: C1234567890
        thread_ts: '1623456789.123456'
        payload: 'Hello, world! :wave:'
        content_type: text/markdown
      """
    And the workflow output should have a 'words' property with value:
      """yaml
      [slack-mcp-serverr@latest, --transport, stdio]
      """
    And the workflow output should have a 'token' property with value:
      """yaml
      xoxp-xv6Cv3jKqNW8esm5YnsftKwIzoQHUzAP
      """

  Scenario: A redirection is no error
    Given the example call-openapi-redirect.yaml
    And given the service 'GET /v2/pet/findByStatus' answers:
      """yaml
      status: 302
      headers: {Location: 'http://services.example/elsewhere'}
      body: {moved: true}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      moved: true
      """
    And the service 'GET /elsewhere' should have received 0 requests

  Scenario: An operation
    Given the example call-openapi.yaml
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      [{id: 1, name: pet-1, status: available}, {id: 2, name: pet-2, status: available}]
      """
    And the service 'GET /v2/pet/findByStatus' should have received:
      """yaml
      query: {status: available}
      """

  Scenario: A condition that holds
    Given the example conditional-task.yaml
    And given the workflow input is:
      """yaml
      {customer: {age: 17}, bet: {stake: 5}}
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      {type: 'https://superbet-casinos.com/customer/access-forbidden', status: 400, title: Access Forbidden}
      """
    And the service 'POST /api/bet/on/football' should have received 0 requests

  Scenario: A condition that does not hold
    Given the example conditional-task.yaml
    And given the workflow input is:
      """yaml
      {customer: {age: 18}, bet: {stake: 5}}
      """
    And given the service 'POST /api/bet/on/football' answers:
      """yaml
      body: {placed: true}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      placed: true
      """
    And the service 'POST /api/bet/on/football' should have received 1 requests

  Scenario: A task on the output of the one before
    Given the example do-multiple.yaml
    And given the workflow input is:
      """yaml
      petId: 7
      """
    And given the service 'GET /v2/pet/7' answers:
      """yaml
      body: {petId: 7, name: Rex}
      """
    And given the service 'PUT /v2/pet/7' answers:
      """yaml
      body: {bought: true}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      bought: true
      """
    And the service 'PUT /v2/pet/7' should have received:
      """yaml
      body: {petId: 7, name: Rex, status: sold}
      """

  Scenario: One task
    Given the example do-single.yaml
    And given the workflow input is:
      """yaml
      petId: 7
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      {id: 7, name: pet-7, status: available}
      """

  Scenario: An event
    Given the example emit.yaml
    When the workflow is executed
    Then the workflow should complete
    And the workflow output should have a 'type' property with value:
      """yaml
      com.petstore.order.placed.v1
      """
    And the workflow output should have a 'source' property with value:
      """yaml
      https://petstore.com
      """
    And the workflow output should have a 'data' property with value:
      """yaml
      {client: {firstName: Cruella, lastName: de Vil}, items: [{breed: dalmatian, quantity: 101}]}
      """

  Scenario: A loop over an array of the definition
    Given the example for-inline-array.yaml
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      processed: [{name: red, hex: '#FF0000'}, {name: green, hex: '#00FF00'}, {name: blue, hex: '#0000FF'}]
      """

  Scenario: A loop that does not begin
    Given the example for.yaml
    And given the workflow input is:
      """yaml
      pets: [{id: 1}, {id: 2}]
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      pets: [{id: 1}, {id: 2}]
      """
    And waitForCheckup should have run 0 times

  Scenario: The result of a listen is an array, which has no such member
    Given the example for.yaml
    And given the workflow input is:
      """yaml
      {pets: [{id: 1}], vet: Ann}
      """
    When the workflow is started
    And the workflow waits in waitForCheckup
    And the event is published:
      """yaml
      {type: com.fake.petclinic.pets.checkup.completed.v2, data: {}}
      """
    Then the workflow should fault with error:
      """yaml
      type: https://serverlessworkflow.io/spec/1.0.0/errors/expression
      """

  Scenario: The faster branch
    Given the example fork.yaml
    And given the workflow input is:
      """yaml
      {patient: {fullName: Ada Byron}, room: {number: 7}}
      """
    And given the service 'PUT /api/v3/alert/nurses' answers:
      """yaml
      body: {by: nurse}
      """
    And given the service 'PUT /api/v3/alert/doctor' answers:
      """yaml
      {delay: PT60S, body: {by: doctor}}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      by: nurse
      """
    And the service 'PUT /api/v3/alert/nurses' should have received:
      """yaml
      body: {patientId: Ada Byron, room: 7}
      """

  Scenario: Whole events
    Given the example listen-to-all read-envelope.yaml
    When the workflow is started
    And the workflow waits in callDoctor
    And the event is published:
      """yaml
      {type: com.fake-hospital.vitals.measurements.temperature, data: {temperature: 38}}
      """
    And the event is published:
      """yaml
      {type: com.fake-hospital.vitals.measurements.temperature, data: {temperature: 39}}
      """
    And the event is published:
      """yaml
      {type: com.fake-hospital.vitals.measurements.bpm, data: {bpm: 120}}
      """
    Then the workflow should complete
    And the workflow output should have a '0.type' property with value:
      """yaml
      com.fake-hospital.vitals.measurements.temperature
      """
    And the workflow output should have a '0.data' property with value:
      """yaml
      temperature: 39
      """
    And the workflow output should have a '1.type' property with value:
      """yaml
      com.fake-hospital.vitals.measurements.bpm
      """
    And the workflow output should have a '1.data' property with value:
      """yaml
      bpm: 120
      """

  Scenario: An event for each filter
    Given the example listen-to-all.yaml
    When the workflow is started
    And the workflow waits in callDoctor
    And the event is published:
      """yaml
      {type: com.fake-hospital.vitals.measurements.bpm, data: {bpm: 80}}
      """
    And the event is published:
      """yaml
      {type: com.fake-hospital.vitals.measurements.bpm, data: {bpm: 120}}
      """
    And the event is published:
      """yaml
      {type: com.fake-hospital.vitals.measurements.temperature, data: {temperature: 38}}
      """
    And the event is published:
      """yaml
      {type: com.fake-hospital.vitals.measurements.temperature, data: {temperature: 39}}
      """
    Then the workflow should complete with output:
      """yaml
      [{bpm: 120}, {temperature: 39}]
      """

  Scenario: The first event that passes a filter
    Given the example listen-to-any-filter.yaml
    When the workflow is started
    And the workflow waits in callDoctor
    And the event is published:
      """yaml
      {type: com.fake-hospital.vitals.measurements.temperature, data: {temperature: 38}}
      """
    And the event is published:
      """yaml
      {type: com.fake-hospital.vitals.measurements.bpm, data: {bpm: 80}}
      """
    And the event is published:
      """yaml
      {type: com.fake-hospital.vitals.measurements.bpm, data: {bpm: 50}}
      """
    Then the workflow should complete with output:
      """yaml
      [{bpm: 50}]
      """

  Scenario: A call for each event
    Given the example listen-to-any-forever-foreach.yaml
    And given the workflow input is:
      """yaml
      roomId: 7
      """
    And given the service 'POST /room/7' answers:
      """yaml
      body: {posted: true}
      """
    When the workflow is started
    And the workflow waits in listenToGossips
    And the event is published:
      """yaml
      {type: com.example.gossip, data: {text: psst}}
      """
    And the event is published:
      """yaml
      {type: com.example.rumour, data: {text: hush}}
      """
    Then the service 'POST /room/7' should have received:
      """yaml
      [{body: {event: {text: psst}}}, {body: {event: {text: hush}}}]
      """
    When the workflow is cancelled

  Scenario: Four events
    Given the example listen-to-any-until-condition.yaml
    When the workflow is started
    And the workflow waits in callDoctor
    And the event is published:
      """yaml
      {type: com.example.any, data: {n: 1}}
      """
    And the event is published:
      """yaml
      {type: com.example.any, data: {n: 2}}
      """
    And the event is published:
      """yaml
      {type: com.example.any, data: {n: 3}}
      """
    And the event is published:
      """yaml
      {type: com.example.any, data: {n: 4}}
      """
    Then the workflow should complete with output:
      """yaml
      [{n: 1}, {n: 2}, {n: 3}, {n: 4}]
      """

  Scenario: Events until another one
    Given the example listen-to-any-until-consumed.yaml
    When the workflow is started
    And the workflow waits in callDoctor
    And the event is published:
      """yaml
      {type: com.fake-hospital.vitals.measurements.temperature, data: {temperature: 39}}
      """
    And the event is published:
      """yaml
      {type: com.fake-hospital.vitals.measurements.temperature, data: {temperature: 36}}
      """
    And the event is published:
      """yaml
      {type: com.fake-hospital.vitals.measurements.bpm, data: {bpm: 130}}
      """
    And the event is published:
      """yaml
      {type: com.fake-hospital.patient.checked-out, data: {}}
      """
    Then the workflow should complete with output:
      """yaml
      [{temperature: 39}, {bpm: 130}]
      """

  Scenario: Any event
    Given the example listen-to-any.yaml
    When the workflow is started
    And the workflow waits in callDoctor
    And the event is published:
      """yaml
      {type: com.example.any, data: {n: 1}}
      """
    Then the workflow should complete with output:
      """yaml
      [{n: 1}]
      """

  Scenario: The result of a listen is an array, which has no such member
    Given the example listen-to-one.yaml
    And given the workflow input is:
      """yaml
      carId: c1
      """
    When the workflow is started
    And the workflow waits in waitForStartup
    And the event is published:
      """yaml
      {type: com.virtual-wf-powered-race.events.race.started.v1, data: {carId: c1}}
      """
    Then the workflow should fault with error:
      """yaml
      {type: https://serverlessworkflow.io/spec/1.0.0/errors/expression, instance: /do/1/startup}
      """
    And the service 'POST /api/v4/cars/c1/start' should have received 0 requests

  Scenario: A service that the condition does not name
    Given the example mock-service-extension.yaml
    And given the service 'GET /sample' answers:
      """yaml
      body: {real: true}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      real: true
      """
    And the service 'GET /sample' should have received 1 requests

  Scenario: An error
    Given the example raise-inline.yaml
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      type: https://serverlessworkflow.io/errors/not-implemented
      status: 500
      title: Not Implemented
      detail: The workflow 'raise-not-implemented:0.1.0' is a work in progress and cannot be run yet
      """

  Scenario: An error by name
    Given the example raise-reusable.yaml
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      type: https://serverlessworkflow.io/errors/not-implemented
      status: 500
      title: Not Implemented
      detail: The workflow 'raise-not-implemented:0.1.0' is a work in progress and cannot be run yet
      """

  @requires:node
  Scenario: Standard input, arguments, environment
    Given the example run-script-with-stdin-and-arguments.yaml
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      "stdin >  Hello Workflow\narg >  hello\nenv >  bar\n"
      """

  Scenario: Standard input and arguments
    Given the example run-shell-stdin-and-arguments.yaml
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      "STDIN was: Hello World\nARGS are Foo Bar\n"
      """

  Scenario: The output of a child
    Given the example run-subflow.yaml
    And given another workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: test, name: register-customer, version: '0.1.0'}
      do:
        - register: {set: {registered: true}}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      registered: true
      """
    And register should run after registerCustomer

  Scenario: A start beside the schedule
    Given the example schedule-cron.yaml
    And given the service 'POST /api/v1/backup/start' answers:
      """yaml
      body: {begun: true}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      begun: true
      """
    And the service 'POST /api/v1/backup/start' should have received 1 requests

  Scenario: A run for an event
    Given the example schedule-event-driven.yaml
    And given the service 'POST /api/v1/notify' answers:
      """yaml
      body: {notified: true}
      """
    When the workflow is deployed
    And the event is published:
      """yaml
      type: com.example.hospital.events.patients.heartbeat.low
      data:
        timestamp: '2026-01-31T12:00:00Z'
        patient: {id: p-1, name: Ada, room: {number: 7}, vitals: {bpm: 32}}
      """
    Then the service 'POST /api/v1/notify' should have received:
      """yaml
      body:
        patientId: p-1
        patientName: Ada
        roomNumber: 7
        vitals: {heartRate: 32, timestamp: '2026-01-31T12:00:00Z'}
        message: "Alert: Patient's heartbeat is critically low. Immediate attention required."
      """

  Scenario: The event that starts a run
    Given the example set-expression.yaml
    When the workflow is deployed
    And the event is published:
      """yaml
      {type: io.serverlessworkflow.samples.events.trigger.v1, data: {n: 1}}
      """
    Then a lifecycle event 'workflow.completed' should have data:
      """yaml
      output: {type: io.serverlessworkflow.samples.events.trigger.v1, data: {n: 1}}
      """

  Scenario: The event that starts a run
    Given the example set.yaml
    When the workflow is deployed
    And the event is published:
      """yaml
      {type: io.serverlessworkflow.samples.events.trigger.v1, data: {n: 1}}
      """
    Then a lifecycle event 'workflow.completed' should have data:
      """yaml
      output: {startEvent: {type: io.serverlessworkflow.samples.events.trigger.v1, data: {n: 1}}}
      """

  Scenario: An address from an answer
    Given the example star-wars-homeworld.yaml
    And given the workflow input is:
      """yaml
      id: 1
      """
    And given the service 'GET /api/people/1' answers:
      """yaml
      body: {name: Luke, homeworld: 'http://services.example/api/planets/1'}
      """
    And given the service 'GET /api/planets/1' answers:
      """yaml
      body: {name: Tatooine}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      name: Tatooine
      """
    And the service 'GET /api/planets/1' should have received 1 requests

  Scenario: The first case
    Given the example switch-then-string.yaml
    And given the workflow input is:
      """yaml
      orderType: electronic
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      {validate: true, status: fulfilled}
      """

  Scenario: The second case
    Given the example switch-then-string.yaml
    And given the workflow input is:
      """yaml
      orderType: physical
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      {inventory: clear, items: 1, address: Elmer St}
      """

  Scenario: No case
    Given the example switch-then-string.yaml
    And given the workflow input is:
      """yaml
      orderType: other
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      {log: warn, message: something's wrong}
      """

  Scenario: A second attempt
    Given the example try-catch-retry-inline.yaml
    And given the workflow input is:
      """yaml
      petId: 7
      """
    And given the service 'GET /v2/pet/7' answers:
      """yaml
      [{status: 503}, {body: {id: 7}}]
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      id: 7
      """
    And the service 'GET /v2/pet/7' should have received 2 requests

  Scenario: A second attempt
    Given the example try-catch-retry-reusable.yaml
    And given the workflow input is:
      """yaml
      petId: 7
      """
    And given the service 'GET /v2/pet/7' answers:
      """yaml
      [{status: 503}, {body: {id: 7}}]
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      id: 7
      """
    And the service 'GET /v2/pet/7' should have received 2 requests

  Scenario: Errors of another status
    Given the example try-catch-retry-inline.yaml
    And given the workflow input is:
      """yaml
      petId: 7
      """
    And given the service 'GET /v2/pet/7' answers:
      """yaml
      status: 500
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      {type: https://serverlessworkflow.io/spec/1.0.0/errors/communication, status: 500}
      """
    And the service 'GET /v2/pet/7' should have received 1 requests

  Scenario: The way after an error
    Given the example try-catch-then-directive.yaml
    And given the service 'GET /api' answers:
      """yaml
      status: 503
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      status: failed
      """

  Scenario: The way without an error
    Given the example try-catch-then-directive.yaml
    And given the service 'GET /api' answers:
      """yaml
      body: {fine: true}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      status: ok
      """

  Scenario: Tasks after an error
    Given the example try-catch-then.yaml
    And given the workflow input is:
      """yaml
      petId: 7
      """
    And given the service 'GET /v2/pet/7' answers:
      """yaml
      status: 404
      """
    When the workflow is executed
    Then the workflow output should have properties 'error'
    And setError should run after notifySupport
    And the service 'PUT /v2/pet/7' should have received 0 requests

  Scenario: No error
    Given the example try-catch-then.yaml
    And given the workflow input is:
      """yaml
      petId: 7
      """
    And given the service 'GET /v2/pet/7' answers:
      """yaml
      body: {petId: 7}
      """
    And given the service 'PUT /v2/pet/7' answers:
      """yaml
      body: {bought: true}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      bought: true
      """
    And the service 'PUT /v2/pet/7' should have received:
      """yaml
      body: {petId: 7, status: sold}
      """

  Scenario: An error that is caught
    Given the example try-catch.yaml
    And given the workflow input is:
      """yaml
      petId: 7
      """
    And given the service 'GET /v2/pet/7' answers:
      """yaml
      status: 404
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      petId: 7
      """

  Scenario: An error that is not caught
    Given the example try-catch.yaml
    And given the workflow input is:
      """yaml
      petId: 7
      """
    And given the service 'GET /v2/pet/7' answers:
      """yaml
      status: 403
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      {type: https://serverlessworkflow.io/spec/1.0.0/errors/communication, status: 403}
      """

  Scenario: The input after the time
    Given the example wait-duration-inline.yaml
    And given the workflow input is:
      """yaml
      n: 1
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      n: 1
      """
    And the workflow should have taken at least PT0.3S

  Scenario: The input after the time
    Given the example wait-duration-iso8601.yaml
    And given the workflow input is:
      """yaml
      n: 1
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      n: 1
      """
    And the workflow should have taken at least PT0.3S
