package dev.pinion.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pinion.core.binding.BindingSource;
import dev.pinion.core.definition.DefinitionRegistry;
import dev.pinion.core.definition.DefinitionResources;
import dev.pinion.core.definition.InMemoryDefinitionStore;
import dev.pinion.core.engine.ProtectedServer.Answer;
import dev.pinion.core.language.reference.TextDocuments;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.loop.IdleStrategy;
import dev.pinion.core.loop.Transport;
import dev.pinion.core.model.ChainCatalog;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.instance.InstanceState;
import dev.pinion.core.model.instance.InstanceView;
import dev.pinion.core.settings.EngineSettings;
import dev.pinion.core.settings.StageLayout;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls of OpenAPI operations from a real engine to a real server. */
class OpenApiRunsTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String AT = "https://api.test/api.yaml";
  private static final TestService NOTHING = request -> TestService.Answer.ok("{}");

  private final TestSecrets secrets = new TestSecrets();
  private final TextDocuments documents = new TextDocuments(Map.of());
  private ProtectedServer server;
  private EngineDriver driver;
  private int versions;

  @BeforeEach
  void open() throws IOException {
    server = new ProtectedServer().serving(request -> Answer.ok("{\"ok\":true}"));
    EngineLimits limits = EngineLimits.defaults();
    DefinitionRegistry registry =
        new DefinitionRegistry(
            limits,
            new InMemoryDefinitionStore(),
            ChainCatalog.UNKNOWN,
            BindingSource.NONE,
            DefinitionResources.DEFAULT.withDocuments(() -> documents),
            Clock.system());
    driver =
        EngineDriver.open(
            "fused:1",
            Transport.best(),
            IdleStrategy.PARK,
            limits,
            _ ->
                EngineSettings.of(registry)
                    .withLimits(limits)
                    .withStageLayout(StageLayout.parse("fused:1"))
                    .withTransport(Transport.best())
                    .withSecrets(secrets));
    documents.put(
        AT,
        """
        openapi: 3.1.0
        servers: [{url: '%s/v1'}]
        security: [{key: []}, {login: []}]
        paths:
          /things/{id}:
            post:
              operationId: act
              parameters:
                - {name: id, in: path, required: true}
                - {name: q, in: query}
                - {name: r, in: query}
                - {name: X-Field, in: header}
                - {name: one, in: cookie}
                - {name: two, in: cookie}
              requestBody:
                content:
                  application/json: {schema: {properties: {pin: {}, note: {}}}}
                  application/x-www-form-urlencoded: {}
                  multipart/form-data:
                    schema: {properties: {file: {type: string, format: binary}}}
                  text/plain: {}
                  application/octet-stream: {}
                  application/xml: {}
          /things: {get: {operationId: list}}
        components:
          securitySchemes:
            key: {type: apiKey, in: query, name: api_key}
            login: {type: http, scheme: basic}
        """
            .formatted(server.base()));
  }

  @AfterEach
  void close() {
    driver.close();
    server.close();
  }

  private InstanceView run(String use, String with, String input) throws Exception {
    String yaml =
        """
        document: {dsl: 1.0.3, namespace: test, name: openapi, version: 1.0.%s}
        %s
        do:
          - ask:
              call: openapi
              with:
                document: {endpoint: '%s'}
        %s
        """
            .formatted(versions++, use, AT, with.indent(8));
    return driver.run(yaml, Payload.of(JSON.readTree(input)), NOTHING);
  }

  private ProtectedServer.Request sent(String use, String parameters, String input)
      throws Exception {
    InstanceView ended = run(use, "operationId: act\nparameters: " + parameters, input);
    assertEquals(InstanceState.COMPLETED, ended.state(), () -> String.valueOf(ended.error()));
    return server.requests().getLast();
  }

  @Test
  void shouldMakeTheRequestOfTheOperation() throws Exception {
    ProtectedServer.Request request =
        sent(
            "",
            "{id: '${ .id }', q: [a, b], X-Field: f, one: '1', two: 2, pin: '${ .pin }'}",
            "{\"id\":\"a b\",\"pin\":4711}");

    assertEquals("POST", request.method());
    assertEquals("/v1/things/a%20b", request.path());
    assertEquals("q=a&q=b", request.query());
    assertEquals("f", request.field("X-Field"));
    assertEquals("one=1; two=2", request.field("Cookie"));
    assertEquals("application/json", request.field("Content-Type"));
    assertEquals("{\"pin\":4711}", request.body());
  }

  @Test
  void shouldSendBodiesInEachForm() throws Exception {
    assertEquals(
        "a=1&b=x+y&b=z",
        sent(
                "",
                "{id: 1, Content-Type: application/x-www-form-urlencoded,"
                    + " body: {a: 1, b: [x y, z]}}",
                "{}")
            .body());
    assertEquals("hello", sent("", "{id: 1, Content-Type: text/plain, body: hello}", "{}").body());
    assertEquals(
        "hi",
        sent("", "{id: 1, Content-Type: application/octet-stream, body: {base64: aGk=}}", "{}")
            .body());
    assertTrue(
        sent("", "{id: 1, Content-Type: application/xml, body: {order: {id: 7}}}", "{}")
            .body()
            .contains("<order><id>7</id></order>"));
    ProtectedServer.Request parts =
        sent("", "{id: 1, Content-Type: multipart/form-data, file: {base64: aGk=}}", "{}");
    assertTrue(parts.field("Content-Type").startsWith("multipart/form-data; boundary="));
    assertTrue(
        parts
            .body()
            .contains("Content-Disposition: form-data; name=\"file\"; filename=\"file\"\r\n"),
        parts::body);
  }

  @Test
  void shouldPutSecretsIntoEveryPartOfARequest() throws Exception {
    secrets.with("s", "s3cr€t");
    ProtectedServer.Request request =
        sent(
            "use: {secrets: [s]}",
            "{id: 1, q: '${ $secrets.s }', r: 2, X-Field: '${ $secrets.s | @base64 }',"
                + " one: '${ $secrets.s }', two: '${ .n }', pin: '${ $secrets.s }',"
                + " note: '${ .n }'}",
            "{\"n\":3}");

    assertEquals("/v1/things/1", request.path());
    assertEquals("r=2&q=s3cr%E2%82%ACt", request.query());
    assertEquals("czNjcuKCrHQ=", request.field("X-Field"));
    assertEquals("one=s3cr%E2%82%ACt; two=3", request.field("Cookie"));
    assertEquals(JSON.readTree("{\"pin\":\"s3cr€t\",\"note\":3}"), JSON.readTree(request.body()));
  }

  @Test
  void shouldHideAPathWithSecrets() throws Exception {
    secrets.with("s", "t0p");
    InstanceView ended =
        run(
            "use: {secrets: [s]}",
            """
            operationId: act
            parameters: {id: '${ $secrets.s }', q: '${ .q }', api_key: '${ $secrets.s }'}
            output: response
            """,
            "{\"q\":\"x\"}");

    ProtectedServer.Request request = server.requests().getLast();
    assertEquals("/v1/things/t0p", request.path());
    assertEquals("q=x&api_key=t0p", request.query());
    String shown = String.valueOf(ended.output());
    assertTrue(!shown.contains("t0p"), shown);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "use: {authentications: {login: {basic: {username: ann, password: pw}}}}",
        "use: {secrets: [cred], authentications: {login: {basic: {use: cred}}}}"
      })
  void shouldAuthenticateByTheNameOfAScheme(String use) throws Exception {
    secrets.with("cred", Payload.of(JSON.readTree("{\"username\":\"ann\",\"password\":\"pw\"}")));

    assertEquals("Basic YW5uOnB3", sent(use, "{id: 1}", "{}").field("Authorization"));
  }

  @Test
  void shouldFailWithTheStatusOfTheService() throws Exception {
    server.serving(request -> Answer.of(404, "{}"));

    InstanceView ended = run("", "operationId: list", "{}");

    WorkflowError error = Objects.requireNonNull(ended.error());
    assertEquals(404, error.status());
    assertEquals("/do/0/ask", error.instance());
  }

  @Test
  void shouldUseInputsWithSecrets() throws Exception {
    secrets.with("s", "k-1");
    String yaml =
        """
        document: {dsl: 1.0.3, namespace: test, name: openapi, version: 1.0.0}
        use: {secrets: [s]}
        do:
          - ask:
              input: {from: '${ {key: $secrets.s, n} }'}
              call: openapi
              with:
                document: {endpoint: '%s'}
                operationId: list
                parameters: {api_key: '${ .key }'}
        """
            .formatted(AT);

    InstanceView ended = driver.run(yaml, Payload.of(JSON.readTree("{\"n\":1}")), NOTHING);

    assertEquals(InstanceState.COMPLETED, ended.state(), () -> String.valueOf(ended.error()));
    assertEquals("api_key=k-1", server.requests().getLast().query());
  }

  @Test
  void shouldCallOperationsFromFunctionsOfDocuments() throws Exception {
    documents.put(
        "https://api.test/functions/list.yaml",
        """
        call: openapi
        with:
          document: {endpoint: ../api.yaml}
          operationId: list
          parameters: {api_key: '${ .key }'}
        """);
    String yaml =
        """
        document: {dsl: 1.0.3, namespace: test, name: openapi, version: 1.0.0}
        do:
          - ask: {call: 'https://api.test/functions/list.yaml', with: {key: '${ .k }'}}
        """;

    InstanceView ended = driver.run(yaml, Payload.of(JSON.readTree("{\"k\":7}")), NOTHING);

    assertEquals("{\"ok\":true}", String.valueOf(ended.output()));
    assertEquals("api_key=7", server.requests().getLast().query());
  }
}
