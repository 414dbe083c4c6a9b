package dev.pinion.core.language.call;

import static dev.pinion.core.jq.Expressions.budget;
import static dev.pinion.core.jq.Expressions.json;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.document.DocumentReader;
import dev.pinion.core.graph.Node;
import dev.pinion.core.language.CompilationResult;
import dev.pinion.core.language.WorkflowCompiler;
import dev.pinion.core.language.reference.TextDocuments;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Diagnostic;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.Scope;
import dev.pinion.core.model.call.HttpCall;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code call: openapi}: the requests that it makes, and what it refuses. */
class OpenApiCallsTest {
  private static final String AT = "https://api.test/api.yaml";
  private static final String HEAD =
      "document: {dsl: 1.0.3, namespace: test, name: calls, version: 1.0.0}\n";

  private final Map<String, String> texts = new HashMap<>();
  private Map<String, Integer> limits = Map.of();

  private CompilationResult compile(String use, String arguments) {
    String source =
        HEAD
            + use
            + "do:\n  - a:\n      call: openapi\n      with:\n        document: {endpoint: '"
            + AT
            + "'}\n"
            + arguments.indent(8);
    return new WorkflowCompiler(EngineLimits.defaults().with(limits))
        .compile(source, DocumentReader.YAML, (_, _) -> new TextDocuments(texts));
  }

  private CompilationResult.Compiled compiled(String arguments) {
    CompilationResult result = compile("", arguments);
    return assertInstanceOf(CompilationResult.Compiled.class, result, result::toString);
  }

  private List<String> problems(String arguments) {
    CompilationResult result = compile("", arguments);
    return assertInstanceOf(CompilationResult.Rejected.class, result, result::toString)
        .problems()
        .stream()
        .map(Diagnostic::toString)
        .toList();
  }

  private static HttpCall call(CompilationResult.Compiled compiled, String input) {
    Node.Call task = assertInstanceOf(Node.Call.class, compiled.graph().body().tasks().getFirst());
    return assertInstanceOf(
        HttpCall.class, task.call().evaluate(json(input), Scope.EMPTY, budget()));
  }

  private HttpCall call(String parameters, String input) {
    return call(compiled("operationId: act\nparameters: " + parameters), input);
  }

  private static String fields(HttpCall call) {
    return call.headers().stream()
        .map(each -> each.name() + ": " + each.value())
        .collect(Collectors.joining("\n"));
  }

  /** A document of OpenAPI 3 with one operation, {@code act}. */
  private void third(String path, String method, String members) {
    texts.put(
        AT,
        "openapi: 3.1.0\nservers: [{url: 'https://shop.test/v1'}]\npaths:\n  "
            + path
            + ":\n    "
            + method
            + ":\n      operationId: act\n"
            + members.indent(6)
            + """
            components:
              schemas:
                Item:
                  type: object
                  properties: {name: {type: string}, size: {type: integer}, body: {type: string}}
              securitySchemes:
                key: {type: apiKey, in: header, name: X-Key}
                login: {type: http, scheme: basic}
            """);
  }

  private void second(String method, String members) {
    texts.put(
        AT,
        "swagger: '2.0'\nhost: shop.test\nschemes: [https]\npaths:\n  /items:\n    "
            + method
            + ":\n      operationId: act\n"
            + members.indent(6));
  }

  @Test
  void shouldPutParametersIntoTheirPlaces() {
    third(
        "/items/{id}",
        "get",
        """
        parameters:
          - {name: id, in: path, required: true}
          - {name: q, in: query}
          - {name: X-Trace, in: header}
          - {name: session, in: cookie}
        responses: {200: {description: ok, content: {text/csv: {}}}}
        """);

    HttpCall call =
        call(
            "{id: '${ .id }', q: ['${ .q }', b], X-Trace: '${ [1, 2] }', session: s 1}",
            "{\"id\":\"a/b\",\"q\":\"a&\"}");

    assertEquals("GET", call.method());
    assertEquals("https://shop.test/v1/items/a%2Fb?q=a%26&q=b", call.uri());
    assertEquals("Accept: text/csv, */*;q=0.1\nX-Trace: 1,2\nCookie: session=s%201", fields(call));
    assertNull(call.body());
    assertEquals(HttpCall.Output.CONTENT, call.output());
  }

