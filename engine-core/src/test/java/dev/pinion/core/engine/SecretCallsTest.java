package dev.pinion.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pinion.core.binding.BindingSource;
import dev.pinion.core.definition.DefinitionRegistry;
import dev.pinion.core.definition.DefinitionResources;
import dev.pinion.core.definition.InMemoryDefinitionStore;
import dev.pinion.core.engine.ProtectedServer.Answer;
import dev.pinion.core.interception.HttpMessage;
import dev.pinion.core.interception.InterceptionPoint;
import dev.pinion.core.interception.InterceptionVerdict;
import dev.pinion.core.interception.Interceptor;
import dev.pinion.core.interception.MessageBody;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.loop.IdleStrategy;
import dev.pinion.core.loop.Transport;
import dev.pinion.core.model.ChainCatalog;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.Diagnostic;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.call.Program;
import dev.pinion.core.model.instance.InstanceState;
import dev.pinion.core.model.instance.InstanceView;
import dev.pinion.core.secret.SecretSource;
import dev.pinion.core.spi.DefinitionCatalog;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls with secrets, basic and bearer authentication, through a whole engine. */
class SecretCallsTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final TestSecrets secrets = new TestSecrets();
  private ProtectedServer server;
  private EngineDriver driver;

  @BeforeEach
  void open() throws IOException {
    server = new ProtectedServer().serving(request -> Answer.ok("{\"ok\":true}"));
    driver = engine("fused:1");
  }

  private EngineDriver engine(String layout) throws IOException {
    return EngineDriver.open(
        layout,
        Transport.best(),
        IdleStrategy.PARK,
        EngineLimits.defaults(),
        settings -> settings.withSecrets(secrets));
  }

  @AfterEach
  void close() {
    driver.close();
    server.close();
  }

  private static Payload json(String text) throws IOException {
    return Payload.of(JSON.readTree(text));
  }

  private InstanceView run(String use, String task, String input) throws Exception {
    String yaml =
        """
        document: {dsl: 1.0.3, namespace: test, name: secret, version: 1.0.0}
        use: %s
        do:
          - ask:
        %s
        """
            .formatted(use, task.replace("SERVER", server.base()).indent(6));
    return driver.run(yaml, json(input), request -> TestService.Answer.ok("{}"));
  }

  private static WorkflowError error(InstanceView view) {
    assertEquals(InstanceState.FAULTED, view.state());
    return Objects.requireNonNull(view.error());
  }

  private static String basic(String pair) {
    return "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{basic: {username: ann, password: 's3cr€t'}}",
        "{basic: {username: '${ .user }', password: '${ .password }'}}",
        "{basic: {use: login}}",
        "{use: shop}",
        "{basic: {username: ann, password: '${ $secrets.password }'}}",
        "{basic: {username: '${ $secrets.login.username }', password: '${ $secrets.password }'}}"
      })
  void shouldSendBasicAuthentication(String authentication) throws Exception {
    secrets
        .with("password", "s3cr€t")
        .with("login", json("{\"username\":\"ann\",\"password\":\"s3cr€t\"}"));

    InstanceView view =
        run(
            "{secrets: [login, password], authentications: {shop: {basic: {use: login}}}}",
            """
            call: http
            with:
              method: get
              endpoint: {uri: SERVER/a, authentication: %s}
            """
                .formatted(authentication),
            "{\"user\":\"ann\",\"password\":\"s3cr€t\"}");

    assertEquals(json("{\"ok\":true}"), view.output());
    assertEquals(basic("ann:s3cr€t"), server.requests().getFirst().field("Authorization"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{token: t0ken}",
        "{token: '${ .token }'}",
        "{use: token}",
        "{token: '${ $secrets.token }'}"
      })
  void shouldSendABearerToken(String bearer) throws Exception {
    secrets.with("token", "t0ken");

    run(
        "{secrets: [token]}",
        """
        call: http
        with:
          method: get
          endpoint: {uri: SERVER/a, authentication: {bearer: %s}}
        """
            .formatted(bearer),
        "{\"token\":\"t0ken\"}");

    assertEquals("Bearer t0ken", server.requests().getFirst().field("Authorization"));
  }

  @Test
  void shouldPutSecretsIntoEveryPartOfARequest() throws Exception {
    secrets.with("hook", server.base() + "/hooks/h00k").with("key", "k3y+/ä");

    InstanceView view =
        run(
            "{secrets: [hook, key]}",
            """
            call: http
            with:
              method: post
              endpoint: '${ $secrets.hook }'
              query: {key: '${ $secrets.key }', page: 1}
              headers: {X-Key: '${ $secrets.key | @base64 }', X-Plain: '${ .a }'}
              body: {key: '${ $secrets.key }', a: '${ .a }', me: '${ $task.name }'}
              output: response
            """,
            "{\"a\":\"b\"}");

    ProtectedServer.Request request = server.requests().getFirst();
    assertEquals("/hooks/h00k", request.path());
    assertEquals("key=k3y%2B%2F%C3%A4&page=1", request.query());
    assertEquals("azN5Ky/DpA==", request.field("X-Key"));
    assertEquals("b", request.field("X-Plain"));
    assertEquals("{\"key\":\"k3y+/ä\",\"a\":\"b\",\"me\":\"ask\"}", request.body());
    Payload shown = Objects.requireNonNull(Objects.requireNonNull(view.output()).member("request"));
    assertEquals("{endpoint}", shown.text("uri"));
    assertEquals(json("{\"X-Key\":\"***\",\"X-Plain\":\"b\"}"), shown.member("headers"));
  }

  @Test
  void shouldLetInputFromUseSecrets() throws Exception {
    secrets.with("bot", "b0t").with("login", json("{\"user\":\"ann\"}"));

    InstanceView view =
        run(
            "{secrets: [bot, login]}",
            """
            input: {from: '{bot: $secrets.bot, user: $secrets.login.user, text: .text}'}
            call: http
            with:
              method: post
              endpoint: SERVER/bot{bot}/send
              headers: {X-User: '${ .user }', X-Input: '${ $input.text }'}
              query: {chat: 4}
              body: '${ .text }'
            output: {as: '{ok, raw: $task.input}'}
            """,
            "{\"text\":\"hello\"}");

    ProtectedServer.Request request = server.requests().getFirst();
    assertEquals("/botb0t/send?chat=4", request.path() + "?" + request.query());
    assertEquals("ann hello", request.field("X-User") + " " + request.field("X-Input"));
    assertEquals("\"hello\"", request.body());
    assertEquals(json("{\"ok\":true,\"raw\":{\"text\":\"hello\"}}"), view.output());
  }

  @Test
  void shouldLetCallsInFunctionsUseSecrets() throws Exception {
    secrets.with("key", "k3y").with("token", "t0ken");

    InstanceView view =
        run(
            """
            {secrets: [key, token],
             authentications: {shop: {bearer: {use: token}}},
             functions: {ask: {call: http, with: {
               method: get,
               endpoint: {uri: 'SERVER/{path}', authentication: {use: shop}},
               headers: {X-Key: '${ $secrets.key }'}}}}}
            """
                .replace("SERVER", server.base())
                .replace("\n", " "),
            """
            call: ask
            with: {path: a}
            """,
            "{}");

    ProtectedServer.Request request = server.requests("/a").getFirst();
    assertEquals("Bearer t0ken k3y", request.field("Authorization") + " " + request.field("X-Key"));
    assertEquals(json("{\"ok\":true}"), view.output());
  }

  @Test
  void shouldKnowExtendedTasksBesideSecrets() throws Exception {
    secrets.with("key", "k3y");
    String told = "'${ \"\\($task.name) \\($task.input.a) \\($secrets.key)\" }'";

    run(
        """
        {secrets: [key], extensions: [{traced: {
          extend: call,
          before: [{tellBefore: {call: http, with: {
            method: get, endpoint: SERVER/before, headers: {X-Told: TOLD}}}}],
          after: [{tellAfter: {call: http, with: {
            method: get, endpoint: SERVER/after, headers: {X-Told: TOLD}}}}]}}]}
        """
            .replace("SERVER", server.base())
            .replace("TOLD", told)
            .replace("\n", " "),
        """
        call: http
        with: {method: get, endpoint: SERVER/work, headers: {X-Told: TOLD}}
        """
            .replace("TOLD", told),
        "{\"a\":\"b\"}");

    for (String path : List.of("/before", "/work", "/after")) {
      assertEquals("ask b k3y", server.requests(path).getFirst().field("X-Told"), path);
    }
  }

  @Test
  void shouldFindSecretsInLooseExpressions() throws Exception {
    secrets.with("key", "k3y");
    String yaml =
        """
        document: {dsl: 1.0.3, namespace: test, name: loose, version: 1.0.0}
        use: {secrets: [key]}
        evaluate: {mode: loose}
        do:
          - ask:
              call: http
              with: {method: get, endpoint: 'SERVER/a', headers: {X-Key: $secrets.key, X-Text: a b}}
        """
            .replace("SERVER", server.base());

    driver.run(yaml, json("{}"), request -> TestService.Answer.ok("{}"));

    ProtectedServer.Request request = server.requests().getFirst();
    assertEquals("k3y|a b", request.field("X-Key") + "|" + request.field("X-Text"));
  }

  private void allowPrograms() throws IOException {
    driver.close();
    driver =
        EngineDriver.open(
            "fused:1",
            Transport.best(),
            IdleStrategy.PARK,
            EngineLimits.defaults(),
            settings -> settings.withSecrets(secrets).withPrograms(Set.of(Program.Kind.SHELL)));
  }

  @Test
  void shouldGiveSecretsToPrograms() throws Exception {
    allowPrograms();
    secrets.with("key", "k3y").with("login", json("{\"user\":\"ann\"}"));

    InstanceView view =
        run(
            "{secrets: [key, login]}",
            """
            run:
              shell:
                command: 'printf "%s %s %s " "$KEY" "$PLAIN" "$1"; cat'
                arguments: ['${ .a }']
                environment: {KEY: '${ $secrets.key | ascii_upcase }', PLAIN: '${ .a }'}
                stdin: '${ "\\($secrets.login.user) \\($task.name) \\($input.a)" }'
            """,
            "{\"a\":\"b\"}");

    assertEquals(json("\"K3Y b b ann ask b\""), view.output());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "command: 'echo \"$KEY\" >&2; exit 1', environment: {KEY: '${ $secrets.key }'}",
        "command: 'cat >&2; exit 1', stdin: '${ $secrets.key }'",
        "command: ls, environment: {KEY: '${ $secrets.key | error }'}",
        "command: ls, environment: {KEY: '${ $secrets.key + ([0] | implode) }'}"
      })
  void shouldNotShowASecretOfAProgramInAnError(String shell) throws Exception {
    allowPrograms();
    secrets.with("key", "canary-4711");

    WorkflowError error = error(run("{secrets: [key]}", "run: {shell: {" + shell + "}}", "{}"));

    assertFalse(String.valueOf(error).contains("canary"), error::toString);
    assertNotNull(error.detail());
  }

  @Test
  void shouldNotShowTheEndOfALongSecretOfAProgram() throws Exception {
    allowPrograms();
    secrets.with("key", "canary-".repeat(200));

    WorkflowError error =
        error(
            run(
                "{secrets: [key]}",
                "run: {shell: {command: 'echo \"$KEY\" >&2; exit 1', environment: {KEY: '${"
                    + " $secrets.key }'}}}",
                "{}"));

    String detail = String.valueOf(error.detail());
    assertFalse(detail.contains("canary"), detail);
    assertTrue(
        detail.contains("found 1 and a standard error that repeats a secret of the run"), detail);
  }

  @Test
  void shouldDescribeTheAuthorization() throws Exception {
    run(
        "{}",
        """
        call: http
        with:
          method: post
          endpoint: {uri: SERVER/a, authentication: {bearer: {token: t0ken}}}
          headers: {X-Again: '${ "\\($authorization.scheme) \\($authorization.parameter)" }'}
          body: '${ $authorization }'
        """,
        "{}");

    ProtectedServer.Request request = server.requests().getFirst();
    assertEquals("Bearer t0ken", request.field("X-Again"));
    assertEquals("{\"scheme\":\"Bearer\",\"parameter\":\"t0ken\"}", request.body());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'${ {Authorization: $secrets.key, X: $secrets.key} }'",
        "'${ {authorization: .a, X: $secrets.key} }'"
      })
  void shouldSendOneAuthorization(String headers) throws Exception {
    secrets.with("key", "k3y");

    run(
        "{secrets: [key]}",
        """
        call: http
        with:
          method: get
          endpoint: {uri: SERVER/a, authentication: {bearer: {token: t0ken}}}
          headers: %s
        """
            .formatted(headers),
        "{\"a\":\"b\"}");

    ProtectedServer.Request request = server.requests().getFirst();
    assertEquals(List.of("Bearer t0ken"), request.headers().get("Authorization"));
    assertEquals("k3y", request.field("X"));
  }

  @Test
  void shouldUseARotatedSecretWithoutARestart() throws Exception {
    driver.close();
    driver =
        EngineDriver.open(
            "fused:1",
            Transport.best(),
            IdleStrategy.PARK,
            EngineLimits.defaults().with(Map.of("authentication.secretMillis", 0)),
            settings -> settings.withSecrets(secrets));
    String task =
        """
        call: http
        with: {method: get, endpoint: {uri: SERVER/a, authentication: {bearer: {use: token}}}}
        """;

    secrets.with("token", "first");
    run("{secrets: [token]}", task, "{}");
    secrets.with("token", "second");
    run("{secrets: [token]}", task, "{}");

    assertEquals("Bearer first", server.requests().get(0).field("Authorization"));
    assertEquals("Bearer second", server.requests().get(1).field("Authorization"));
  }

  @Test
  void shouldFailByTheNameOfAMissingSecret() throws Exception {
    WorkflowError error =
        error(
            run(
                "{secrets: [gone]}",
                """
                call: http
                with: {method: get, endpoint: SERVER/a, headers: {X: '${ $secrets.gone }'}}
                """,
                "{}"));

    assertEquals(ErrorType.AUTHORIZATION.uri(), error.type());
    assertEquals(403, error.status());
    assertEquals(
        "expected a secret \"gone\" in the secrets of the test, found none", error.detail());
    assertTrue(server.requests().isEmpty());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "headers: {X: '${ $secrets.key | tonumber | tostring }'}",
        "headers: {X: '${ $secrets.key + \"\\n\" + $secrets.key }'}",
        "body: '${ $secrets.key | error }'",
        "headers: {Content-Type: text/plain}\n  body: {a: '${ $secrets.key }'}",
        "headers: {X: '${ [limit(100000; repeat($secrets.key))] | length | tostring }'}"
      })
  void shouldNotShowASecretInAnError(String part) throws Exception {
    secrets.with("key", "canary-4711");

    WorkflowError error =
        error(
            run(
                "{secrets: [key]}",
                "call: http\nwith:\n  method: post\n  endpoint: SERVER/a\n  " + part,
                "{}"));

    assertFalse(String.valueOf(error).contains("canary"), error::toString);
    assertNotNull(error.detail());
  }

  @ParameterizedTest
  @ValueSource(strings = {"canary-4711", "Y2FuYXJ5LTQ3MTE", "y"})
  void shouldNotRepeatASecretThatTheServiceRepeats(String said) throws Exception {
    secrets.with("key", "canary-4711");
    server.serving(request -> Answer.of(400, "{\"said\":\"" + said + " canary-4711\"}"));

    WorkflowError error =
        error(
            run(
                "{secrets: [key]}",
                """
                call: http
                with: {method: get, endpoint: {uri: SERVER/a, authentication: {bearer: {use: key}}}}
                """,
                "{}"));

    assertEquals(400, error.status());
    assertTrue(
        String.valueOf(error.detail())
            .endsWith("/a, found 400 and a body that repeats a secret of the request"),
        error::toString);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "200 | canary-4711 | could not be read",
        "200 | {\"a\": canary-4711} | could not be read",
        "400 | {\"said\":\"canary-4711\"} | and a body that repeats a secret of the request",
        "400 | {\"said\":\"\\u0063anary\\u002d4711\"} | and a body that repeats a secret of the"
            + " request"
      })
  void shouldNotShowAPartOfASecretThatTheServiceRepeats(int status, String said, String end)
      throws Exception {
    secrets.with("key", "canary-4711");
    server.serving(request -> Answer.of(status, said));

    WorkflowError error =
        error(
            run(
                "{secrets: [key]}",
                """
                call: http
                with: {method: get, endpoint: {uri: SERVER/a, authentication: {bearer: {use: key}}}}
                """,
                "{}"));

    String detail = String.valueOf(error.detail());
    assertFalse(detail.contains("anary"), detail);
    assertTrue(detail.endsWith(end), detail);
  }

  @Test
  void shouldKeepSecretsFromHandlers() throws Exception {
    List<HttpMessage> seen = new CopyOnWriteArrayList<>();
    driver.close();
    driver =
        EngineDriver.open(
            "fused:1",
            Transport.best(),
            IdleStrategy.PARK,
            EngineLimits.defaults(),
            settings -> settings.withSecrets(secrets).withInterceptor(new ChangingHandlers(seen)));
    secrets.with("key", "canary-4711");

    InstanceView view =
        run(
            "{secrets: [key]}",
            """
            call: http
            with:
              method: post
              endpoint: {uri: 'SERVER/{key}', authentication: {bearer: {use: key}}}
              headers: {X-Key: '${ $secrets.key }', X-Plain: a}
              body: '${ $secrets.key }'
            input: {from: '${ {key: $secrets.key} }'}
            """,
            "{}");

    assertEquals(InstanceState.COMPLETED, view.state(), () -> String.valueOf(view.error()));
    assertEquals(2, seen.size(), "the request and the response");
    for (HttpMessage message : seen) {
      String all =
          message.target()
              + message.fields()
              + new String(message.content().bytes(), StandardCharsets.UTF_8);
      assertFalse(all.contains("canary"), all);
    }
    ProtectedServer.Request request = server.requests().getFirst();
    assertEquals("/canary-4711", request.path());
    assertEquals("\"canary-4711\"", request.body(), "a body with secrets is not replaced");
    assertEquals("Bearer canary-4711", request.field("Authorization"));
    assertEquals("canary-4711", request.field("X-Key"));
    assertEquals("changed", request.field("X-Plain"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"said\":\"canary-4711\"}", "canary-4711"})
  void shouldNotRepeatASecretBehindHandlers(String said) throws Exception {
    driver.close();
    driver =
        EngineDriver.open(
            "fused:1",
            Transport.best(),
            IdleStrategy.PARK,
            EngineLimits.defaults(),
            settings ->
                settings
                    .withSecrets(secrets)
                    .withInterceptor(new ChangingHandlers(new CopyOnWriteArrayList<>())));
    secrets.with("key", "canary-4711");
    server.serving(request -> Answer.of(said.startsWith("{") ? 400 : 200, said));

    WorkflowError error =
        error(
            run(
                "{secrets: [key]}",
                """
                call: http
                with: {method: get, endpoint: {uri: SERVER/a, authentication: {bearer: {use: key}}}}
                """,
                "{}"));

    assertEquals(ErrorType.COMMUNICATION.uri(), error.type());
    assertFalse(String.valueOf(error).contains("canary"), error::toString);
  }

  /** Handlers that record each message, and change requests. */
  private record ChangingHandlers(List<HttpMessage> seen) implements Interceptor {
    @Override
    public boolean handles(InterceptionPoint point, @Nullable DefinitionKey definition) {
      return point == InterceptionPoint.BEFORE_CALL || point == InterceptionPoint.AFTER_CALL;
    }

    @Override
    public void handle(HttpMessage message, Continuation then) {
      seen.add(message);
      then.end(
          new InterceptionVerdict.Proceed(
              message.point() == InterceptionPoint.AFTER_CALL ? message : changed(message)));
    }

    private static HttpMessage changed(HttpMessage message) {
      SortedMap<String, String> fields = new TreeMap<>(message.fields());
      fields.put("x-plain", "changed");
      fields.put("x-key", "stolen");
      fields.put("authorization", "stolen");
      return message.with(0, fields, MessageBody.of("stolen".getBytes(StandardCharsets.UTF_8), ""));
    }
  }

  @Test
  void shouldWarnOfAMissingSecretWhenADefinitionIsDeployed() throws Exception {
    DefinitionRegistry registry =
        new DefinitionRegistry(
            EngineLimits.defaults(),
            new InMemoryDefinitionStore(),
            ChainCatalog.UNKNOWN,
            BindingSource.NONE,
            DefinitionResources.DEFAULT.withSecrets(secrets.with("there", "x")),
            Clock.system());
    String yaml =
        """
        document: {dsl: 1.0.3, namespace: test, name: warned, version: 1.0.0}
        use: {secrets: [there, gone, unused]}
        do:
          - ask:
              call: http
              with:
                method: get
                endpoint: {uri: http://a.b, authentication: {basic: {use: gone}}}
                headers: {X: '${ $secrets.there }'}
        """;

    DefinitionCatalog.Deployment deployment =
        registry.deploy(yaml.getBytes(StandardCharsets.UTF_8), "application/yaml", null, false);

    List<Diagnostic> warnings =
        assertInstanceOf(DefinitionCatalog.Deployment.Created.class, deployment).warnings();
    assertEquals(
        List.of(
            "8:67 /do/0/ask/with/endpoint/authentication/basic/use: expected a secret \"gone\" in"
                + " the secrets of the test, found none; calls that need it fail"),
        warnings.stream().map(Diagnostic::toString).toList());
  }

  @Test
  void shouldWarnOfASourceThatFailsWhenADefinitionIsDeployed() throws Exception {
    SecretSource broken =
        new SecretSource() {
          @Override
          public @Nullable Payload read(String name) {
            throw new IllegalStateException("canary");
          }

          @Override
          public String description() {
            return "a vault";
          }
        };
    DefinitionRegistry registry =
        new DefinitionRegistry(
            EngineLimits.defaults(),
            new InMemoryDefinitionStore(),
            ChainCatalog.UNKNOWN,
            BindingSource.NONE,
            DefinitionResources.DEFAULT.withSecrets(broken),
            Clock.system());
    String yaml =
        """
        document: {dsl: 1.0.3, namespace: test, name: warned, version: 1.0.0}
        use: {secrets: [key]}
        do:
          - ask:
              call: http
              with: {method: get, endpoint: http://a.b, headers: {X: '${ $secrets.key }'}}
        """;

    DefinitionCatalog.Deployment deployment =
        registry.deploy(yaml.getBytes(StandardCharsets.UTF_8), "application/yaml", null, false);

    List<Diagnostic> warnings =
        assertInstanceOf(DefinitionCatalog.Deployment.Created.class, deployment).warnings();
    assertEquals(1, warnings.size());
    assertTrue(
        warnings
            .getFirst()
            .toString()
            .endsWith("the secret \"key\" could not be read: IllegalStateException"));
  }

  @Test
  void shouldRefuseMoreCallsThanMayWait() throws Exception {
    driver.close();
    driver =
        EngineDriver.open(
            "fused:1",
            Transport.best(),
            IdleStrategy.PARK,
            EngineLimits.defaults()
                .with(Map.of("authentication.secretMillis", 0, "authentication.maxWaiting", 1)),
            settings -> settings.withSecrets(secrets));
    secrets.with("key", "k");

    InstanceView view =
        driver.run(
            """
            document: {dsl: 1.0.3, namespace: test, name: many, version: 1.0.0}
            use: {secrets: [key]}
            do:
              - all:
                  call: parallelForEach:1.0.0@default
                  with:
                    in: '${ [range(50)] }'
                    do:
                      - ask:
                          call: http
                          with:
                            method: get
                            endpoint: SERVER/a
                            headers: {X: '${ $secrets.key }'}
            """
                .replace("SERVER", server.base()),
            Payload.NULL,
            request -> TestService.Answer.ok("{}"));

    WorkflowError error = error(view);
    assertEquals(503, error.status());
    assertTrue(String.valueOf(error.detail()).contains("authentication.maxWaiting"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"fused:2", "pipelined:1+1+1"})
  void shouldWorkInEveryLayout(String layout) throws Exception {
    driver.close();
    driver = engine(layout);
    secrets.with("key", "k3y");

    run(
        "{secrets: [key]}",
        "call: http\nwith: {method: get, endpoint: SERVER/a, headers: {X: '${ $secrets.key }'}}",
        "{}");

    assertEquals("k3y", server.requests().getFirst().field("X"));
  }
}
