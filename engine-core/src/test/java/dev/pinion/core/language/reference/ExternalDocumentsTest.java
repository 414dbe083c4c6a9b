package dev.pinion.core.language.reference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.pinion.core.document.DocumentReader;
import dev.pinion.core.language.CompilationResult;
import dev.pinion.core.language.WorkflowCompiler;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Diagnostic;
import dev.pinion.core.model.PinnedDocument;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Functions, catalogs and schemas in documents of their own. */
class ExternalDocumentsTest {
  private static final String HEAD =
      "document: {dsl: 1.0.3, namespace: test, name: refers, version: 1.0.0}\n";
  private static final String LOG = "https://catalog.test/functions/log/1.0.0/function.yaml";

  private final Map<String, String> texts = new HashMap<>();
  private Map<String, Integer> limits = Map.of();
  private TextDocuments documents = new TextDocuments(texts);

  private CompilationResult compile(String yaml) {
    documents = new TextDocuments(texts);
    return new WorkflowCompiler(EngineLimits.defaults().with(limits))
        .compile(HEAD + yaml, DocumentReader.YAML, (_, _) -> documents);
  }

  private CompilationResult.Compiled compiled(String yaml) {
    CompilationResult result = compile(yaml);
    return assertInstanceOf(CompilationResult.Compiled.class, result, result::toString);
  }

  private List<String> problems(String yaml) {
    return assertInstanceOf(CompilationResult.Rejected.class, compile(yaml)).problems().stream()
        .map(Diagnostic::toString)
        .toList();
  }

  private static List<String> uris(CompilationResult.Compiled compiled) {
    return compiled.documents().stream().map(PinnedDocument::uri).toList();
  }

  @Test
  void shouldFetchEachDocumentOnce() {
    texts.put(LOG, "set: {logged: '${ .message }'}");
    String yaml =
        """
        use: {catalogs: {global: {endpoint: {uri: 'https://catalog.test/'}}, other: {endpoint: 'https://x.test'}}}
        do:
          - a: {call: 'log:1.0.0@global', with: {message: x}}
          - b: {call: '%s', with: {message: y}}
        """
            .formatted(LOG);

    assertEquals(List.of(LOG), uris(compiled(yaml)));
    assertEquals(List.of(LOG), documents.asked());
  }

  @Test
  void shouldFetchNothingForADefinitionWithoutReferences() {
    assertEquals(List.of(), uris(compiled("do: [{a: {wait: PT1S}}]\n")));
    assertEquals(List.of(), documents.asked());
  }

  @Test
  void shouldCompileFunctionsThatReferToFunctionsAndSchemas() {
    texts.put(
        "https://a.test/f/outer.yaml",
        """
        input: {schema: {resource: {name: s, endpoint: ../schemas/in.json}}}
        do:
          - x: {call: ../f/inner.yaml, with: {n: 1}}
          - y: {call: 'parallelForEach:1.0.0@default', with: {in: [1], do: [{z: {wait: PT1S}}]}}
        """
            .replace("../f/inner.yaml", "https://a.test/f/inner.yaml"));
    texts.put("https://a.test/f/inner.yaml", "set: {n: '${ .n }'}");
    texts.put("https://a.test/schemas/in.json", "{\"type\": \"object\"}");

    assertEquals(
        List.of(
            "https://a.test/f/outer.yaml",
            "https://a.test/schemas/in.json",
            "https://a.test/f/inner.yaml"),
        uris(compiled("do: [{a: {call: 'https://a.test/f/outer.yaml'}}]\n")));
  }

  @Test
  void shouldLetADefinitionReplaceTheDefaultCatalog() {
    texts.put(
        "file:///srv/functions/parallelForEach/1.0.0/function.yaml", "set: {mine: '${ .in }'}");

    assertEquals(
        List.of("file:///srv/functions/parallelForEach/1.0.0/function.yaml"),
        uris(
            compiled(
                """
                use: {catalogs: {default: {endpoint: 'file:///srv'}}}
                do: [{a: {call: 'parallelForEach:1.0.0@default', with: {in: 1}}}]
                """)));
  }