  @Test
  void shouldLeaveOutOptionalParametersThatAreNull() {
    third("/items", "get", "parameters: [{name: q, in: query}, {name: X-A, in: header}]");

    HttpCall call = call("{q: '${ .q }', X-A: null}", "{}");

    assertEquals("https://shop.test/v1/items", call.uri());
    assertEquals("", fields(call));
  }

  @Test
  void shouldFailWhenARequiredParameterHasNoValue() {
    third("/items", "get", "parameters: [{name: q, in: query, required: true}]");

    ExpressionException failed =
        assertThrows(ExpressionException.class, () -> call("{q: '${ .q }'}", "{}"));

    assertEquals(
        "expected a value for the parameter \"q\" (query), found null"
            + " (/do/0/a/with/parameters/q: ${ .q })",
        failed.getMessage());
  }

  @Test
  void shouldGiveANameToEachOfItsPlaces() {
    third(
        "/items/{id}",
        "get",
        "parameters: [{name: id, in: path, required: true}, {name: id, in: query}]");

    assertEquals("https://shop.test/v1/items/7?id=7", call("{id: 7}", "{}").uri());
    assertEquals("https://shop.test/v1/items/7?id=8", call("{id: 7, query.id: 8}", "{}").uri());
    assertEquals("https://shop.test/v1/items/7", call("{path.id: 7}", "{}").uri());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      textBlock =
          """
          {body: '${ . }'}               ~ {"name":"x","size":2} ~ {"name":"x","size":2}
          {body: {name: a, size: '${ .n }'}} ~ {"n":1}           ~ {"name":"a","size":1}
          {name: a, size: '${ .n }'}     ~ {"n":1}               ~ {"name":"a","size":1}
          {name: a, body: b}             ~ {}                    ~ {"name":"a","body":"b"}
          {body: [1]}                    ~ {}                    ~ [1]
          """)
  void shouldTakeABodyAsAWholeOrByItsMembers(String parameters, String input, String body) {
    third(
        "/items",
        "post",
        """
        requestBody:
          content:
            text/plain: {}
            application/vnd.item+json: {schema: {$ref: '#/components/schemas/Item'}}
        """);

    HttpCall call = call(parameters, input);
    assertEquals(json(body), call.body());
    assertEquals("Content-Type: application/vnd.item+json", fields(call));
  }

  @Test
  void shouldChooseTheFormOfABody() {
    third(
        "/items",
        "post",
        """
        requestBody:
          content:
            application/json: {schema: {type: string}}
            application/x-www-form-urlencoded:
              schema: {$ref: '#/components/schemas/Item'}
              encoding: {size: {style: form, explode: false}}
            'image/*': {}
        """);

    HttpCall form = call("{name: a, size: [1, 2]}", "{}");
    assertEquals("Content-Type: application/x-www-form-urlencoded", fields(form));
    assertEquals(json("{\"name\":\"a\",\"size\":\"1,2\"}"), form.body());
    HttpCall image = call("{Content-Type: image/png, body: {base64: aGk=}}", "{}");
    assertEquals("Content-Type: image/png", fields(image));
    HttpCall text = call("{body: hi}", "{}");
    assertEquals("Content-Type: application/json", fields(text));
    assertEquals(json("\"hi\""), text.body());
  }

  @Test
  void shouldMakePartsOfAForm() {
    third(
        "/items",
        "post",
        """
        requestBody:
          content:
            multipart/form-data:
              schema:
                properties: {photo: {type: string, format: binary}, about: {type: object}}
        """);

    HttpCall call = call("{photo: {base64: aGk=}, about: {a: 1}}", "{}");

    assertEquals("Content-Type: multipart/form-data", fields(call));
    assertEquals(
        json(
            """
            {"photo": {"base64": "aGk=", "filename": "photo"},
             "about": {"content": {"a": 1}, "contentType": "application/json"}}
            """),
        call.body());
  }

