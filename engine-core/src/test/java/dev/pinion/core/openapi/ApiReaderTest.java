package dev.pinion.core.openapi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.template.parameter.FormField;
import dev.pinion.core.template.parameter.ParameterStyle;
import dev.pinion.core.template.parameter.StyledParameter;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a call needs of an operation, from documents of both generations. */
class ApiReaderTest {
  private static final String AT = "https://api.test/docs/api.yaml";

  private final ApiTexts texts = new ApiTexts();

  /** An operation of OpenAPI 3 with some members, and those of the document. */
  private ApiTexts third(String operation, String document) {
    return texts.with(
        AT,
        """
        openapi: 3.0.3
        info: {title: t, version: '1'}
        paths:
          /things:
            post:
              operationId: act
        %s
        %s
        """
            .formatted(operation.indent(6), document));
  }

  /** An operation of OpenAPI 2 with some members, and those of the document. */
  private ApiTexts second(String operation, String document) {
    return texts.with(
        AT,
        """
        swagger: '2.0'
        info: {title: t, version: '1'}
        paths:
          /things:
            post:
              operationId: act
        %s
        %s
        """
            .formatted(operation.indent(6), document));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      textBlock =
          """
          {}                                       ~ https://api.test/
          servers: []                              ~ https://api.test/
          servers: [{url: 'http://h:81/v1/'}, {url: 'http://other'}] ~ http://h:81/v1/
          servers: [{url: /v2}]                    ~ https://api.test/v2
          servers: [{url: ../v3}]                  ~ https://api.test/v3
          servers: [{url: //h/v4}]                 ~ https://h/v4
          servers: [{url: 'svc://shop/v1'}]        ~ svc://shop/v1
          servers: [{url: 'http://{h}:{p}/{b}', variables: {h: {default: x.y}, p: {default: 8080}, b: {default: 'a b'}}}] ~ http://x.y:8080/a%20b
          """)
  void shouldFindTheServer(String document, String server) {
    assertEquals(server, third("", document.equals("{}") ? "" : document).sound().server());
    assertEquals(List.of(), texts.problems());
  }

  @Test
  void shouldPreferTheServerOfTheOperation() {
    texts.with(
        AT,
        """
        openapi: 3.1.0
        servers: [{url: 'http://document'}]
        paths:
          /things:
            servers: [{url: 'http://path'}]
            get: {operationId: path}
            post: {operationId: act, servers: [{url: 'http://operation'}]}
        """);

    assertEquals("http://operation", texts.sound().server());
    ApiReader reader = texts.reader();
    assertEquals(
        "http://path",
        Objects.requireNonNull(reader.read(reader.find("path").getFirst())).server());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      textBlock =
          """
          servers: [{url: 'ftp://h'}]  ~ /servers/0/url: expected a URI of scheme http or https as address of the server, found "ftp://h"
          servers: [{url: 'http://h?a=1'}] ~ /servers/0/url: expected the address of the server without query and fragment, found "http://h?a=1"
          servers: [{url: 'http://u:p@h'}] ~ /servers/0/url: expected a URI with a host name and, at most, a port before its path, found "http://u:p@h"
          servers: [{url: 'http://{h}'}] ~ /servers/0/url: expected a default of the variable {h}, found none
          servers: [{name: x}]         ~ /servers/0: expected a server with a string as "url", found none
          servers: [{$ref: '#/x'}]     ~ /servers/0/$ref: expected a reference to a value of the document, such as #/components/parameters/id, found "#/x"
          """)
  void shouldRefuseServersThatCannotBeCalled(String document, String problem) {
    assertNull(third("", document).operation());
    assertEquals(List.of(AT + "#" + problem), texts.problems());
  }

