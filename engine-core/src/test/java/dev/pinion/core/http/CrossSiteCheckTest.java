package dev.pinion.core.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.api.RawHttpClient;
import dev.pinion.core.api.RawHttpClient.HttpReply;
import dev.pinion.core.api.RequestHandlerServer;
import dev.pinion.core.http.message.MediaTypes;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Field faults 25 (DNS rebinding) and 26 (cross-site request forgery), on every route. */
class CrossSiteCheckTest {
  private static final String START = "/v1/namespaces/test/definitions/echo/instances";

  private static RequestHandlerServer requestHandlerServer;

  @BeforeAll
  static void serve() {
    RequestHandlerServer.Options options = new RequestHandlerServer.Options();
    options.hosts = AllowedHosts.parse("engine.example,10.0.0.7:8443");
    requestHandlerServer = new RequestHandlerServer(options);
  }

  @AfterAll
  static void stop() {
    requestHandlerServer.close();
  }

  private static HttpReply ask(String method, String target, String fields) throws IOException {
    try (RawHttpClient client = requestHandlerServer.client()) {
      return client
          .send(method + " " + target + " HTTP/1.1\r\n" + fields + "\r\nContent-Length: 0\r\n\r\n")
          .read();
    }
  }

  @Test
  void shouldRefuseEveryRequestForAnotherHost() throws IOException {
    for (Route route : requestHandlerServer.handler.http().routes()) {
      String path = route.path().toString().replaceAll("[{}]", "");
      HttpReply reply = ask(route.method(), path, "Host: evil.example:8080");
      assertEquals(421, reply.status(), route.operation().id());
      assertEquals(MediaTypes.PROBLEM, reply.header("content-type"));
      assertTrue(reply.body().contains("--public-hosts"), reply.body());
    }
    for (String method : List.of("OPTIONS", "TRACE", "FOO")) {
      assertEquals(421, ask(method, "/no/such/path", "Host: evil.example").status());
    }
  }

  @Test
  void shouldRefuseEveryChangeFromAnotherOrigin() throws IOException {
    List<Route> changing =
        requestHandlerServer.handler.http().routes().stream()
            .filter(route -> !route.method().equals("GET"))
            .toList();
    assertTrue(changing.size() > 15, "routes: " + changing.size());
    for (Route route : changing) {
      String path = route.path().toString().replaceAll("[{}]", "");
      HttpReply reply =
          ask(route.method(), path, "Host: localhost:8080\r\nOrigin: http://localhost:3000");
      assertEquals(403, reply.status(), route.operation().id());
      assertTrue(reply.body().contains("cross-site"), reply.body());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "Host: localhost, 200",
    "Host: 127.0.0.1:8080, 200",
    "Host: [::1]:1, 200",
    "Host: engine.example, 200",
    "Host: engine.example:9, 200",
    "Host: 10.0.0.7:8443, 200",
    "Host: 10.0.0.7, 421",
    "Host: sub.engine.example, 421",
    "Host: 169.254.169.254, 421",
    "'Host: localhost\r\nHost: localhost', 400",
    "'Host: localhost\r\nOrigin: http://localhost', 200",
    "'Host: localhost:8080\r\nOrigin: http://localhost:8080', 200",
    "'Host: engine.example\r\nOrigin: https://engine.example', 200",
    "'Host: evil.example\r\nOrigin: http://evil.example', 421",
    "'Host: localhost:8080\r\nOrigin: https://evil.example', 403",
    "'Host: localhost\r\nOrigin: null', 403",
    "'Host: localhost\r\nOrigin:', 403",
    "'Host: localhost\r\nOrigin: http://localhost\r\nOrigin: http://localhost', 403",
    "'Host: localhost\r\nSec-Fetch-Site: cross-site', 403",
    "'Host: localhost\r\nSec-Fetch-Site: same-site', 403",
    "'Host: localhost\r\nSec-Fetch-Site: none', 200",
  })
  void shouldStartOnlyForItsOwnPages(String fields, int status) throws IOException {
    HttpReply reply = ask("POST", START, fields);
    assertEquals(status, reply.status(), reply.body());
  }

  /** RFC 9112 section 3.2.2: the authority of an absolute target overrides Host. */
  @Test
  void shouldHeedTheAuthorityOfATarget() throws IOException {
    assertEquals(421, ask("POST", "http://evil.example" + START, "Host: localhost").status());
    assertEquals(200, ask("POST", "http://localhost:8080" + START, "Host: localhost").status());
    assertEquals(421, ask("POST", "http://localhost" + START, "Host: evil.example").status());
    assertEquals(
        403,
        ask("POST", "http://localhost:8080" + START, "Host: localhost\r\nOrigin: http://localhost")
            .status());
  }

  /** A client of HTTP/1.0 need not send Host, but a page cannot change anything that way. */
  @Test
  void shouldAnswerClientsOfHttp10WithoutHost() throws IOException {
    try (RawHttpClient client = requestHandlerServer.client()) {
      client.send("POST " + START + " HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
      assertEquals(200, client.read().status());
      client.send("POST " + START + " HTTP/1.0\r\nOrigin: http://evil.example\r\n\r\n");
      assertEquals(403, client.read().status());
    }
  }

  /** A page may embed answers but not read them: without CORS fields a browser hides them. */
  @Test
  void shouldAnswerQuestionsFromOtherOriginsWithoutLettingThemRead() throws IOException {
    HttpReply reply = ask("GET", "/livez", "Host: localhost\r\nOrigin: https://evil.example");
    assertEquals(200, reply.status());
    assertTrue(reply.headers().keySet().stream().noneMatch(name -> name.startsWith("access-")));
  }
}
