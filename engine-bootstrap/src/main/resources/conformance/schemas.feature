Feature: Schemas
  Validation of inputs, outputs and the context.

  # dsl-reference.md: Input
  Scenario: Valid input of a workflow
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: schemas, version: '1.0.0'}
      input:
        schema:
          format: json
          document: {type: object, required: [id], properties: {id: {type: integer}}}
      do:
        - show:
            set: {id: '${ .id }'}
      """
    And given the workflow input is:
      """yaml
      id: 3
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      id: 3
      """

  # dsl-reference.md: Input
  Scenario: Invalid input of a workflow
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: schemas, version: '1.0.0'}
      input:
        schema: {document: {type: object, required: [id], properties: {id: {type: integer}}}}
      do:
        - show:
            set: {id: '${ .id }'}
      """
    And given the workflow input is:
      """yaml
      id: three
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      type: https://serverlessworkflow.io/spec/1.0.0/errors/validation
      status: 400
      """
    And show should have run 0 times

  # dsl-reference.md: Input
  Scenario: Input of a workflow is validated before it is transformed
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: schemas, version: '1.0.0'}
      input:
        schema: {document: {type: object, required: [raw]}}
        from: .raw
      do:
        - show:
            set: {got: '${ . }'}
      """
    And given the workflow input is:
      """yaml
      raw: 1
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      got: 1
      """

  # dsl.md: Data Flow
  Scenario: Input of a workflow is not validated after it is transformed
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: schemas, version: '1.0.0'}
      input:
        schema: {document: {type: object, required: [made]}}
        from: '{made: .raw}'
      do:
        - show:
            set: {got: '${ . }'}
      """
    And given the workflow input is:
      """yaml
      raw: 1
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      type: https://serverlessworkflow.io/spec/1.0.0/errors/validation
      status: 400
      """

  # dsl-reference.md: Input
  Scenario: Valid input of a task
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: schemas, version: '1.0.0'}
      do:
        - check:
            input:
              schema: {format: json, document: {type: object, required: [id], properties: {id: {type: integer}}}}
              from: .id
            set: {doubled: '${ . * 2 }'}
      """
    And given the workflow input is:
      """yaml
      id: 4
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      doubled: 8
      """

  # dsl-reference.md: Input
  Scenario: Invalid input of a task
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: schemas, version: '1.0.0'}
      do:
        - before:
            set: {id: none}
        - check:
            input:
              schema: {document: {type: object, required: [id], properties: {id: {type: integer}}}}
            set: {a: 1}
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      type: https://serverlessworkflow.io/spec/1.0.0/errors/validation
      status: 400
      instance: /do/1/check
      """

  # dsl.md: Data Flow
  Scenario: Input of a task is validated before it is transformed
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: schemas, version: '1.0.0'}
      do:
        - check:
            input:
              schema: {document: {type: object, required: [made]}}
              from: '{made: 1}'
            set: {a: 1}
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      type: https://serverlessworkflow.io/spec/1.0.0/errors/validation
      status: 400
      """

  # dsl-reference.md: Output
  Scenario: Valid output of a task, after its transformation
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: schemas, version: '1.0.0'}
      do:
        - make:
            set: {name: Ada}
            output:
              as: .name
              schema: {document: {type: string}}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      Ada
      """

  # dsl-reference.md: Output
  Scenario: Invalid output of a task, after its transformation
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: schemas, version: '1.0.0'}
      do:
        - make:
            set: {name: Ada}
            output:
              as: .name
              schema: {document: {type: object}}
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      type: https://serverlessworkflow.io/spec/1.0.0/errors/validation
      status: 400
      instance: /do/0/make
      """

  # dsl-reference.md: Output
  Scenario: Valid output of a workflow
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: schemas, version: '1.0.0'}
      do:
        - make:
            set: {a: 1}
      output:
        as: .a
        schema: {format: json, document: {type: integer}}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      1
      """

  # dsl.md: Data Flow
  Scenario: Invalid output of a workflow
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: schemas, version: '1.0.0'}
      do:
        - make:
            set: {a: 1}
      output:
        as: .a
        schema: {document: {type: string}}
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      type: https://serverlessworkflow.io/spec/1.0.0/errors/validation
      status: 400
      """

  # dsl-reference.md: Export
  Scenario: Valid context after an export
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: schemas, version: '1.0.0'}
      do:
        - make:
            set: {a: 1}
            export:
              as: '{count: .a}'
              schema: {document: {type: object, required: [count]}}
        - show:
            set: {count: '${ $context.count }'}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      count: 1
      """

  # dsl-reference.md: Export
  Scenario: Invalid context after an export
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: schemas, version: '1.0.0'}
      do:
        - make:
            set: {a: 1}
            export:
              as: '{count: "one"}'
              schema: {document: {type: object, properties: {count: {type: integer}}}}
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      type: https://serverlessworkflow.io/spec/1.0.0/errors/validation
      status: 400
      instance: /do/0/make
      """

  # dsl.md: Data Flow
  Scenario: A violation can be caught
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: schemas, version: '1.0.0'}
      do:
        - guarded:
            try:
              - check:
                  input:
                    schema: {document: {type: object, required: [id], properties: {id: {type: integer}}}}
                  set: {a: 1}
            catch:
              errors:
                with: {type: 'https://serverlessworkflow.io/spec/1.0.0/errors/validation'}
              do:
                - handled:
                    set: {status: '${ $error.status }', where: '${ $error.instance }'}
      """
    And given the workflow input is:
      """yaml
      id: x
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      {status: 400, where: /do/0/guarded/try/0/check}
      """

  # dsl-reference.md: Schema
  Scenario Outline: A value that its schema accepts: <keyword>
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: schemas, version: '1.0.0'}
      do:
        - check:
            input:
              schema:
                format: json
                document: {properties: {v: <schema>}}
            set: {valid: true}
      """
    And given the workflow input is:
      """yaml
      v: <value>
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      valid: true
      """

    Examples:
      | keyword              | schema                                                        | value     |
      | type                 | {type: [string, 'null']}                                      | null      |
      | enum                 | {enum: [red, green]}                                          | green     |
      | const                | {const: {a: 1}}                                               | {a: 1}    |
      | minimum              | {minimum: 3}                                                  | 3         |
      | multipleOf           | {multipleOf: 0.5}                                             | 2.5       |
      | pattern              | {pattern: '^a+$'}                                             | aaa       |
      | maxLength            | {maxLength: 3}                                                | abc       |
      | items                | {items: {type: integer}}                                      | [1, 2, 3] |
      | uniqueItems          | {uniqueItems: true}                                           | [1, 2]    |
      | additionalProperties | {properties: {a: {}}, additionalProperties: false}            | {a: 1}    |
      | anyOf                | {anyOf: [{type: string}, {minimum: 5}]}                       | 6         |
      | local reference      | {$ref: '#/properties/v/$defs/n', $defs: {n: {type: integer}}} | 1         |

  # dsl-reference.md: Schema
  Scenario Outline: A value that its schema refuses: <keyword>
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: schemas, version: '1.0.0'}
      do:
        - check:
            input:
              schema:
                format: json
                document: {properties: {v: <schema>}}
            set: {valid: true}
      """
    And given the workflow input is:
      """yaml
      v: <value>
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      type: https://serverlessworkflow.io/spec/1.0.0/errors/validation
      status: 400
      """

    Examples:
      | keyword              | schema                                             | value        |
      | type                 | {type: integer}                                    | 1.5          |
      | enum                 | {enum: [red, green]}                               | blue         |
      | const                | {const: {a: 1}}                                    | {a: 2}       |
      | exclusiveMinimum     | {exclusiveMinimum: 3}                              | 3            |
      | pattern              | {pattern: '^a+$'}                                  | ab           |
      | minLength            | {minLength: 3}                                     | ab           |
      | required             | {required: [a]}                                    | {b: 1}       |
      | items                | {items: {type: integer}}                           | [1, two]     |
      | minItems             | {minItems: 2}                                      | [1]          |
      | uniqueItems          | {uniqueItems: true}                                | [1, 1]       |
      | additionalProperties | {properties: {a: {}}, additionalProperties: false} | {a: 1, b: 2} |
      | oneOf                | {oneOf: [{type: integer}, {minimum: 5}]}           | 6            |
      | not                  | {not: {type: 'null'}}                              | null         |

  # dsl-reference.md: Schema
  Scenario: A schema of an external resource accepts
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: schemas, version: '1.0.0'}
      input:
        schema:
          format: json
          resource: {endpoint: 'http://services.example/schemas/order.json'}
      do:
        - show:
            set: {id: '${ .id }'}
      """
    And given the workflow input is:
      """yaml
      id: 3
      """
    And given the service 'GET /schemas/order.json' answers:
      """yaml
      body: {type: object, required: [id], properties: {id: {type: integer}}}
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      id: 3
      """

  # dsl-reference.md: External Resource
  Scenario: A schema of an external resource refuses
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: schemas, version: '1.0.0'}
      do:
        - check:
            input:
              schema:
                format: json
                resource:
                  name: order
                  endpoint: {uri: 'http://services.example/schemas/order.json'}
            set: {id: '${ .id }'}
      """
    And given the workflow input is:
      """yaml
      id: three
      """
    And given the service 'GET /schemas/order.json' answers:
      """yaml
      body: {type: object, required: [id], properties: {id: {type: integer}}}
      """
    When the workflow is executed
    Then the workflow should fault with error:
      """yaml
      type: https://serverlessworkflow.io/spec/1.0.0/errors/validation
      status: 400
      """