  @Test
  void shouldNeedAServerInDocumentsThatAreFiles() {
    ApiTexts files = new ApiTexts();
    files.with("file:///srv/api.yaml", "{openapi: 3.0.0, paths: {/a: {get: {operationId: act}}}}");
    assertNull(files.operation());
    assertEquals(
        List.of(
            "file:///srv/api.yaml#: expected an absolute URI of scheme http or https as address of"
                + " the server, since the document comes from a file, found \"/\""),
        files.problems());

    ApiTexts former = new ApiTexts();
    former.with(
        "file:///srv/api.yaml",
        "{swagger: '2.0', host: h, paths: {/a: {get: {operationId: act}}}}");
    assertNull(former.operation());
    assertEquals(
        List.of(
            "file:///srv/api.yaml#/host: expected \"host\" and \"schemes\", since the document"
                + " comes from a file, found no schemes"),
        former.problems());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      textBlock =
          """
          {}                                                    ~ https://api.test
          {host: 'h:81'}                                        ~ https://h:81
          {host: h, basePath: /v1, schemes: [http]}             ~ http://h/v1
          {host: h, basePath: v1, schemes: [http, https]}       ~ https://h/v1
          {basePath: /v1}                                       ~ https://api.test/v1
          """)
  void shouldFindTheHost(String document, String server) {
    String members = document.substring(1, document.length() - 1);
    texts.with(
        AT,
        "{swagger: '2.0', paths: {/a: {get: {operationId: act}}}"
            + (members.isEmpty() ? "" : ", " + members)
            + "}");

    assertEquals(server, texts.sound().server());
  }

