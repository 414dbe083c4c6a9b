Feature: Listen
  Events that a workflow waits for.

  # dsl-reference.md: Event Consumption Strategy
  Scenario: One event
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: listen, version: '1.0.0'}
      do:
        - hear:
            listen:
              to:
                one:
                  with: {type: com.example.ping}
      """
    When the workflow is started
    And the workflow waits in hear
    And the event is published:
      """yaml
      {type: com.example.ping, data: {n: 1}}
      """
    Then the workflow should complete with output:
      """yaml
      [{n: 1}]
      """

  # dsl-reference.md: Event Consumption Strategy
  Scenario: Events of other types are ignored
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: listen, version: '1.0.0'}
      do:
        - hear:
            listen:
              to:
                one:
                  with: {type: com.example.ping}
      """
    When the workflow is started
    And the workflow waits in hear
    And the event is published:
      """yaml
      {type: com.example.pong, data: {n: 1}}
      """
    And the event is published:
      """yaml
      {type: com.example.ping, data: {n: 2}}
      """
    And the event is published:
      """yaml
      {type: com.example.ping, data: {n: 3}}
      """
    Then the workflow should complete with output:
      """yaml
      [{n: 2}]
      """

  # dsl-reference.md: Event Filter
  Scenario: A filter on the source
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: listen, version: '1.0.0'}
      do:
        - hear:
            listen:
              to:
                one:
                  with: {source: 'https://shop.example/a'}
      """
    When the workflow is started
    And the workflow waits in hear
    And the event is published:
      """yaml
      {type: com.example.ping, source: 'https://shop.example/b', data: {n: 1}}
      """
    And the event is published:
      """yaml
      {type: com.example.ping, source: 'https://shop.example/a', data: {n: 2}}
      """
    Then the workflow should complete with output:
      """yaml
      [{n: 2}]
      """

  # dsl-reference.md: Event Filter
  Scenario: A filter on several attributes
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: listen, version: '1.0.0'}
      do:
        - hear:
            listen:
              to:
                one:
                  with: {type: com.example.ping, subject: order-7}
      """
    When the workflow is started
    And the workflow waits in hear
    And the event is published:
      """yaml
      {type: com.example.ping, subject: order-6, data: {n: 1}}
      """
    And the event is published:
      """yaml
      {type: com.example.pong, subject: order-7, data: {n: 2}}
      """
    And the event is published:
      """yaml
      {type: com.example.ping, subject: order-7, data: {n: 3}}
      """
    Then the workflow should complete with output:
      """yaml
      [{n: 3}]
      """

  # dsl-reference.md: Event Filter
  Scenario: A filter on an extension attribute
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: listen, version: '1.0.0'}
      do:
        - hear:
            listen:
              to:
                one:
                  with: {type: com.example.ping, priority: high}
      """
    When the workflow is started
    And the workflow waits in hear
    And the event is published:
      """yaml
      {type: com.example.ping, data: {n: 1}}
      """
    And the event is published:
      """yaml
      {type: com.example.ping, priority: low, data: {n: 2}}
      """
    And the event is published:
      """yaml
      {type: com.example.ping, priority: high, data: {n: 3}}
      """
    Then the workflow should complete with output:
      """yaml
      [{n: 3}]
      """

  # dsl-reference.md: Event Filter
  Scenario: A filter by a regular expression
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: listen, version: '1.0.0'}
      do:
        - hear:
            listen:
              to:
                one:
                  with: {type: 'com\.example\.(ping|pong)'}
      """
    When the workflow is started
    And the workflow waits in hear
    And the event is published:
      """yaml
      {type: com.example.other, data: {n: 1}}
      """
    And the event is published:
      """yaml
      {type: com.example.pong, data: {n: 2}}
      """
    Then the workflow should complete with output:
      """yaml
      [{n: 2}]
      """

  # dsl-reference.md: Event Filter
  Scenario: A filter on the data
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: listen, version: '1.0.0'}
      do:
        - hear:
            listen:
              to:
                one:
                  with:
                    type: com.example.temperature
                    data: ${ .celsius > 38 }
      """
    When the workflow is started
    And the workflow waits in hear
    And the event is published:
      """yaml
      {type: com.example.temperature, data: {celsius: 37}}
      """
    And the event is published:
      """yaml
      {type: com.example.temperature, data: {celsius: 39}}
      """
    Then the workflow should complete with output:
      """yaml
      [{celsius: 39}]
      """

  # dsl-reference.md: Event Consumption Strategy
  Scenario: All of several events, in the order in which they came
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: listen, version: '1.0.0'}
      do:
        - hear:
            listen:
              to:
                all:
                  - with: {type: com.example.a}
                  - with: {type: com.example.b}
      """
    When the workflow is started
    And the workflow waits in hear
    And the event is published:
      """yaml
      {type: com.example.b, data: {n: 1}}
      """
    And the event is published:
      """yaml
      {type: com.example.other, data: {n: 2}}
      """
    And the event is published:
      """yaml
      {type: com.example.a, data: {n: 3}}
      """
    Then the workflow should complete with output:
      """yaml
      [{n: 1}, {n: 3}]
      """

  # dsl-reference.md: Event Consumption Strategy
  Scenario: All events are needed
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: listen, version: '1.0.0'}
      do:
        - hear:
            listen:
              to:
                all:
                  - with: {type: com.example.a}
                  - with: {type: com.example.b}
            timeout: {after: PT0.3S}
      """
    When the workflow is started
    And the workflow waits in hear
    And the event is published:
      """yaml
      {type: com.example.a, data: {n: 1}}
      """
    Then the workflow should fault with error:
      """yaml
      type: https://serverlessworkflow.io/spec/1.0.0/errors/timeout
      status: 408
      instance: /do/0/hear
      """

  # dsl-reference.md: Event Consumption Strategy
  Scenario: Any of several events
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: listen, version: '1.0.0'}
      do:
        - hear:
            listen:
              to:
                any:
                  - with: {type: com.example.a}
                  - with: {type: com.example.b}
      """
    When the workflow is started
    And the workflow waits in hear
    And the event is published:
      """yaml
      {type: com.example.other, data: {n: 1}}
      """
    And the event is published:
      """yaml
      {type: com.example.b, data: {n: 2}}
      """
    Then the workflow should complete with output:
      """yaml
      [{n: 2}]
      """

  # dsl-reference.md: Event Consumption Strategy
  Scenario: Any event at all
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: listen, version: '1.0.0'}
      do:
        - hear:
            listen:
              to:
                any: []
      """
    When the workflow is started
    And the workflow waits in hear
    And the event is published:
      """yaml
      {type: com.example.whatever, data: {n: 1}}
      """
    Then the workflow should complete with output:
      """yaml
      [{n: 1}]
      """

  # dsl-reference.md: Event Consumption Strategy
  Scenario: Any event until a condition holds
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: listen, version: '1.0.0'}
      do:
        - hear:
            listen:
              to:
                any:
                  - with: {type: com.example.a}
                until: ( . | length ) == 3
      """
    When the workflow is started
    And the workflow waits in hear
    And the event is published:
      """yaml
      {type: com.example.a, data: {n: 1}}
      """
    And the event is published:
      """yaml
      {type: com.example.a, data: {n: 2}}
      """
    And the event is published:
      """yaml
      {type: com.example.a, data: {n: 3}}
      """
    Then the workflow should complete with output:
      """yaml
      [{n: 1}, {n: 2}, {n: 3}]
      """

  # dsl-reference.md: Event Consumption Strategy
  Scenario: Any event until another event
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: listen, version: '1.0.0'}
      do:
        - hear:
            listen:
              to:
                any:
                  - with: {type: com.example.reading}
                until:
                  one:
                    with: {type: com.example.done}
      """
    When the workflow is started
    And the workflow waits in hear
    And the event is published:
      """yaml
      {type: com.example.reading, data: {n: 1}}
      """
    And the event is published:
      """yaml
      {type: com.example.reading, data: {n: 2}}
      """
    And the event is published:
      """yaml
      {type: com.example.done, data: {n: 3}}
      """
    Then the workflow should complete with output:
      """yaml
      [{n: 1}, {n: 2}]
      """

  # dsl-reference.md: Event Consumption Strategy
  Scenario: Any event until any of several others
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: listen, version: '1.0.0'}
      do:
        - hear:
            listen:
              to:
                any:
                  - with: {type: com.example.reading}
                until:
                  any:
                    - with: {type: com.example.done}
                    - with: {type: com.example.stop}
      """
    When the workflow is started
    And the workflow waits in hear
    And the event is published:
      """yaml
      {type: com.example.reading, data: {n: 1}}
      """
    And the event is published:
      """yaml
      {type: com.example.stop, data: {n: 2}}
      """
    Then the workflow should complete with output:
      """yaml
      [{n: 1}]
      """

  # dsl-reference.md: Listen
  Scenario: Data is what is read unless said
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: listen, version: '1.0.0'}
      do:
        - hear:
            listen:
              read: data
              to:
                one:
                  with: {type: com.example.ping}
      """
    When the workflow is started
    And the workflow waits in hear
    And the event is published:
      """yaml
      {type: com.example.ping, data: text}
      """
    Then the workflow should complete with output:
      """yaml
      [text]
      """

  # dsl-reference.md: Listen
  Scenario: The envelope is read
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: listen, version: '1.0.0'}
      do:
        - hear:
            listen:
              read: envelope
              to:
                one:
                  with: {type: com.example.ping}
            output: {as: ".[0] | {type, source, subject, data}"}
      """
    When the workflow is started
    And the workflow waits in hear
    And the event is published:
      """yaml
      {type: com.example.ping, source: 'https://shop.example/a', subject: s-1, data: {n: 1}}
      """
    Then the workflow should complete with output:
      """yaml
      {type: com.example.ping, source: 'https://shop.example/a', subject: s-1, data: {n: 1}}
      """

  # dsl-reference.md: Subscription Iterator
  Scenario: Tasks for each event
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: listen, version: '1.0.0'}
      do:
        - hear:
            listen:
              to:
                any:
                  - with: {type: com.example.a}
                until: ( . | length ) == 2
            foreach:
              item: event
              at: place
              do:
                - tell:
                    call: http
                    with:
                      method: post
                      endpoint: http://services.example/seen
                      body: {n: '${ $event.n }', place: '${ $place }'}
      """
    And given the service 'POST /seen' answers:
      """yaml
      body: {ok: true}
      """
    When the workflow is started
    And the workflow waits in hear
    And the event is published:
      """yaml
      {type: com.example.a, data: {n: 5}}
      """
    And the event is published:
      """yaml
      {type: com.example.a, data: {n: 6}}
      """
    Then the workflow should complete
    And the service 'POST /seen' should have received:
      """yaml
      [{body: {n: 5, place: 0}}, {body: {n: 6, place: 1}}]
      """

  # dsl-reference.md: Subscription Iterator
  Scenario: The output of each event is transformed
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: listen, version: '1.0.0'}
      do:
        - hear:
            listen:
              to:
                any:
                  - with: {type: com.example.a}
                until: ( . | length ) == 2
            foreach:
              do:
                - double:
                    set: {doubled: '${ $item.n * 2 }', at: '${ $index }'}
              output: {as: '.doubled + .at'}
      """
    When the workflow is started
    And the workflow waits in hear
    And the event is published:
      """yaml
      {type: com.example.a, data: {n: 5}}
      """
    And the event is published:
      """yaml
      {type: com.example.a, data: {n: 6}}
      """
    Then the workflow should complete with output:
      """yaml
      [10, 13]
      """

  # dsl-reference.md: Subscription Iterator
  Scenario: Each event is exported
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: listen, version: '1.0.0'}
      do:
        - hear:
            listen:
              to:
                any:
                  - with: {type: com.example.a}
                until: ( . | length ) == 2
            foreach:
              do:
                - keep:
                    set: {n: '${ $item.n }'}
              export: {as: '{numbers: ($context.numbers + [.n])}'}
        - show:
            set: {numbers: '${ $context.numbers }'}
      """
    And given the workflow input is:
      """yaml
      numbers: []
      """
    When the workflow is started
    And the workflow waits in hear
    And the event is published:
      """yaml
      {type: com.example.a, data: {n: 5}}
      """
    And the event is published:
      """yaml
      {type: com.example.a, data: {n: 6}}
      """
    Then the workflow should complete with output:
      """yaml
      numbers: [5, 6]
      """

  # dsl-reference.md: Correlation
  Scenario: A correlation with a constant
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: listen, version: '1.0.0'}
      do:
        - hear:
            listen:
              to:
                one:
                  with: {type: com.example.paid}
                  correlate:
                    order: {from: '${ .data.order }', expect: o-7}
      """
    When the workflow is started
    And the workflow waits in hear
    And the event is published:
      """yaml
      {type: com.example.paid, data: {order: o-6}}
      """
    And the event is published:
      """yaml
      {type: com.example.paid, data: {order: o-7}}
      """
    Then the workflow should complete with output:
      """yaml
      [{order: o-7}]
      """

  # dsl-reference.md: Correlation
  Scenario: A correlation with an expression
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: listen, version: '1.0.0'}
      do:
        - hear:
            listen:
              to:
                one:
                  with: {type: com.example.paid}
                  correlate:
                    order: {from: '${ .data.order }', expect: '${ $workflow.input.order }'}
      """
    And given the workflow input is:
      """yaml
      order: o-7
      """
    When the workflow is started
    And the workflow waits in hear
    And the event is published:
      """yaml
      {type: com.example.paid, data: {order: o-6}}
      """
    And the event is published:
      """yaml
      {type: com.example.paid, data: {order: o-7}}
      """
    Then the workflow should complete with output:
      """yaml
      [{order: o-7}]
      """

  # dsl-reference.md: Correlation
  Scenario: A correlation with the first value
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: listen, version: '1.0.0'}
      do:
        - hear:
            listen:
              to:
                all:
                  - with: {type: com.example.temperature}
                    correlate:
                      room: {from: '${ .data.room }'}
                  - with: {type: com.example.humidity}
                    correlate:
                      room: {from: '${ .data.room }'}
      """
    When the workflow is started
    And the workflow waits in hear
    And the event is published:
      """yaml
      {type: com.example.temperature, data: {room: kitchen, t: 21}}
      """
    And the event is published:
      """yaml
      {type: com.example.humidity, data: {room: bath, h: 80}}
      """
    And the event is published:
      """yaml
      {type: com.example.humidity, data: {room: kitchen, h: 40}}
      """
    Then the workflow should complete with output:
      """yaml
      [{room: kitchen, t: 21}, {room: kitchen, h: 40}]
      """

  # dsl-reference.md: Listen
  Scenario: The output of a listen is transformed
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: listen, version: '1.0.0'}
      do:
        - hear:
            listen:
              to:
                one:
                  with: {type: com.example.ping}
            output: {as: "{first: .[0].n}"}
      """
    When the workflow is started
    And the workflow waits in hear
    And the event is published:
      """yaml
      {type: com.example.ping, data: {n: 1}}
      """
    Then the workflow should complete with output:
      """yaml
      first: 1
      """

  # dsl-reference.md: Listen
  Scenario: Two listens follow each other
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: listen, version: '1.0.0'}
      do:
        - first:
            listen:
              to:
                one:
                  with: {type: com.example.a}
            output: {as: '{a: .[0].n}'}
        - second:
            listen:
              to:
                one:
                  with: {type: com.example.b}
            output: {as: '$input + {b: .[0].n}'}
      """
    When the workflow is started
    And the workflow waits in first
    And the event is published:
      """yaml
      {type: com.example.a, data: {n: 1}}
      """
    And the workflow waits in second
    And the event is published:
      """yaml
      {type: com.example.b, data: {n: 2}}
      """
    Then the workflow should complete with output:
      """yaml
      {a: 1, b: 2}
      """

  # dsl.md: Timeouts
  Scenario: A listen that takes too long is caught
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: listen, version: '1.0.0'}
      do:
        - guarded:
            try:
              - hear:
                  timeout: {after: {milliseconds: 50}}
                  listen:
                    to:
                      one:
                        with: {type: com.example.approved}
            catch:
              errors:
                with: {type: 'https://serverlessworkflow.io/spec/1.0.0/errors/timeout'}
              do:
                - late:
                    set: {approved: false}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      approved: false
      """

  # dsl-reference.md: Listen
  Scenario: Of two listens the first wins
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: listen, version: '1.0.0'}
      do:
        - race:
            fork:
              compete: true
              branches:
                - yes:
                    do:
                      - hearYes:
                          listen:
                            to:
                              one:
                                with: {type: com.example.yes}
                      - setYes:
                          set: {decision: yes}
                - no:
                    do:
                      - hearNo:
                          listen:
                            to:
                              one:
                                with: {type: com.example.no}
                      - setNo:
                          set: {decision: no}
      """
    When the workflow is started
    And the workflow waits in hearYes
    And the workflow waits in hearNo
    And the event is published:
      """yaml
      {type: com.example.no}
      """
    Then the workflow should complete with output:
      """yaml
      decision: no
      """
    And setYes should have run 0 times

  # dsl-reference.md: Listen
  Scenario Outline: A listen that is wrong: <what>
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: listen, version: '1.0.0'}
      do:
        - hear:
            listen: <listen>
      """
    When the workflow is executed
    Then the definition should be refused

    Examples:
      | what                      | listen                                                      |
      | no strategy               | {}                                                          |
      | empty strategy            | {to: {}}                                                    |
      | two strategies            | {to: {one: {with: {type: a}}, any: []}}                     |
      | filter of nothing         | {to: {one: {with: {}}}}                                     |
      | filter without attributes | {to: {one: {correlate: {a: {from: .a}}}}}                   |
      | correlation without value | {to: {one: {with: {type: a}, correlate: {a: {expect: b}}}}} |
      | read                      | {to: {any: []}, read: everything}                           |
