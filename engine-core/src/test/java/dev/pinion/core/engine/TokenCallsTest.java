package dev.pinion.core.engine;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pinion.core.engine.ProtectedServer.Answer;
import dev.pinion.core.engine.ProtectedServer.Request;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.loop.IdleStrategy;
import dev.pinion.core.loop.Transport;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.instance.InstanceState;
import dev.pinion.core.model.instance.InstanceView;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls with tokens of an authorization server, through a whole engine. */
class TokenCallsTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String TOKEN = "/realm/oauth2/token";
  private static final String BASIC_GRANT = "grant: client_credentials, client: {id: a, secret: b}";

  private final TestSecrets secrets = new TestSecrets();
  private final MovedClock clock = new MovedClock();
  private final AtomicInteger issued = new AtomicInteger();
  private final ProtectedServer services = server();
  private final ProtectedServer issuer = server();
  private final Map<String, Integer> policies = new HashMap<>();
  private EngineDriver driver;

  private static ProtectedServer server() {
    try {
      return new ProtectedServer();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @BeforeEach
  void open() throws IOException {
    services.serving(request -> Answer.ok("{\"ok\":true}"));
    issuer.serving(request -> token("t" + issued.incrementAndGet(), ""));
    driver = engine("fused:1", Map.of());
  }

  private EngineDriver engine(String layout, Map<String, Integer> limits) throws IOException {
    return EngineDriver.open(
        layout,
        Transport.best(),
        IdleStrategy.PARK,
        EngineLimits.defaults().with(limits),
        settings -> settings.withSecrets(secrets).withClock(clock));
  }

  private void reopen(String layout, Map<String, Integer> limits) throws IOException {
    driver.close();
    driver = engine(layout, limits);
  }

  @AfterEach
  void close() {
    driver.close();
    services.close();
    issuer.close();
  }

  private static Answer token(String value, String more) {
    return Answer.ok(
        "{\"access_token\":\"%s\",\"token_type\":\"Bearer\",\"expires_in\":300%s}"
            .formatted(value, more));
  }

  private InstanceView run(String scheme, String policy) throws Exception {
    return run(scheme, policy, 1);
  }

  /** Calls the services as often as said at the same time. */
  private InstanceView run(String scheme, String policy, int calls) throws Exception {
    String yaml =
        """
        document: {dsl: 1.0.3, namespace: test, name: token, version: 1.0.%s}
        use:
          secrets: [idp]
          authentications:
            idp: {%s: {%s}}
        do:
          - all:
              call: parallelForEach:1.0.0@default
              with:
                in: '${ [range(%s)] }'
                do:
                  - ask:
                      call: http
                      with: {method: get, endpoint: {uri: SERVICES/a, authentication: {use: idp}}}
        """
            .formatted(
                policies.computeIfAbsent(scheme + policy, each -> policies.size()),
                scheme,
                policy,
                calls)
            .replace("ISSUER", issuer.base() + "/realm")
            .replace("SERVICES", services.base());
    return driver.run(
        yaml,
        Payload.of(JSON.readTree("{\"user\":\"ann\"}")),
        request -> TestService.Answer.ok("{}"));
  }

  private static WorkflowError error(InstanceView view) {
    assertEquals(InstanceState.FAULTED, view.state());
    return Objects.requireNonNull(view.error());
  }

  private List<String> sent() {
    return services.requests().stream().map(request -> request.field("Authorization")).toList();
  }

  private Request onlyTokenRequest() {
    assertEquals(1, issuer.requests().size(), () -> issuer.requests().toString());
    return issuer.requests().getFirst();
  }

  private void shouldSendForm(String policy, String form, String basic) throws Exception {
    run("oauth2", "authority: ISSUER, " + policy);

    Request request = onlyTokenRequest();
    assertEquals(TOKEN, request.path());
    assertEquals("application/x-www-form-urlencoded", request.field("Content-Type"));
    assertEquals(
        form,
        request.form().entrySet().stream()
            .map(each -> each.getKey() + "=" + each.getValue())
            .collect(Collectors.joining("; ")));
    assertEquals(basic, decoded(request.field("Authorization")));
    assertEquals(List.of("Bearer t1"), sent());
  }

  private static String decoded(String authorization) {
    return authorization.isEmpty()
        ? ""
        : new String(
            Base64.getDecoder().decode(authorization.substring("Basic ".length())),
            StandardCharsets.UTF_8);
  }

  @Test
  void shouldRequestATokenByTheClientsOwnCredentials() throws Exception {
    shouldSendForm(
        "client: {id: a, secret: b&c}, grant: client_credentials",
        "grant_type=client_credentials; client_id=a; client_secret=b&c",
        "");
  }

  @Test
  void shouldAuthenticateTheClientByBasicAuthentication() throws Exception {
    shouldSendForm(
        "client: {id: 'a b', secret: 'b:c', authentication: client_secret_basic}, "
            + "grant: client_credentials, scopes: [read, write], audiences: [x, y]",
        "grant_type=client_credentials; scope=read write; audience=x y",
        "a+b:b%3Ac");
  }

  @Test
  void shouldRequestATokenByAPassword() throws Exception {
    shouldSendForm(
        "client: {id: a, authentication: none}, grant: password, username: '${ .user }',"
            + " password: x",
        "grant_type=password; username=ann; password=x; client_id=a",
        "");
  }

  @Test
  void shouldRequestATokenByARefreshToken() throws Exception {
    shouldSendForm(
        "client: {id: a, secret: b}, grant: refresh_token, subject: {token: old, type: x}",
        "grant_type=refresh_token; refresh_token=old; client_id=a; client_secret=b",
        "");
  }

  @Test
  void shouldExchangeTokens() throws Exception {
    shouldSendForm(
        "client: {id: a, secret: b}, grant: 'urn:ietf:params:oauth:grant-type:token-exchange', "
            + "subject: {token: s, type: jwt}, actor: {token: t, type: 'urn:x'}, audiences: [x, y]",
        "grant_type=urn:ietf:params:oauth:grant-type:token-exchange; subject_token=s;"
            + " subject_token_type=urn:ietf:params:oauth:token-type:jwt; actor_token=t;"
            + " actor_token_type=urn:x; audience=x | y; client_id=a; client_secret=b",
        "");
  }

  @Test
  void shouldSendTheRequestAsJson() throws Exception {
    run(
        "oauth2",
        "authority: ISSUER/, endpoints: {token: auth/token}, request: {encoding: application/json}, "
            + BASIC_GRANT);

    Request request = onlyTokenRequest();
    assertEquals("/realm/auth/token", request.path());
    assertEquals("application/json", request.field("Content-Type"));
    assertEquals(
        "{\"grant_type\":\"client_credentials\",\"client_id\":\"a\",\"client_secret\":\"b\"}",
        request.body());
  }

  @Test
  void shouldTakeAllParametersFromASecret() throws Exception {
    secrets.with(
        "idp",
        Payload.of(
            JSON.readTree(
                """
                {"authority": "%s/realm", "grant": "client_credentials",
                 "client": {"id": "a", "secret": "b"}}
                """
                    .formatted(issuer.base()))));

    run("oauth2", "use: idp");

    assertEquals("b", onlyTokenRequest().form().get("client_secret"));
    assertEquals(List.of("Bearer t1"), sent());
  }

  @Test
  void shouldSignAssertionsWithTheSecretOfTheClient() throws Exception {
    run(
        "oauth2",
        "authority: ISSUER, grant: client_credentials, "
            + "client: {id: a, secret: b, authentication: client_secret_jwt}");

    String[] jwt = assertion();
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec("b".getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
    assertEquals(
        jwt[2],
        Base64.getUrlEncoder()
            .withoutPadding()
            .encodeToString(
                mac.doFinal((jwt[0] + "." + jwt[1]).getBytes(StandardCharsets.US_ASCII))));
    assertEquals("HS256", part(jwt[0]).path("alg").asText());
    JsonNode claims = part(jwt[1]);
    assertEquals("a a", claims.path("iss").asText() + " " + claims.path("sub").asText());
    assertEquals(issuer.base() + TOKEN, claims.path("aud").asText());
    assertEquals(60, claims.path("exp").asLong() - claims.path("iat").asLong());
    assertTrue(claims.path("jti").asText().length() > 20);
  }

  private String[] assertion() {
    Map<String, String> form = onlyTokenRequest().form();
    assertEquals(
        "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
        form.get("client_assertion_type"));
    assertEquals("a", form.get("client_id"));
    assertFalse(form.containsKey("client_secret"));
    return String.valueOf(form.get("client_assertion")).split("\\.", -1);
  }

  private static JsonNode part(String encoded) throws IOException {
    return JSON.readTree(Base64.getUrlDecoder().decode(encoded));
  }

  @ParameterizedTest
  @CsvSource({
    "RSA, 2048, RS256, SHA256withRSA",
    "EC, 256, ES256, SHA256withECDSAinP1363Format",
    "EC, 384, ES384, SHA384withECDSAinP1363Format",
    "EC, 521, ES512, SHA512withECDSAinP1363Format"
  })
  void shouldSignAssertionsWithAPrivateKey(String kind, int bits, String algorithm, String name)
      throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance(kind);
    generator.initialize(bits);
    KeyPair keys = generator.generateKeyPair();
    String pem =
        "-----BEGIN PRIVATE KEY-----\n"
            + Base64.getMimeEncoder().encodeToString(keys.getPrivate().getEncoded())
            + "\n-----END PRIVATE KEY-----";
    secrets.with("idp", pem);

    run(
        "oauth2",
        "authority: ISSUER, grant: client_credentials, client: {id: a, assertion: '${ $secrets.idp }',"
            + " authentication: private_key_jwt}");

    String[] jwt = assertion();
    assertEquals(algorithm, part(jwt[0]).path("alg").asText());
    Signature signature = Signature.getInstance(name);
    signature.initVerify(keys.getPublic());
    signature.update((jwt[0] + "." + jwt[1]).getBytes(StandardCharsets.US_ASCII));
    assertTrue(signature.verify(Base64.getUrlDecoder().decode(jwt[2])));
  }

  @Test
  void shouldSendAnAssertionThatIsSigned() throws Exception {
    run(
        "oauth2",
        "authority: ISSUER, grant: client_credentials, client: {id: a, assertion: h.c.s,"
            + " authentication: private_key_jwt}");

    assertEquals("h.c.s", String.join(".", assertion()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"no key", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----"})
  void shouldRefuseAKeyThatIsNone(String key) throws Exception {
    secrets.with("idp", key);

    WorkflowError error =
        error(
            run(
                "oauth2",
                "authority: ISSUER, grant: client_credentials, client: {id: a, assertion: '${"
                    + " $secrets.idp }', authentication: private_key_jwt}"));

    assertEquals(ErrorType.AUTHENTICATION.uri(), error.type());
    assertFalse(String.valueOf(error.detail()).contains("AAAA"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"fused:1", "fused:2", "pipelined:1+1+1"})
  void shouldRequestOneTokenForManyCalls(String layout) throws Exception {
    reopen(layout, Map.of());
    CountDownLatch sent = new CountDownLatch(1);
    issuer.serving(
        request -> {
          sent.await(50, TimeUnit.MILLISECONDS); // so that calls wait
          return token("t" + issued.incrementAndGet(), "");
        });

    InstanceView view = run("oauth2", "authority: ISSUER, " + BASIC_GRANT, 50);

    assertEquals(InstanceState.COMPLETED, view.state());
    assertEquals(50, services.requests().size());
    assertEquals(Set.of("Bearer t1"), new TreeSet<>(sent()));
    assertEquals(1, issuer.requests().size());
  }

  @Test
  void shouldUseATokenUntilItEnds() throws Exception {
    String policy = "authority: ISSUER, " + BASIC_GRANT;
    run("oauth2", policy);
    clock.move(SECONDS.toNanos(260));
    run("oauth2", policy);
    clock.move(SECONDS.toNanos(20));
    run("oauth2", policy);

    assertEquals(List.of("Bearer t1", "Bearer t1", "Bearer t2"), sent());
  }

  @Test
  void shouldNotMixTokensOfDifferentParameters() throws Exception {
    run("oauth2", "authority: ISSUER, " + BASIC_GRANT);
    run("oauth2", "authority: ISSUER, grant: client_credentials, client: {id: a, secret: other}");

    assertEquals(List.of("Bearer t1", "Bearer t2"), sent());
  }

  @Test
  void shouldRenewATokenWithItsRefreshToken() throws Exception {
    issuer.serving(
        request -> token("t" + issued.incrementAndGet(), ",\"refresh_token\":\"r" + issued + "\""));
    String policy = "authority: ISSUER, " + BASIC_GRANT;
    run("oauth2", policy);
    clock.move(SECONDS.toNanos(300));
    run("oauth2", policy);

    Map<String, String> second = issuer.requests().get(1).form();
    assertEquals("refresh_token r1", second.get("grant_type") + " " + second.get("refresh_token"));
    assertEquals(List.of("Bearer t1", "Bearer t2"), sent());
  }

  @Test
  void shouldFallBackToTheGrantWhenARefreshTokenIsRefused() throws Exception {
    issuer.serving(
        request ->
            "refresh_token".equals(request.form().get("grant_type"))
                ? Answer.of(400, "{\"error\":\"invalid_grant\"}")
                : token("t" + issued.incrementAndGet(), ",\"refresh_token\":\"r\""));
    String policy = "authority: ISSUER, " + BASIC_GRANT;
    run("oauth2", policy);
    clock.move(SECONDS.toNanos(300));
    run("oauth2", policy);

    assertEquals(3, issuer.requests().size());
    assertEquals(List.of("Bearer t1", "Bearer t2"), sent());
  }

  @Test
  void shouldKeepARefreshTokenWhileItsIssuerIsDown() throws Exception {
    issuer.serving(
        request ->
            switch (issuer.requests().size()) {
              case 1 -> token("t1", ",\"refresh_token\":\"r1\"");
              case 2 -> Answer.of(503, "{}");
              case 3 -> token("t2", ",\"refresh_token\":\"r2\"");
              default -> Answer.of(400, "{}");
            });
    String policy =
        "authority: ISSUER, grant: refresh_token, subject: {token: r0, type: x},"
            + " client: {id: a, secret: b}";
    run("oauth2", policy);
    clock.move(SECONDS.toNanos(300));
    assertEquals(ErrorType.COMMUNICATION.uri(), error(run("oauth2", policy)).type());
    run("oauth2", policy);

    assertEquals(List.of("Bearer t1", "Bearer t2"), sent());
    assertEquals(
        List.of("r0", "r1", "r1"),
        issuer.requests().stream().map(each -> each.form().get("refresh_token")).toList());
  }

  @Test
  void shouldCountTokens() throws Exception {
    issuer.serving(
        request ->
            "a".equals(request.form().get("client_id"))
                ? token("t" + issued.incrementAndGet(), ",\"refresh_token\":\"r\"")
                : Answer.of(400, "{}"));
    String policy = "authority: ISSUER, " + BASIC_GRANT;
    run("oauth2", policy);
    run("oauth2", policy);
    clock.move(SECONDS.toNanos(300));
    run("oauth2", policy);
    run("oauth2", "authority: ISSUER, grant: client_credentials, client: {id: c, secret: b}");

    String metrics = driver.metrics();
    for (String line :
        List.of(
            "pinion_token_cache_hits_total 1.0",
            "pinion_token_requests_total{outcome=\"fetched\"} 1.0",
            "pinion_token_requests_total{outcome=\"refreshed\"} 1.0",
            "pinion_token_requests_total{outcome=\"failed\"} 1.0")) {
      assertTrue(metrics.contains(line + "\n"), () -> line + " in " + metrics);
    }
  }

  @Test
  void shouldRenewATokenOnceThatTheServiceRefuses() throws Exception {
    services.serving(
        request ->
            request.field("Authorization").equals("Bearer t2")
                ? Answer.ok("{}")
                : Answer.of(401, "{}"));

    InstanceView view = run("oauth2", "authority: ISSUER, " + BASIC_GRANT);

    assertEquals(InstanceState.COMPLETED, view.state());
    assertEquals(List.of("Bearer t1", "Bearer t2"), sent());
  }

  @Test
  void shouldLetASecondRefusalStand() throws Exception {
    services.serving(request -> Answer.of(401, "{\"error\":\"t2 is no good\"}"));

    WorkflowError error = error(run("oauth2", "authority: ISSUER, " + BASIC_GRANT));

    assertEquals(ErrorType.COMMUNICATION.uri(), error.type());
    assertEquals(401, error.status());
    assertEquals(List.of("Bearer t1", "Bearer t2"), sent());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "400 | {\"error\":\"invalid_client\",\"error_description\":\"canary\"} | authentication | "
            + "found status 400 (invalid_client)",
        "401 | canary | authentication | found status 401",
        "403 | {\"error\":\"CANARY!\"} | authentication | found status 403",
        "503 | {} | communication | found status 503",
        "302 | {} | communication | found status 302",
        "200 | [] | communication | found something else",
        "200 | {\"token\":\"canary\"} | authentication | found none that can be sent",
        "200 | {\"access_token\":\"can ary\"} | authentication | found none that can be sent",
        "200 | {\"access_token\":\"canary\",\"token_type\":\"DPoP\"} | authentication | "
            + "found another type"
      })
  void shouldFailByTheNameOfTheEndpoint(int status, String body, String type, String end)
      throws Exception {
    issuer.serving(request -> Answer.of(status, body));

    WorkflowError error =
        error(
            run(
                "oauth2",
                "authority: ISSUER, grant: client_credentials, client: {id: a, secret: canary}"));

    assertTrue(error.type().endsWith("/" + type), error::toString);
    String detail = String.valueOf(error.detail());
    assertTrue(detail.contains("POST " + issuer.base() + TOKEN), detail);
    assertTrue(detail.endsWith(end), detail);
    assertFalse(detail.toLowerCase(Locale.ROOT).contains("canary"), detail);
    assertTrue(services.requests().isEmpty());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "authority: '${ \"ISSUER/\" + $secrets.idp }', client: {id: a, secret: b} | 503 | {}",
        "authority: ISSUER, client: {id: a, secret: '${ $secrets.idp }'} | 400 |"
            + " {\"error\":\"canary_key\"}",
        "authority: ISSUER, client: {id: a, secret: canary_key} | 400 | {\"error\":\"canary_key\"}"
      })
  void shouldNotShowASecretInTheErrorOfAToken(String policy, int status, String body)
      throws Exception {
    secrets.with("idp", "canary_key");
    issuer.serving(request -> Answer.of(status, body));

    WorkflowError error = error(run("oauth2", policy + ", grant: client_credentials"));

    assertFalse(String.valueOf(error).contains("canary"), error::toString);
    assertTrue(String.valueOf(error.detail()).contains("GET " + services.base() + "/a failed"));
  }

  @Test
  void shouldFailWhenTheIssuerCannotBeReached() throws Exception {
    String gone = issuer.base();
    issuer.close();

    WorkflowError error = error(run("oauth2", "authority: '" + gone + "/realm', " + BASIC_GRANT));

    assertEquals(ErrorType.COMMUNICATION.uri(), error.type());
    assertTrue(String.valueOf(error.detail()).contains("POST " + gone + TOKEN), error::toString);
  }

  @Test
  void shouldNotReachAnIssuerWhereCallsMayNotGo() throws Exception {
    WorkflowError error =
        error(run("oauth2", "authority: 'http://169.254.169.254/realm', " + BASIC_GRANT));

    assertEquals(ErrorType.AUTHORIZATION.uri(), error.type());
  }

  @Test
  void shouldGiveUpAnIssuerThatIsSilent() throws Exception {
    reopen("fused:1", Map.of("authentication.tokenTimeoutMillis", 50));
    CountDownLatch end = new CountDownLatch(1);
    issuer.serving(
        request -> {
          end.await();
          return token("late", "");
        });

    WorkflowError error = error(run("oauth2", "authority: ISSUER, " + BASIC_GRANT));
    end.countDown();

    assertEquals(ErrorType.COMMUNICATION.uri(), error.type());
    assertTrue(
        String.valueOf(error.detail())
            .endsWith(
                "from POST "
                    + issuer.base()
                    + TOKEN
                    + " within 50 ms (authentication.tokenTimeoutMillis), found none"),
        error::toString);
  }

  @Test
  void shouldKeepAsManyTokensAsAllowed() throws Exception {
    reopen("fused:1", Map.of("authentication.maxTokens", 1));
    for (String secret : List.of("b", "c", "b")) {
      run(
          "oauth2",
          "authority: ISSUER, grant: client_credentials, client: {id: a, secret: " + secret + "}");
    }

    assertEquals(3, issuer.requests().size());
  }

  @Test
  void shouldFindTheTokenEndpointOfAServerThatDescribesItself() throws Exception {
    issuer.serving(
        request ->
            request.path().equals("/realm/.well-known/openid-configuration")
                ? Answer.ok(
                    "{\"issuer\":\"me\",\"token_endpoint\":\"" + issuer.base() + "/elsewhere\"}")
                : token("t" + issued.incrementAndGet(), ""));

    run("oidc", "authority: ISSUER, issuers: [me], " + BASIC_GRANT);
    run("oidc", "authority: ISSUER/.well-known/openid-configuration, " + BASIC_GRANT);

    assertEquals(
        List.of("/realm/.well-known/openid-configuration", "/elsewhere").toString().repeat(2),
        issuer.requests().subList(0, 2).stream().map(Request::path).toList().toString()
            + issuer.requests().subList(2, 4).stream().map(Request::path).toList());
    assertEquals(List.of("Bearer t1", "Bearer t2"), sent());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "404 | {} | found status 404",
        "200 | {} | found none",
        "200 | {\"token_endpoint\":\"http://127.0.0.1:1/t\",\"issuer\":\"other\"} | "
            + "found another issuer"
      })
  void shouldRefuseADescriptionThatDoesNotDo(int status, String body, String end) throws Exception {
    issuer.serving(request -> Answer.of(status, body));

    WorkflowError error = error(run("oidc", "authority: ISSUER, issuers: [me], " + BASIC_GRANT));

    String detail = String.valueOf(error.detail());
    assertTrue(detail.contains("/realm/.well-known/openid-configuration"), detail);
    assertTrue(detail.endsWith(end), detail);
  }

  @ParameterizedTest
  @CsvSource({
    "eyJhbGciOiJub25lIn0.eyJpc3MiOiJtZSJ9.x, true",
    "eyJhbGciOiJub25lIn0.eyJpc3MiOiJub3QgbWUifQ.x, false",
    "opaque, false",
    "a.b.c, false"
  })
  void shouldCheckTheIssuerOfAToken(String value, boolean accepted) throws Exception {
    issuer.serving(request -> token(value, ""));

    InstanceView view = run("oauth2", "authority: ISSUER, issuers: [me], " + BASIC_GRANT);

    assertEquals(accepted ? InstanceState.COMPLETED : InstanceState.FAULTED, view.state());
  }

  @Test
  void shouldUseAUriTemplateAsAuthority() throws Exception {
    run("oauth2", "authority: '" + issuer.base() + "/{user}', " + BASIC_GRANT);

    assertEquals("/ann/oauth2/token", onlyTokenRequest().path());
  }
}
