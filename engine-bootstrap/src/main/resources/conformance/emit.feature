Feature: Emit
  Events that a workflow publishes.

  # dsl-reference.md: Emit
  Scenario: The output is the event
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: emit, version: '1.0.0'}
      do:
        - emitEvent:
            emit:
              event:
                with:
                  source: https://shop.example/orders
                  type: com.example.order.placed.v1
                  data: {order: 7}
      """
    When the workflow is executed
    Then the workflow should complete
    And the workflow output should have properties 'id', 'source', 'type', 'data', 'specversion', 'time'
    And the workflow output should have a 'source' property with value:
      """yaml
      https://shop.example/orders
      """
    And the workflow output should have a 'type' property with value:
      """yaml
      com.example.order.placed.v1
      """
    And the workflow output should have a 'data' property with value:
      """yaml
      order: 7
      """
    And the workflow output should have a 'specversion' property with value:
      """yaml
      '1.0'
      """

  # dsl-reference.md: Event Properties
  Scenario: Attributes that are stated
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: emit, version: '1.0.0'}
      do:
        - emitEvent:
            emit:
              event:
                with:
                  id: order-7
                  source: https://shop.example/orders
                  type: com.example.order.placed.v1
                  subject: order/7
                  time: '2026-01-02T03:04:05Z'
                  dataschema: https://shop.example/schemas/order
                  datacontenttype: application/json
                  data: {order: 7}
      """
    When the workflow is executed
    Then the workflow should complete
    And the workflow output should have a 'id' property with value:
      """yaml
      order-7
      """
    And the workflow output should have a 'subject' property with value:
      """yaml
      order/7
      """
    And the workflow output should have a 'dataschema' property with value:
      """yaml
      https://shop.example/schemas/order
      """
    And the workflow output should have a 'datacontenttype' property with value:
      """yaml
      application/json
      """

  # dsl-reference.md: Event Properties
  Scenario: Attributes made by expressions
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: emit, version: '1.0.0'}
      do:
        - emitEvent:
            emit:
              event:
                with:
                  source: ${ "https://shop.example/" + .shop }
                  type: com.example.order.placed.v1
                  time: ${ .time }
                  data:
                    order: ${ .order }
                    lines: ['${ .order + 1 }', fixed]
      """
    And given the workflow input is:
      """yaml
      {shop: berlin, order: 7, time: '2026-01-02T03:04:05Z'}
      """
    When the workflow is executed
    Then the workflow should complete
    And the workflow output should have a 'source' property with value:
      """yaml
      https://shop.example/berlin
      """
    And the workflow output should have a 'data' property with value:
      """yaml
      {order: 7, lines: [8, fixed]}
      """

  # dsl-reference.md: Event Properties
  Scenario: Data made by one expression
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: emit, version: '1.0.0'}
      do:
        - emitEvent:
            emit:
              event:
                with:
                  source: https://shop.example/orders
                  type: com.example.order.placed.v1
                  data: ${ .order }
      """
    And given the workflow input is:
      """yaml
      order: {id: 7, lines: []}
      """
    When the workflow is executed
    Then the workflow should complete
    And the workflow output should have a 'data' property with value:
      """yaml
      {id: 7, lines: []}
      """

  # dsl-reference.md: Event Properties
  Scenario: Extension attributes
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: emit, version: '1.0.0'}
      do:
        - emitEvent:
            emit:
              event:
                with:
                  source: https://shop.example/orders
                  type: com.example.order.placed.v1
                  priority: high
                  region: ${ .region }
      """
    And given the workflow input is:
      """yaml
      region: north
      """
    When the workflow is executed
    Then the workflow should complete
    And the workflow output should have a 'priority' property with value:
      """yaml
      high
      """
    And the workflow output should have a 'region' property with value:
      """yaml
      north
      """

  # dsl-reference.md: Event Properties
  Scenario: Events have different ids
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: emit, version: '1.0.0'}
      do:
        - loop:
            for: {in: '[1, 2, 3]'}
            do:
              - emitEvent:
                  emit:
                    event:
                      with: {source: 'https://shop.example/orders', type: com.example.tick}
                  output: {as: '{ids: ($input.ids + [.id])}'}
      output: {as: '.ids | unique | length'}
      """
    And given the workflow input is:
      """yaml
      ids: []
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      3
      """

  # dsl-reference.md: Emit
  Scenario: The output of an emit is transformed and exported
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: emit, version: '1.0.0'}
      do:
        - emitEvent:
            emit:
              event:
                with: {source: 'https://shop.example/orders', type: com.example.tick, data: {n: 1}}
            output: {as: .data}
            export: {as: '{sent: .n}'}
        - show:
            set: {n: '${ .n }', sent: '${ $context.sent }'}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      {n: 1, sent: 1}
      """

  # dsl.md: Emitting Events
  Scenario: An event reaches a task that listens
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: emit, version: '1.0.0'}
      do:
        - both:
            fork:
              branches:
                - hear:
                    listen:
                      to:
                        one:
                          with: {type: com.example.ping}
                - say:
                    do:
                      - pause:
                          wait: PT0.2S
                      - ping:
                          emit:
                            event:
                              with: {source: 'https://shop.example/orders', type: com.example.ping, data: {n: 1}}
      output: {as: '.[0]'}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      [{n: 1}]
      """

  # dsl-reference.md: Emit
  Scenario: An event without type
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: emit, version: '1.0.0'}
      do:
        - emitEvent:
            emit:
              event:
                with: {source: 'https://shop.example/orders'}
      """
    When the workflow is executed
    Then the definition should be refused

  # dsl-reference.md: Emit
  Scenario: An emit without event
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: emit, version: '1.0.0'}
      do:
        - emitEvent:
            emit: {}
      """
    When the workflow is executed
    Then the definition should be refused