  @Test
  void shouldSendBodiesAndFormsOfTheFormerGeneration() {
    second("post", "parameters: [{name: item, in: body, required: true, schema: {type: object}}]");
    assertEquals(json("{\"a\":1}"), call("{item: {a: 1}}", "{}").body());
    assertEquals(json("{\"a\":1}"), call("{body: {a: 1}}", "{}").body());

    second(
        "post",
        """
        parameters:
          - {name: file, in: formData, type: file, required: true}
          - {name: tags, in: formData, type: array, collectionFormat: multi}
        """);
    assertEquals(
        json(
            """
            {"file": {"content": "hi", "contentType": "application/octet-stream",
                      "filename": "file"}, "tags": ["a", "b"]}
            """),
        call("{file: hi, tags: [a, b]}", "{}").body());

    second("post", "parameters: [{name: body, in: formData, type: string, required: true}]");
    assertEquals(json("{\"body\":\"hi\"}"), call("{body: hi}", "{}").body());
  }

  @Test
  void shouldTakeOutputAndRedirectFromTheTask() {
    third("/items", "get", "");

    HttpCall call = call(compiled("operationId: act\noutput: response\nredirect: true\n"), "{}");
    assertEquals(HttpCall.Output.RESPONSE, call.output());
    assertTrue(call.acceptRedirects());
    assertEquals(List.of("https://shop.test/"), compiled("operationId: act").origins());
  }

  @Test
  void shouldCallAbstractServices() {
    texts.put(
        AT,
        """
        openapi: 3.0.0
        servers: [{url: 'svc://shop/v1'}]
        paths: {/a: {get: {operationId: act}}}
        """);

    CompilationResult.Compiled compiled = compiled("operationId: act");
    assertEquals("svc://shop/v1/a", call(compiled, "{}").uri());
    assertEquals("shop", compiled.services().getFirst().name());
    assertEquals("/do/0/a/with/operationId", compiled.services().getFirst().pointer());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      textBlock =
          """
          {}                  ~ 8:9 /do/0/a/with/parameters: expected the parameter "id" (path), which act requires, found none
          {idd: 1}            ~ 8:22 /do/0/a/with/parameters/idd: expected a parameter of act (id, q, Accept, body, name, size), found "idd"; did you mean "id"?
          {id: 1, zzz: 1}     ~ 8:29 /do/0/a/with/parameters/zzz: expected a parameter of act (id, q, Accept, body, name, size), found "zzz"
          {id: null}          ~ 8:26 /do/0/a/with/parameters/id: expected a value for the parameter "id" (path), found null
          {id: 1, body: a}    ~ 8:35 /do/0/a/with/parameters/body: expected an object or an expression within ${ } as the body, found "a"
          {id: 1, Content-Type: text/csv, body: {}} ~ 8:43 /do/0/a/with/parameters/Content-Type: expected a media type in which act takes its body (application/json), found "text/csv"
          {id: 1, Content-Type: '${ .t }', body: {}} ~ 8:43 /do/0/a/with/parameters/Content-Type: expected a fixed media type as Content-Type, since the body takes its form from it, found "${ .t }"
          {id: 1, Content-Type: application/json} ~ 8:29 /do/0/a/with/parameters/Content-Type: expected a body beside Content-Type, found none
          """)
  void shouldRefuseWrongParameters(String parameters, String problem) {
    third(
        "/items/{id}",
        "put",
        """
        parameters: [{name: id, in: path, required: true}, {name: q, in: query}]
        requestBody:
          content:
            application/json:
              schema: {type: object, properties: {name: {}, size: {}}}
        """);

    assertEquals(List.of(problem), problems("operationId: act\nparameters: " + parameters + "\n"));
  }