  @Test
  void shouldReportProblemsOfADocumentOnceAtItsReference() {
    texts.put(LOG, "set:\n  total: ${ .a + }\nthen: elsewhere\n");
    texts.put("https://a.test/schema.json", "{\"type\": \"strng\"}");
    texts.put("https://a.test/broken.yaml", "set: [");
    String yaml =
        """
        input: {schema: {resource: {endpoint: 'https://a.test/schema.json'}}}
        do:
          - a: {call: '%s'}
          - b: {call: '%s'}
          - c: {call: 'https://a.test/broken.yaml'}
          - d: {call: 'https://a.test/none.yaml'}
        """
            .formatted(LOG, LOG);

    assertEquals(
        List.of(
            "2:39 /input/schema/resource/endpoint: https://a.test/schema.json#/type, line 1, column"
                + " 10: expected a JSON Schema, found: does not have a value in the enumeration"
                + " [\"array\", \"boolean\", \"integer\", \"null\", \"number\", \"object\","
                + " \"string\"]",
            "2:39 /input/schema/resource/endpoint: https://a.test/schema.json#/type, line 1, column"
                + " 10: expected a JSON Schema, found: string found, array expected",
            "4:15 /do/0/a/call: "
                + LOG
                + "#/set/total, line 2, column 18: expected an expression, found the end of the"
                + " expression",
            "4:15 /do/0/a/call: "
                + LOG
                + "#/then, line 3, column 7: expected continue, exit or end, as a function is one"
                + " task, found \"elsewhere\"",
            "6:15 /do/2/c/call: https://a.test/broken.yaml#, line 1, column 7: expected YAML, found:"
                + " expected the node content, but found '<stream end>'",
            "7:15 /do/3/d/call: expected a document, found no https://a.test/none.yaml"),
        problems(yaml));
  }

  @Test
  void shouldNotShowComponentsOfTheDefinitionToADocument() {
    texts.put(
        LOG,
        """
        do:
          - a: {call: local}
          - b: {wait: PT1S, timeout: short}
          - c: {call: 'log:1.0.0@global'}
          - d: {set: {x: '${ $item }'}}
        """);
    String yaml =
        """
        use:
          functions: {local: {wait: PT1S}}
          timeouts: {short: {after: PT1S}}
          catalogs: {global: {endpoint: 'https://catalog.test'}}
        do:
          - loop: {for: {in: '${ [1] }'}, do: [{a: {call: 'log:1.0.0@global'}}]}
        """;

    List<String> problems = problems(yaml);
    assertEquals(4, problems.size(), problems::toString);
    assertEquals(
        "7:51 /do/0/loop/do/0/a/call: "
            + LOG
            + "#/do/0/a/call, line 2, column 15: expected a function to call (of use.functions:"
            + " none; else http, asyncapi, grpc, openapi, a2a, mcp, parallelForEach:1.0.0@default,"
            + " name:version@catalog or a URI), found \"local\"",
        problems.getFirst());
  }

