Feature: Catalogs
  Functions that others have published.

  # dsl.md: Using Cataloged Functions
  Scenario: A function of a catalog
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: catalogs, version: '1.0.0'}
      use:
        catalogs:
          numbers:
            endpoint: {uri: 'http://services.example/catalog'}
      do:
        - compute:
            call: double:1.0.0@numbers
            with: {n: 4}
      """
    And given the service 'GET /catalog/functions/double/1.0.0/function.yaml' answers:
      """yaml
      headers: {Content-Type: application/yaml}
      body: |
        input:
          schema: {document: {type: object, required: [n]}}
        set:
          doubled: ${ .n * 2 }
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      doubled: 8
      """

  # dsl-reference.md: Catalog
  Scenario: The endpoint of a catalog is a text
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: catalogs, version: '1.0.0'}
      use:
        catalogs:
          numbers: {endpoint: 'http://services.example/catalog'}
      do:
        - compute:
            call: double:1.0.0@numbers
            with: {n: 4}
      """
    And given the service 'GET /catalog/functions/double/1.0.0/function.yaml' answers:
      """yaml
      headers: {Content-Type: application/yaml}
      body: |
        input:
          schema: {document: {type: object, required: [n]}}
        set:
          doubled: ${ .n * 2 }
      """
    When the workflow is executed
    Then the workflow should complete with output:
      """yaml
      doubled: 8
      """

  # dsl.md: Using Cataloged Functions
  Scenario: A catalog that is not defined
    Given a workflow with definition:
      """yaml
      document: {dsl: '1.0.3', namespace: suite, name: catalogs, version: '1.0.0'}
      do:
        - compute:
            call: double:1.0.0@numbers
            with: {n: 4}
      """
    When the workflow is executed
    Then the definition should be refused