  @Test
  void shouldRefuseMoreThanOneMistakeAtOnce() {
    third(
        "/items",
        "post",
        """
        parameters: [{name: q, in: query, required: true}, {name: Host, in: header}]
        requestBody: {required: true, content: {'video/*': {}}}
        """);

    assertEquals(
        List.of(
            "5:7 /do/0/a/with: expected the parameter \"body\" (body), which act requires, found"
                + " none",
            "5:7 /do/0/a/with: expected the parameter \"q\" (query), which act requires, found"
                + " none"),
        problems("operationId: act"));
    assertEquals(
        List.of(
            "8:9 /do/0/a/with/parameters: expected \"Content-Type\" among the parameters, since act"
                + " takes video/*, found none",
            "8:28 /do/0/a/with/parameters/Host: expected a header field that a definition may set,"
                + " found \"Host\", which the engine sets itself"),
        problems("operationId: act\nparameters: {q: 1, Host: x, body: {base64: aGk=}}"));
  }

  @Test
  void shouldRefuseABodyBesideItsMembers() {
    third(
        "/items",
        "post",
        "requestBody: {content: {application/json: {schema: {properties: {name: {}}}}}}");

    assertEquals(
        List.of(
            "8:31 /do/0/a/with/parameters/body: expected either the body as a whole or its members,"
                + " found both, name"),
        problems("operationId: act\nparameters: {name: a, body: {}}"));
  }

  @Test
  void shouldRefuseUnknownAndDoubtfulOperations() {
    texts.put(
        AT,
        """
        openapi: 3.0.0
        paths:
          /a: {get: {operationId: getA}, put: {operationId: twice}}
          /b: {get: {operationId: twice}}
        """);

    assertEquals(
        List.of(
            "7:22 /do/0/a/with/operationId: expected the operationId of an operation of "
                + AT
                + " (getA, twice), found \"geta\"; did you mean \"getA\"?"),
        problems("operationId: geta"));
    assertEquals(
        List.of(
            "7:22 /do/0/a/with/operationId: expected the operationId of one operation of "
                + AT
                + ", found that of PUT /a, GET /b"),
        problems("operationId: twice"));
    assertEquals(
        List.of(
            "7:22 /do/0/a/with/operationId: expected a fixed operationId, since its document is"
                + " read at deployment, found \"${ .id }\""),
        problems("operationId: '${ .id }'"));
  }

  @Test
  void shouldTellPlacesInTheDocument() {
    third("/items/{id}", "get", "parameters: [{$ref: '#/none'}]");

    assertEquals(
        List.of(
            "7:22 /do/0/a/with/operationId: "
                + AT
                + "#/paths/~1items~1{id}/get, line 6, column 7: expected a parameter in the path"
                + " for {id} of GET /items/{id}, found none",
            "7:22 /do/0/a/with/operationId: "
                + AT
                + "#/paths/~1items~1{id}/get/parameters/0/$ref, line 7, column 27: expected a"
                + " reference to a value of the document, such as #/components/parameters/id, found"
                + " \"#/none\""),
        problems("operationId: act"));
  }

  @Test
  void shouldTellProblemsOfAParameterThatIsUsed() {
    third("/items", "get", "parameters: [{name: q, in: query, style: fancy}]");

    assertEquals("https://shop.test/v1/items", call("{}", "{}").uri());
    assertEquals(1, problems("operationId: act\nparameters: {q: 1}").size());
  }

  @ParameterizedTest
  @ValueSource(strings = {"openapi: [", "{\"openapi\": ", "paths: {}", "openapi: 2.0.0"})
  void shouldRefuseWhatIsNoDocument(String text) {
    texts.put(AT, text);

    List<String> problems = problems("operationId: act");
    assertEquals(1, problems.size(), problems::toString);
    assertTrue(problems.getFirst().contains(": " + AT + "#"), problems::toString);
  }