  @Test
  void shouldLetAnOperationReplaceParametersOfItsPath() {
    texts.with(
        AT,
        """
        openapi: 3.1.0
        paths:
          /things/{id}:
            parameters:
              - {name: id, in: path, required: true, schema: {type: string}}
              - {name: page, in: query, schema: {type: integer}}
              - {name: X-Trace, in: header}
            get:
              operationId: act
              parameters:
                - {$ref: '#/components/parameters/Page'}
                - {name: x-trace, in: header, required: true}
                - {name: in-nothing, in: body}
                - {in: query}
        components:
          parameters:
            Page: {name: page, in: query, explode: false, required: true}
        """);

    assertEquals(
        "path.id! query.page! header.x-trace! header.Accept",
        texts.sound().parameters().stream()
            .map(each -> each.qualifiedName() + (each.required() ? "!" : ""))
            .collect(Collectors.joining(" ")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      textBlock =
          """
          in: path                                       ~ SIMPLE ~ false
          in: path, style: label, explode: true          ~ LABEL ~ true
          in: path, style: matrix                        ~ MATRIX ~ false
          in: query                                      ~ FORM ~ true
          in: query, explode: false                      ~ FORM ~ false
          in: query, style: spaceDelimited               ~ SPACE_DELIMITED ~ false
          in: query, style: pipeDelimited                ~ PIPE_DELIMITED ~ false
          in: query, style: deepObject, explode: true    ~ DEEP_OBJECT ~ true
          in: query, content: {application/json: {}}     ~ JSON ~ false
          in: query, content: {text/plain: {}}           ~ FORM ~ false
          in: header                                     ~ SIMPLE ~ false
          in: cookie                                     ~ FORM ~ true
          """)
  void shouldReadStyles(String members, ParameterStyle style, boolean explode) {
    third("parameters: [{name: p, " + members + "}]", "");

    ApiParameter parameter = texts.sound().parameters().getFirst();
    assertEquals(new StyledParameter("p", style, explode, false), parameter.form());
    assertNull(parameter.problem());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      textBlock =
          """
          in: path                              ~ SIMPLE ~ false
          in: query                             ~ FORM ~ false
          in: query, collectionFormat: multi    ~ FORM ~ true
          in: query, collectionFormat: ssv      ~ SPACE_DELIMITED ~ false
          in: query, collectionFormat: tsv      ~ TAB_DELIMITED ~ false
          in: header, collectionFormat: pipes   ~ PIPE_DELIMITED ~ false
          in: header                            ~ SIMPLE ~ false
          """)
  void shouldReadCollectionFormats(String members, ParameterStyle style, boolean explode) {
    second("parameters: [{name: p, " + members + "}]", "");

    assertEquals(
        new StyledParameter("p", style, explode, false),
        texts.sound().parameters().getFirst().form());
  }

  @Test
  void shouldKeepTheProblemOfAParameter() {
    third(
        """
        parameters:
          - {name: a, in: query, style: matrix}
          - {name: b, in: header, style: fancy}
          - {name: c, in: querystring, content: {}}
        """,
        "");

    List<ApiParameter> parameters = texts.sound().parameters();
    assertEquals(
        "expected a style of a parameter in query (deepObject, form, pipeDelimited,"
            + " spaceDelimited), found \"matrix\"",
        parameters.get(0).problem());
    assertEquals(
        "expected a style of a parameter in header (simple), found \"fancy\"",
        parameters.get(1).problem());
    assertEquals(
        "expected a parameter in path, query, header or cookie, found one in querystring, which is"
            + " not supported",
        parameters.get(2).problem());
    assertEquals(List.of(), texts.problems());
  }

  @Test
  void shouldRefusePathsThatAreIncomplete() {
    texts.with(AT, "{openapi: 3.0.0, paths: {'/a/{id}': {get: {operationId: act}}}}");

    assertNull(texts.operation());
    assertEquals(
        List.of(
            AT
                + "#/paths/~1a~1{id}/get: expected a parameter in the path for {id} of GET /a/{id},"
                + " found none"),
        texts.problems());
  }

  @Test
  void shouldReadBodies() {
    third(
        """
        requestBody:
          required: true
          content:
            multipart/form-data:
              schema:
                allOf:
                  - {$ref: '#/components/schemas/Base'}
                  - properties:
                      file: {type: string, format: binary}
                      files: {type: array, items: {type: string, format: binary}}
                      page: {contentMediaType: image/png}
                      text: {type: string, contentMediaType: image/png, contentEncoding: base64}
              encoding:
                file: {contentType: 'image/*, image/gif'}
                tags: {style: pipeDelimited}
            application/json: {schema: {$ref: '#/components/schemas/Base'}}
            nonsense: {}
        """,
        """
        components:
          schemas:
            Base:
              type: object
              properties: {tags: {type: array}, base: {$ref: '#/components/schemas/Base'}}
              anyOf: [{$ref: '#/components/schemas/Base'}]
        """);

    ApiBody body = Objects.requireNonNull(texts.sound().body());
    assertEquals(
        List.of("multipart/form-data", "application/json"),
        body.contents().stream().map(each -> each.type().text()).toList());
    ApiReader reader = texts.reader();
    assertEquals(
        "{file=FormField[isFile=true, contentType=image/gif, style=null],"
            + " files=FormField[isFile=true, contentType=null, style=null],"
            + " page=FormField[isFile=true, contentType=null, style=null],"
            + " tags=FormField[isFile=false, contentType=null, style=StyledParameter[name=tags,"
            + " style=PIPE_DELIMITED, explode=false, allowReserved=false]],"
            + " text=FormField[isFile=false, contentType=null, style=null],"
            + " base=FormField[isFile=false, contentType=null, style=null]}",
        forms(reader, body.contents().getFirst(), "file", "files", "page", "tags", "text", "base"));
    assertTrue(reader.isObject(body.contents().get(1)));
    assertTrue(body.required());
    assertEquals(List.of(), texts.problems());
  }

  private static String forms(ApiReader reader, ApiContent content, String... names) {
    return List.of(names).stream()
        .map(name -> name + "=" + form(reader, content, name))
        .collect(Collectors.joining(", ", "{", "}"));
  }

  private static FormField form(ApiReader reader, ApiContent content, String name) {
    ApiField field = reader.fields(content).get(name);
    return Objects.requireNonNull(field, name).form();
  }

  @Test
  void shouldTakeAnyBodyWithoutContent() {
    third("requestBody: {description: anything}", "");

    ApiBody body = Objects.requireNonNull(texts.sound().body());
    assertEquals("*/*", body.contents().getFirst().type().text());
    assertEquals("application/json", body.contents().getFirst().type().usual().text());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      textBlock =
          """
          parameters: [{name: b, in: body, required: true}] ~ application/json
          consumes: [application/xml], parameters: [{name: b, in: body}] ~ application/xml
          parameters: [{name: f, in: formData, type: string}] ~ application/x-www-form-urlencoded
          parameters: [{name: f, in: formData, type: file}] ~ multipart/form-data
          consumes: [multipart/form-data, application/json], parameters: [{name: f, in: formData, type: string}] ~ multipart/form-data
          consumes: [application/x-www-form-urlencoded], parameters: [{name: f, in: formData, type: file}] ~ multipart/form-data
          """)
  void shouldReadFormerBodies(String members, String type) {
    texts.with(AT, "{swagger: '2.0', paths: {/a: {post: {operationId: act, " + members + "}}}}");

    ApiBody body = Objects.requireNonNull(texts.sound().body());
    assertEquals(List.of(type), body.contents().stream().map(e -> e.type().text()).toList());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      textBlock =
          """
          {}                                                              ~ ``
          {'200': {content: {application/json: {}}}}                      ~ ``
          {200: {content: {application/xml: {}, application/json: {}}}}   ~ application/json, application/xml;q=0.9, */*;q=0.1
          {2XX: {content: {image/png: {}}}, default: {content: {application/json: {}}}} ~ image/png, */*;q=0.1
          {default: {content: {text/csv: {}}}, 404: {content: {text/html: {}}}} ~ text/csv, */*;q=0.1
          {200: {$ref: '#/components/responses/Ok'}}                      ~ application/hal+json, */*;q=0.1
          {200: {$ref: 'elsewhere.yaml#/Ok'}}                             ~ ``
          """)
  void shouldAcceptWhatTheOperationAnswers(String responses, String accept) {
    third(
        "responses: " + responses,
        "components: {responses: {Ok: {content: {application/hal+json: {}}}}}");

    assertEquals(accept, texts.sound().accept());
    assertEquals(List.of(), texts.problems());
  }

  @Test
  void shouldAcceptWhatAFormerOperationProduces() {
    second("produces: [text/csv, application/json]", "produces: [image/png]");

    assertEquals("application/json, text/csv;q=0.9, */*;q=0.1", texts.sound().accept());
  }

  @Test
  void shouldReadSecurity() {
    third(
        "security: [{oauth: [read], key: []}, {}, {basic: []}, {other: []}]",
        """
        security: [{ignored: []}]
        components:
          securitySchemes:
            oauth: {type: oauth2}
            key: {$ref: '#/components/securitySchemes/realKey'}
            realKey: {type: apiKey, in: query, name: api_key}
            basic: {type: http, scheme: Basic}
        """);

    assertEquals(
        "oauth:oauth2 key:apiKey@query.api_key |  | basic:basic | other:unknown",
        texts.sound().security().stream()
            .map(way -> way.stream().map(ApiReaderTest::shown).collect(Collectors.joining(" ")))
            .collect(Collectors.joining(" | ")));
  }

  private static String shown(ApiSecurityScheme scheme) {
    ApiParameter key = scheme.key();
    return scheme.name() + ":" + scheme.kind() + (key == null ? "" : "@" + key.qualifiedName());
  }

  @Test
  void shouldReadFormerSecurity() {
    second("summary: x", "security: [{k: []}]\nsecurityDefinitions: {k: {type: basic}}");

    ApiSecurityScheme scheme = texts.sound().security().getFirst().getFirst();
    assertEquals("k basic", scheme.name() + " " + scheme.kind());
  }
}
