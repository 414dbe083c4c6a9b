package dev.pinion.bootstrap.assembly;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpServer;
import dev.pinion.bootstrap.assembly.EngineLauncher.RunningEngine;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.resource.AllowedDocuments;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import no.nav.security.mock.oauth2.MockOAuth2Server;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tokens of an authorization server that others maintain. */
class AuthorizationServerTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String CLIENT = "client: {id: engine, secret: s3cret}";

  private final MockOAuth2Server issuer = new MockOAuth2Server();
  private final HttpClient client = HttpClient.newHttpClient();
  private final List<String> sent = new CopyOnWriteArrayList<>();
  private HttpServer service;
  private RunningEngine engine;

  @BeforeEach
  void start() throws IOException {
    issuer.start();
    service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    service.createContext(
        "/",
        exchange -> {
          sent.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    service.start();
    engine =
        new ReplicaAssembly(new CoreEngineLauncher())
            .startInMemory(EngineLimits.defaults(), null, Set.of(), AllowedDocuments.NONE);
  }

  @AfterEach
  void stop() {
    engine.close();
    service.stop(0);
    issuer.shutdown();
    client.close();
  }

  private String issuerUri() {
    return "http://127.0.0.1:" + issuer.issuerUrl("shop").port() + "/shop";
  }

  private JsonNode post(String path, String type, String body) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + engine.port() + path))
            .header("Content-Type", type)
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
    assertTrue(answer.statusCode() / 100 == 2, answer::body);
    return JSON.readTree(answer.body());
  }

  /** Makes a call with a policy; the claims of the token that was sent. */
  private JWTClaimsSet claims(String policy) throws Exception {
    post(
        "/v1/definitions",
        "application/yaml",
        """
        document: {dsl: 1.0.3, namespace: test, name: shop, version: 1.0.0}
        do:
          - ask:
              call: http
              with:
                method: get
                endpoint: {uri: 'http://127.0.0.1:%d/', authentication: {%s}}
        """
            .formatted(service.getAddress().getPort(), policy.replace("ISSUER", issuerUri())));
    JsonNode end =
        post("/v1/namespaces/test/definitions/shop/instances", "application/json", "{}");
    assertEquals("COMPLETED", end.path("state").asText(), end::toString);
    assertEquals(1, sent.size());
    assertTrue(sent.getFirst().startsWith("Bearer "), sent::toString);
    return SignedJWT.parse(sent.getFirst().substring("Bearer ".length())).getJWTClaimsSet();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "oidc: {authority: ISSUER, ",
        "oidc: {authority: ISSUER/.well-known/openid-configuration, ",
        "oauth2: {authority: ISSUER, endpoints: {token: /token}, "
      })
  void shouldGetATokenOfTheClient(String begin) throws Exception {
    JWTClaimsSet claims =
        claims(begin + "grant: client_credentials, scopes: [read], " + CLIENT + "}");

    assertEquals("engine", claims.getSubject());
    assertEquals(List.of("read"), claims.getAudience());
  }

  @Test
  void shouldAuthenticateTheClientByBasicAuthentication() throws Exception {
    JWTClaimsSet claims =
        claims(
            "oidc: {authority: ISSUER, grant: client_credentials, scopes: [read], client: {id:"
                + " engine, secret: s3cret, authentication: client_secret_basic}}");

    assertEquals("engine", claims.getSubject());
  }

  @Test
  void shouldAuthenticateTheClientByAnAssertion() throws Exception {
    JWTClaimsSet claims =
        claims(
            "oidc: {authority: ISSUER, grant: client_credentials, scopes: [read], client: {id:"
                + " engine, secret: a-secret-of-more-than-thirty-two-bytes, authentication:"
                + " client_secret_jwt}}");

    assertEquals("engine", claims.getSubject());
  }

  @Test
  void shouldGetATokenOfAUser() throws Exception {
    JWTClaimsSet claims =
        claims(
            "oidc: {authority: ISSUER, grant: password, username: ann, password: x, scopes: [read],"
                + " issuers: [ISSUER], "
                + CLIENT
                + "}");

    assertEquals("ann", claims.getSubject());
    assertEquals(issuerUri(), claims.getIssuer());
  }

  @Test
  void shouldExchangeAToken() throws Exception {
    String subject = issuer.issueToken("shop", "bob", "engine").serialize();

    JWTClaimsSet claims =
        claims(
            "oidc: {authority: ISSUER, grant: 'urn:ietf:params:oauth:grant-type:token-exchange',"
                + " audiences: [stock], subject: {token: "
                + subject
                + ", type: jwt}, client: {id: engine, secret:"
                + " a-secret-of-more-than-thirty-two-bytes, authentication: client_secret_jwt}}");

    assertEquals("bob", claims.getSubject());
    assertEquals(List.of("stock"), claims.getAudience());
  }
}