  @Test
  void shouldHoldDocumentsToTheLimits() {
    third("/items", "get", "description: " + "x".repeat(2_000));
    limits = Map.of("definition.maxBytes", 1_024);
    assertEquals(
        List.of(
            "6:30 /do/0/a/with/document/endpoint: "
                + AT
                + "#, line 1, column 1: expected a document of at most 1024 bytes"
                + " (definition.maxBytes), found more"),
        problems("operationId: act"));

    limits = Map.of("json.maxDepth", 12);
    third("/items", "get", "x-deep: " + "[".repeat(20) + "]".repeat(20));
    List<String> problems = problems("operationId: act");
    assertEquals(1, problems.size(), problems::toString);
    assertTrue(
        problems.getFirst().contains("expected nesting of at most 12 levels (json.maxDepth)"),
        problems::toString);
  }

  @Test
  void shouldReadKeysOfYamlThatAreNumbers() {
    third("/items", "get", "responses: {200: {description: ok}, default: {description: no}}");

    assertEquals("https://shop.test/v1/items", call("{}", "{}").uri());
  }

  @Test
  void shouldTellDefinitionsApartByTheirDocuments() {
    third("/items", "get", "");
    long first = compiled("operationId: act").graph().fingerprint();
    third("/other", "get", "");

    assertNotEquals(first, compiled("operationId: act").graph().fingerprint());
    assertEquals(AT, compiled("operationId: act").documents().getFirst().uri());
  }

  @Test
  void shouldWarnOfAMissingAuthentication() {
    third("/items", "get", "security: [{login: [], key: []}, {login: []}]");

    assertEquals(
        List.of(
            "7:22 /do/0/a/with/operationId: expected \"authentication\", since the document asks"
                + " for login (basic) and the parameter X-Key, or login (basic), found none; it is"
                + " called without"),
        warnings(compiled("operationId: act")));
    third("/items", "get", "security: [{login: []}, {}]");
    assertEquals(List.of(), warnings(compiled("operationId: act")));
    third("/items", "get", "security: [{key: []}]");
    assertEquals(List.of(), warnings(compiled("operationId: act\nparameters: {X-Key: k}")));
  }

  private static String policy(CompilationResult.Compiled compiled) {
    return String.valueOf(Objects.requireNonNull(call(compiled, "{}").pending()).policy());
  }

  private static List<String> warnings(CompilationResult.Compiled compiled) {
    return compiled.warnings().stream().map(Diagnostic::toString).toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      textBlock =
          """
          use: {authentications: {login: {basic: {username: u, password: p}}}}  ~ basic
          use: {authentications: {login: {bearer: {token: t}}}}                 ~ bearer
          """)
  void shouldAuthenticateByTheNameOfAScheme(String use, String scheme) {
    third("/items", "get", "security: [{key: []}, {login: []}]");

    CompilationResult result = compile(use + "\n", "operationId: act");
    CompilationResult.Compiled compiled =
        assertInstanceOf(CompilationResult.Compiled.class, result, result::toString);
    assertEquals(List.of(), warnings(compiled));
    assertEquals(scheme, policy(compiled));
  }

  @Test
  void shouldLetTheTaskOverrideTheSecurityOfTheDocument() {
    third("/items", "get", "security: [{login: []}]");
    String use = "use: {authentications: {login: {basic: {username: u, password: p}}}}\n";

    CompilationResult result =
        compile(use, "operationId: act\nauthentication: {bearer: {token: t}}");
    CompilationResult.Compiled compiled =
        assertInstanceOf(CompilationResult.Compiled.class, result, result::toString);
    assertEquals("bearer", policy(compiled));
  }

  @Test
  void shouldFollowReferencesToOtherDocuments() {
    third("/items", "get", "parameters: [{$ref: 'parts.yaml#/q'}]");
    texts.put("https://api.test/parts.yaml", "q: {name: q, in: query}");

    CompilationResult.Compiled compiled = compiled("operationId: act\nparameters: {q: 1}");
    assertEquals("https://shop.test/v1/items?q=1", call(compiled, "{}").uri());
    assertEquals(2, compiled.documents().size());
  }
}
