package dev.pinion.core.openapi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Versions of documents, their operations, and references. */
class ApiIndexTest {
  private static final String AT = "https://api.test/api.yaml";

  private final ApiTexts texts = new ApiTexts();

  private String found(String id) {
    return texts.reader().find(id).toString();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "swagger: '2.0'",
        "swagger: 2.0",
        "openapi: 3.0.3",
        "openapi: 3.1.0",
        "openapi: 3.1",
        "openapi: 3.2.0",
        "{\"openapi\": \"3.0.0\"}"
      })
  void shouldKnowVersions(String document) {
    assertNotNull(texts.with(AT, document).index());
    assertEquals(Set.of(), Objects.requireNonNull(texts.index()).ids());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      textBlock =
          """
          swagger: '1.2'    ~ /swagger: expected version 2.0 of OpenAPI, found "1.2"
          openapi: 4.0.0    ~ /openapi: expected version 3.0, 3.1 or 3.2 of OpenAPI, found "4.0.0"
          openapi: 3.10.0   ~ /openapi: expected version 3.0, 3.1 or 3.2 of OpenAPI, found "3.10.0"
          openapi: []       ~ /openapi: expected version 3.0, 3.1 or 3.2 of OpenAPI, found an empty array
          asyncapi: 3.0.0   ~ : expected a document of OpenAPI, with "openapi" or "swagger", found an object
          [1]               ~ : expected a document of OpenAPI, with "openapi" or "swagger", found an array
          text              ~ : expected a document of OpenAPI, with "openapi" or "swagger", found "text"
          """)
  void shouldRefuseOtherDocuments(String document, String problem) {
    assertNull(texts.with(AT, document).index());
    assertEquals(List.of(AT + "#" + problem), texts.problems());
  }

  @Test
  void shouldFindOperationsByTheirIds() {
    texts.with(
        AT,
        """
        openapi: 3.2.0
        paths:
          /a:
            get: {operationId: one}
            put: {operationId: two}
            post: {}
            query: {operationId: search}
            additionalOperations: {COPY: {operationId: copy}}
            summary: {operationId: none}
          /b: {delete: {operationId: two}}
          x-more: {get: {operationId: none}}
        """);

    assertEquals("[GET /a]", found("one"));
    assertEquals("[PUT /a, DELETE /b]", found("two"));
    assertEquals("[QUERY /a]", found("search"));
    assertEquals("[COPY /a]", found("copy"));
    assertEquals("[]", found("none"));
    assertEquals(
        Set.of("one", "two", "search", "copy"), Objects.requireNonNull(texts.index()).ids());
  }

  @Test
  void shouldLookElsewhereForWhatIsNotHere() {
    texts
        .with(
            AT,
            """
            openapi: 3.1.0
            paths:
              /a: {get: {operationId: here}}
              /b: {$ref: 'parts/b.yaml'}
              /c: {$ref: 'parts/none.yaml#/c'}
            """)
        .with("https://api.test/parts/b.yaml", "{get: {operationId: act}}");

    assertEquals("[GET /a]", found("here"));
    assertEquals(List.of(), texts.problems());
    assertEquals("[GET /b]", found("act"));
    assertEquals(
        List.of(AT + "#/paths/~1c/$ref: no document https://api.test/parts/none.yaml"),
        texts.problems());
  }

  @Test
  void shouldFollowReferencesIntoOtherDocuments() {
    texts
        .with(
            AT,
            """
            openapi: 3.1.0
            paths:
              /a/{id}:
                get: {operationId: act, parameters: [{$ref: 'parts/p.yaml#/all/0'}]}
            """)
        .with(
            "https://api.test/parts/p.yaml",
            "{all: [{$ref: '#/a~1b%25c'}], 'a/b%c': {name: id, in: path, required: true}}");

    assertEquals("id", texts.sound().parameters().getFirst().name());
    assertEquals("https://api.test/", texts.sound().server());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      textBlock =
          """
          '#/components/parameters/none' ~ expected a reference to a value of the document, such as #/components/parameters/id, found "#/components/parameters/none"
          '#components'                  ~ expected a reference to a value of the document, such as #/components/parameters/id, found "#components"
          '#/%zz'                        ~ expected a reference to a value of the document, such as #/components/parameters/id, found "#/%zz"
          '#/list/2'                     ~ expected a reference to a value of the document, such as #/components/parameters/id, found "#/list/2"
          '#/list/-1'                    ~ expected a reference to a value of the document, such as #/components/parameters/id, found "#/list/-1"
          '#/loop/a'                     ~ expected references that end, found the cycle
          '#/chain/0'                    ~ expected at most 32 references one after the other, found more
          """)
  void shouldRefuseReferencesThatLeadNowhere(String reference, String problem) {
    StringBuilder chain = new StringBuilder();
    for (int i = 0; i < ApiReferences.MAX_REFERENCES + 1; i++) {
      chain.append("  - {$ref: '#/chain/").append(i + 1).append("'}\n");
    }
    texts.with(
        AT,
        """
        openapi: 3.0.0
        paths: {/a: {get: {operationId: act, parameters: [{$ref: %s}]}}}
        list: [1, 2]
        loop: {a: {$ref: '#/loop/b'}, b: {$ref: '#/loop/a'}}
        chain:
        %s
        """
            .formatted(reference, chain));

    assertNotNull(texts.operation());
    assertEquals(1, texts.problems().size(), texts.problems()::toString);
    String found = texts.problems().getFirst();
    assertEquals(problem, found.substring(found.indexOf(": ") + 2).split(" http", 2)[0]);
  }
}