  @Test
  void shouldRefuseDocumentsThatCallThemselves() {
    texts.put("https://a.test/a.yaml", "call: https://a.test/b.yaml");
    texts.put("https://a.test/b.yaml", "do: [{x: {call: 'https://a.test/a.yaml'}}]");

    assertEquals(
        List.of(
            "2:17 /do/0/a/call: https://a.test/b.yaml#/do/0/x/call, line 1, column 17: expected"
                + " functions that do not call themselves, found the cycle https://a.test/a.yaml →"
                + " https://a.test/b.yaml → https://a.test/a.yaml"),
        problems("do: [{a: {call: 'https://a.test/a.yaml'}}]\n").stream()
            .map(each -> each.replace("https://a.test/a.yaml#/call, line 1, column 7: ", ""))
            .toList());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          log:1.0.0@globl | expected one of use.catalogs (global) or default as the catalog of a function, found "log:1.0.0@globl"; did you mean "log:1.0.0@global"?
          other:1.0.0@default | expected a function to call (of use.functions: none; else http, asyncapi, grpc, openapi, a2a, mcp, parallelForEach:1.0.0@default, name:version@catalog or a URI), found "other:1.0.0@default"
          ftp://a.test/x | expected a document, found no ftp://a.test/x
          https://a.test/{x}.yaml | expected an absolute URI of scheme file, http or https without variables, found "https://a.test/{x}.yaml"
          https://a.test/x.yaml#/f | expected the URI of a whole document, without a fragment, found "https://a.test/x.yaml#/f"
          ../x.yaml | expected a function to call (of use.functions: none; else http, asyncapi, grpc, openapi, a2a, mcp, parallelForEach:1.0.0@default, name:version@catalog or a URI), found "../x.yaml"
          """)
  void shouldRefuseOtherNames(String call, String problem) {
    String yaml =
        "use: {catalogs: {global: {endpoint: 'https://catalog.test'}}}\ndo: [{a: {call: '"
            + call
            + "'}}]\n";

    assertEquals(List.of("3:17 /do/0/a/call: " + problem), problems(yaml));
  }

  @Test
  void shouldRefuseWrongCatalogsAndResources() {
    String yaml =
        """
        use:
          catalogs:
            a: {}
            b: {endpoint: relative}
            c: {endpoint: {uri: 'https://a.test', authentication: {use: x}}}
            d: {endpoint: 3}
            e: 'https://a.test'
            f: {endpoint: 'file:///srv#top'}
        input: {schema: {resource: {endpoint: '${ .x }'}}}
        output: {schema: {resource: {nam: x}}}
        do:
          - x: {call: 'log:1.0.0@a'}
        """;

    assertEquals(
        List.of(
            "4:5 /use/catalogs/a: expected \"endpoint\" in a catalog, found none",
            "5:19 /use/catalogs/b/endpoint: expected an absolute URI of scheme file, http or https"
                + " without variables, found \"relative\"",
            "6:43 /use/catalogs/c/endpoint/authentication: authentication to fetch a document is not"
                + " supported yet",
            "7:19 /use/catalogs/d/endpoint: expected a URI or an object as \"endpoint\", found the"
                + " number 3",
            "8:8 /use/catalogs/e: expected an object as a catalog, found \"https://a.test\"",
            "9:19 /use/catalogs/f/endpoint: expected the URI of a whole document, without a"
                + " fragment, found \"file:///srv#top\"",
            "10:39 /input/schema/resource/endpoint: expected an absolute URI of scheme file, http"
                + " or https without variables, found \"${ .x }\"",
            "11:19 /output/schema/resource: expected \"endpoint\" in an external resource, found"
                + " none",
            "11:30 /output/schema/resource/nam: expected one of name, endpoint in an external"
                + " resource, found \"nam\"; did you mean \"name\"?"),
        problems(yaml));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "/input/schema/resource|{set: {a: 1}, input: {schema: {resource: {endpoint: SECURED}}}}",
        "/run/script/source|{run: {script: {language: js, source: {endpoint: SECURED}}}}",
        "/with/document|{call: openapi, with: {document: {endpoint: SECURED}, operationId: a}}",
        "/with/document|{call: asyncapi, with: {document: {endpoint: SECURED}, channel: a, message: {}}}",
        "/with/proto|{call: grpc, with: {proto: {endpoint: SECURED}, service: {name: a.B, host: h}, method: c}}",
        "/with/agentCard|{call: a2a, with: {agentCard: {endpoint: SECURED}, method: tasks/list}}",
      })
  void shouldAskForNoDocumentWithoutTheCredentialsThatItNeeds(String place, String task) {
    for (String authentication :
        List.of("{use: shop}", "{basic: {use: login}}", "{bearer: {token: x}}")) {
      String endpoint =
          "{uri: 'https://a.test/x.yaml', authentication: %s}".formatted(authentication);
      String yaml =
          """
          use:
            secrets: [login]
            authentications: {shop: {basic: {use: login}}}
          do: [{a: %s}]
          """
              .formatted(task.replace("SECURED", endpoint));
      CompilationResult.Rejected refused =
          assertInstanceOf(CompilationResult.Rejected.class, compile(yaml));

      assertEquals(
          List.of(
              "/do/0/a"
                  + place
                  + "/endpoint/authentication: authentication to fetch a document is not supported"
                  + " yet"),
          refused.problems().stream().map(each -> each.pointer() + ": " + each.message()).toList());
      assertEquals(List.of(), documents.asked());
    }
  }

  @Test
  void shouldHoldDocumentsToTheirLimits() {
    texts.put("https://a.test/1.yaml", "set: {x: 1}");
    texts.put("https://a.test/2.yaml", "set: {x: '" + "y".repeat(1_100) + "'}");
    String yaml =
        "do: [{a: {call: 'https://a.test/1.yaml'}}, {b: {call: 'https://a.test/2.yaml'}}]\n";

    assertEquals(2, compiled(yaml).documents().size());
    limits = Map.of("definition.maxDocuments", 1);
    assertEquals(
        List.of(
            "2:55 /do/1/b/call: expected at most 1 documents (definition.maxDocuments), found"
                + " another one, https://a.test/2.yaml"),
        problems(yaml));
    limits = Map.of("definition.maxDocumentBytes", 1_024);
    assertEquals(
        List.of(
            "2:55 /do/1/b/call: expected documents of at most 1024 bytes together"
                + " (definition.maxDocumentBytes), found more with https://a.test/2.yaml"),
        problems(yaml));
  }

  @Test
  void shouldBoundTheNestingOfFunctions() {
    limits = Map.of("json.maxDepth", 12);
    String yaml =
        """
        use:
          functions:
            deep: {do: [{x: {set: {v: 1}}}]}
            deeper: {do: [{y: {call: deep}}]}
        do:
          - a: {call: %s}
        """;

    compiled(yaml.formatted("deep"));
    assertEquals(
        List.of(
            "5:30 /use/functions/deeper/do/0/y/call: expected nesting of at most 12 levels"
                + " (json.maxDepth), functions that are called included, found 15"),
        problems(yaml.formatted("deeper")));
  }

  @Test
  void shouldTellDefinitionsApartByTheirDocuments() {
    String yaml = "do: [{a: {call: 'https://a.test/1.yaml'}}]\n";
    texts.put("https://a.test/1.yaml", "set: {x: 1}");
    long first = compiled(yaml).graph().fingerprint();
    texts.put("https://a.test/1.yaml", "set: {x: 2}");

    assertNotEquals(first, compiled(yaml).graph().fingerprint());
  }

  @Test
  void shouldNameWhatIsAllowedWhenNothingIs() {
    CompilationResult result =
        new WorkflowCompiler(EngineLimits.defaults())
            .compile(HEAD + "do: [{a: {call: 'https://a.test/1.yaml'}}]\n", DocumentReader.YAML);

    assertEquals(
        "expected a document below one of the folders and URLs of --documents (none), found"
            + " https://a.test/1.yaml",
        assertInstanceOf(CompilationResult.Rejected.class, result).problems().getFirst().message());
  }

  @ParameterizedTest
  @CsvSource({
    "https://github.com/o/r/tree/main/functions/log/1.0.0/function.yaml,"
        + "https://raw.githubusercontent.com/o/r/refs/heads/main/functions/log/1.0.0/function.yaml",
    "https://github.com/o/r/blob/dev/x.yaml,https://raw.githubusercontent.com/o/r/refs/heads/dev/x.yaml",
    "https://github.com/o/r/functions/x.yaml,https://raw.githubusercontent.com/o/r/HEAD/functions/x.yaml",
    "https://github.com/o/r.git/raw/main/x.yaml,https://raw.githubusercontent.com/o/r/refs/heads/main/x.yaml",
    "https://github.com/o/r/tree/0123456789abcdef0123456789abcdef01234567/x.yaml,"
        + "https://raw.githubusercontent.com/o/r/0123456789abcdef0123456789abcdef01234567/x.yaml",
    "https://github.com/o/r/tree/v1.0.3/x.yaml,https://raw.githubusercontent.com/o/r/v1.0.3/x.yaml",
    "https://github.com/o/r/tree/v1/x.yaml,https://raw.githubusercontent.com/o/r/refs/heads/v1/x.yaml",
    "https://github.com/o/r/releases/download/v1/x.yaml,https://github.com/o/r/releases/download/v1/x.yaml",
    "https://gitlab.com/g/s/r/-/tree/main/f/x.yaml,https://gitlab.com/g/s/r/-/raw/main/f/x.yaml",
    "https://git.example.com/g/r/-/blob/main/x.yaml,https://git.example.com/g/r/-/raw/main/x.yaml",
    "https://example.com/o/r/tree/main/x.yaml,https://example.com/o/r/tree/main/x.yaml",
    "file:///srv/x.yaml,file:///srv/x.yaml"
  })
  void shouldReadRawContentOfRepositories(String uri, String raw) {
    assertEquals(raw, RepositoryUris.raw(uri));
  }
}
