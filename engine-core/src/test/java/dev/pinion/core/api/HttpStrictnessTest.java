package dev.pinion.core.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.api.RawHttpClient.HttpReply;
import dev.pinion.core.binding.BindingSource;
import dev.pinion.core.binding.BindingTable;
import dev.pinion.core.http.message.MediaTypes;
import dev.pinion.core.message.Command;
import dev.pinion.core.message.Reply;
import dev.pinion.core.model.call.CallbackAddresses;
import dev.pinion.core.model.instance.InstanceState;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpStrictnessTest {
  private static final String START = "/v1/namespaces/test/definitions/echo/instances";
  private static final String MARKER = "GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n";
  private static RequestHandlerServer requestHandlerServer;

  @BeforeAll
  static void serve() {
    requestHandlerServer = RequestHandlerServer.plain();
  }

  @AfterAll
  static void stop() {
    requestHandlerServer.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /livez HTTP/1.1\r\n\r\n",
        "GET /livez HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n",
        "GET /livez HTTP/1.1\r\nHost:\r\n\r\n",
        "GET /livez HTTP/1.1\r\nHost: a b\r\n\r\n",
        "GET /livez HTTP/1.1\r\nHost: a/b\r\n\r\n",
        "GET /livez HTTP/1.1\r\nHost: a\r\nX: 1\r\n 2\r\n\r\n",
        "GET /livez HTTP/1.1\r\n Host: a\r\n\r\n",
        "GET /livez HTTP/1.1\nHost: a\n\n",
        "GET /livez HTTP/1.1\r\nHost: a\r\nX: a\rb\r\n\r\n",
        "GET /livez HTTP/1.1\r\nHost: a\r\nX : 1\r\n\r\n",
        "GET /livez HTTP/1.1\r\nHost: a\r\nX\r\n\r\n",
        "GET /livez HTTP/1.1\r\nHost: a\r\n: 1\r\n\r\n",
        "GET /livez HTTP/1.1\r\nHost: a\r\nX: \u0000\r\n\r\n",
        "GET /livez HTTP/1.1\r\nHost: a\r\nX: \u007f\r\n\r\n",
        "GET  /livez HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /livez  HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /livez\tHTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /livez HTTP/1.1 \r\nHost: a\r\n\r\n",
        "GET /livez\r\nHost: a\r\n\r\n",
        "GET /live\u00e9 HTTP/1.1\r\nHost: a\r\n\r\n",
        "G(T /livez HTTP/1.1\r\nHost: a\r\n\r\n",
        "\r\n\r\nGET /livez HTTP/1.1\r\nHost: a\r\n\r\n",
        "\u0001GET /livez HTTP/1.1\r\nHost: a\r\n\r\n",
        "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\na",
        "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\na",
        "POST /x HTTP/1.0\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\na",
        "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 1, 1\r\n\r\na",
        "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: +1\r\n\r\na",
        "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\na",
        "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 0x1\r\n\r\na",
        "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\na",
        "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
        "POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n",
        "POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
        "POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
        "POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: identity\r\n\r\n",
        "POST /x HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nz\r\n\r\n",
        "POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n0\r\n\r\n",
        "POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\na\r\n0\r\n\r\n",
        "POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nffffffffff\r\na\r\n",
        "GET /x HTTP/1.1\r\nHost: a\r\nSec-WebSocket-Key1: 1\r\nSec-WebSocket-Key2: 1\r\n\r\n",
      })
  void shouldAnswer400AndClose(String message) throws Exception {
    try (RawHttpClient client = requestHandlerServer.client()) {
      client.send(message.replace("Host: a\r\n", "Host: localhost\r\n") + MARKER);
      HttpReply reply = client.read();
      assertEquals(400, reply.status(), reply.body());
      assertEquals("close", reply.header("connection"));
      assertTrue(client.isEnded());
    }
  }

  /** Field fault 28: a higher minor version is read as HTTP/1.1 (RFC 9110 section 2.5). */
  @ParameterizedTest
  @CsvSource({
    "HTTP/2.0,505",
    "HTTP/3.0,505",
    "HTTP/0.9,505",
    "HTTP/9.1,505",
    "http/1.1,400",
    "HTTP/1.10,400",
    "HTTP/11.1,400",
    "HTTP/1,400",
    "HTTP/1.x,400",
    "ICE/1.0,400"
  })
  void shouldRefuseOtherVersions(String version, int status) throws Exception {
    try (RawHttpClient client = requestHandlerServer.client()) {
      client.send("GET /livez " + version + "\r\nHost: localhost\r\n\r\n" + MARKER);
      HttpReply reply = client.read();
      assertEquals(status, reply.status());
      assertEquals(MediaTypes.PROBLEM, reply.header("content-type"));
      assertTrue(client.isEnded());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"HTTP/1.2", "HTTP/1.9"})
  void shouldReadLaterVersionsOfHttp1AsHttp11(String version) throws Exception {
    String start = "POST " + START + " " + version + "\r\nHost: localhost\r\n";
    String json = "Content-Type: application/json\r\n";
    try (RawHttpClient client = requestHandlerServer.client()) {
      client.send(start + json + "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n" + MARKER);
      assertEquals(200, client.read().status());
      assertEquals(200, client.read().status());
      client.send(
          start + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + MARKER);
      assertEquals(400, client.read().status());
      assertTrue(client.isEnded());
    }
    try (RawHttpClient client = requestHandlerServer.client()) {
      client.send("GET /livez " + version + "\r\n\r\n");
      assertEquals(400, client.read().status());
    }
  }

  // Field fault 28
  @Test
  void shouldRefuseTwoContentTypes() throws Exception {
    String json = "Content-Type: application/json\r\n";
    try (RawHttpClient client = requestHandlerServer.client()) {
      assertEquals(400, client.ask("POST", START, json + json, "{}").status());
      assertEquals(400, client.ask("POST", START, json + "Content-Type: a/b\r\n", "{}").status());
      assertEquals(200, client.ask("POST", START, json, "{}").status());
    }
  }

  // Field fault 28
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"input\":1,\"input\":2}|/input",
        "{\"input\":{\"a\":[0,{\"b/c\":1,\"b/c\":1}]}}|/input/a/1/b~1c",
        "{\"input\":{\"a\":1,\"\\u0061\":1}}|/input/a",
        "{\"input\":{},\"labels\":{\"x\":\"1\",\"x\":\"2\"}}|/labels/x"
      })
  void shouldRefuseAMemberTwice(String body, String pointer) throws Exception {
    try (RawHttpClient client = requestHandlerServer.client()) {
      HttpReply reply = client.post(START, body);
      assertEquals(400, reply.status(), reply.body());
      assertTrue(reply.body().contains("found " + pointer + " again"), reply.body());
      assertEquals(200, client.post(START, "{\"input\":{\"a\":{\"a\":1}}}").status());
    }
  }

  // Field fault 28
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Content-Type: application/json|{\"a\":[{\"b\":1,\"b\":2}]}|400",
        "Content-Type: application/problem+json;charset=utf-8|{\"a\":1,\"a\":1}|400",
        "X-Type: unknown|{\"a\":1,\"a\":1}|400",
        "Content-Type: application/json|{\"a\":1,\"b\":{\"a\":1}}|204",
        "Content-Type: application/json|{\"a\":|204", // fails the call, as an immediate answer does
        "Content-Type: text/plain|{\"a\":1,\"a\":1}|204"
      })
  void shouldRefuseAMemberTwiceInALateAnswer(String type, String body, int status)
      throws Exception {
    CallbackAddresses callbackAddresses = new CallbackAddresses(new byte[32], "");
    RequestHandlerServer.Options options = new RequestHandlerServer.Options();
    options.bindings =
        new BindingSource() {
          @Override
          public BindingTable current() {
            return BindingTable.EMPTY;
          }

          @Override
          public CallbackAddresses callbacks() {
            return callbackAddresses;
          }
        };
    try (RequestHandlerServer late = new RequestHandlerServer(options);
        RawHttpClient client = late.client()) {
      late.kernels.script =
          message ->
              late.kernels.reply(
                  ((Command.AcceptCallback) message).replyTo(),
                  new Reply.CallbackResult(Reply.CallbackStatus.TAKEN));
      String address =
          callbackAddresses.address(
              new CallbackAddresses.CallReference(FakeKernels.ID, 1, 1, "sky"));
      HttpReply reply = client.ask("POST", address, type + "\r\n", body);
      assertEquals(status, reply.status(), reply.body());
    }
  }

  /** Field fault 29: an empty body is allowed where none is needed. */
  @Test
  void shouldTakeAnEmptyBodyWhereNoneIsNeeded() throws Exception {
    String path = "/v1/instances/" + FakeKernels.ID + "/cancellation";
    requestHandlerServer.kernels.script =
        message ->
            requestHandlerServer.kernels.reply(
                ((Command.InstanceControl) message).replyTo(),
                new Reply.Controlled(
                    FakeKernels.view(FakeKernels.ID, InstanceState.CANCELLED, null)));
    try (RawHttpClient client = requestHandlerServer.client()) {
      for (String body : List.of("", "{}", " {\n} ", "\r\n")) {
        for (String type :
            List.of("", "Content-Type: application/json\r\n", "Content-Type: a/b\r\n")) {
          assertEquals(202, client.ask("POST", path, type, body).status(), body);
        }
      }
      for (String body : List.of("{\"reason\":1}", "[]", "null", "{", "}", "{}{}", "x{}")) {
        assertEquals(400, client.post(path, body).status(), body);
      }
      assertEquals(413, client.post(path, "{" + " ".repeat(1_024) + "}").status());
    } finally {
      requestHandlerServer.kernels.script = requestHandlerServer.kernels::echo;
    }
    try (RawHttpClient client = requestHandlerServer.client()) {
      for (String body : List.of("", " ", "{}")) {
        assertEquals(200, client.post(START, body).status(), body);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "GET,/livez,200",
    "HEAD,/livez,200",
    "OPTIONS,/livez,204",
    "OPTIONS,*,204",
    "GET,*,404",
    "DELETE,/livez,405",
    "TRACE,/livez,405",
    "FOO,/livez,405",
    "get,/livez,405",
    "GET,//livez,404",
    "GET,/livez/,404",
    "GET,/livez;x,404",
    "GET,/LIVEZ,404",
    "GET,/,404",
    "GET,/%6civez,200",
    "GET,/livez%2F,404",
    "GET,/./livez,400",
    "GET,/x/../livez,400",
    "GET,/x/%2e%2e/livez,400",
    "GET,/livez%,400",
    "GET,/livez%4,400",
    "GET,/livez%zz,400",
    "GET,/livez%ff,400",
    "GET,/livez%00,404",
    "GET,/livez?x=1,400",
    "GET,/livez?,200",
    "GET,/livez#f,400",
    "GET,http://localhost/livez,200",
    "GET,http://a/livez,421",
    "GET,http://127.0.0.1:8080,404",
    "GET,ftp://a/livez,400",
    "GET,http://u@a/livez,400",
    "GET,livez,400",
    "GET,http:///livez,400",
    "CONNECT,a:443,400",
    "GET,/v1/definitions?limit=1&limit=1,400",
    "GET,/v1/namespaces//definitions,404",
    "GET,/v1/namespaces/a%2Fb/definitions,200"
  })
  void shouldRouteByMethodAndTarget(String method, String target, int status) throws Exception {
    try (RawHttpClient client = requestHandlerServer.client()) {
      HttpReply reply = client.ask(method, target, "", "");
      assertEquals(status, reply.status(), reply.body());
      assertEquals(status == 405 || status == 204, reply.headers().containsKey("allow"));
      assertEquals(200, client.get("/livez").status());
    }
  }

  @Test
  void shouldTellWhatIsAllowed() throws Exception {
    try (RawHttpClient client = requestHandlerServer.client()) {
      assertEquals("GET, HEAD, OPTIONS", client.ask("PUT", "/livez", "", "").header("allow"));
      assertEquals(
          "POST, GET, HEAD, OPTIONS", client.ask("PUT", "/v1/definitions", "", "").header("allow"));
    }
  }

  @Test
  void shouldNegotiateMediaTypes() throws Exception {
    try (RawHttpClient client = requestHandlerServer.client()) {
      assertEquals(406, client.ask("GET", "/livez", "Accept: text/html\r\n", "").status());
      assertEquals(406, client.ask("GET", "/livez", "Accept: */*;q=0\r\n", "").status());
      assertEquals(200, client.ask("GET", "/livez", "Accept: text/*, */*;q=0.1\r\n", "").status());
      for (String type :
          List.of("text/plain", "application/json; charset=latin1", "application/x-yaml", "")) {
        String field = type.isEmpty() ? "" : "Content-Type: " + type + "\r\n";
        assertEquals(415, client.ask("POST", START, field, "{}").status(), type);
      }
      String gzip = "Content-Type: application/json\r\nContent-Encoding: gzip\r\n";
      assertEquals(415, client.ask("POST", START, gzip, "{}").status());
      String utf8 = "Content-Type: Application/JSON; charset=\"UTF-8\"\r\n";
      assertEquals(200, client.ask("POST", START, utf8, "{}").status());
      assertEquals(400, client.ask("GET", "/livez", "", "{}").status());
    }
  }

  @Test
  void shouldRefuseWhatWouldBeIgnoredOrForged() throws Exception {
    try (RawHttpClient client = requestHandlerServer.client()) {
      assertEquals(400, client.ask("POST", START, "If-Match: \"1\"\r\n", "").status());
      assertEquals(403, client.ask("POST", START, "Sec-Fetch-Site: cross-site\r\n", "").status());
      assertEquals(200, client.ask("POST", START, "Sec-Fetch-Site: same-origin\r\n", "").status());
    }
  }

  @Test
  void shouldMeetExpectations() throws Exception {
    String head =
        "POST " + START + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
    try (RawHttpClient client = requestHandlerServer.client()) {
      client.send(head + "Content-Length: 2\r\nExpect: 100-continue\r\n\r\n");
      assertEquals(100, client.read().status());
      client.send("{}");
      assertEquals(200, client.read().status());
      client.send(head + "Content-Length: 9999999\r\nExpect: 100-continue\r\n\r\n");
      assertEquals(413, client.read().status());
      assertTrue(client.isEnded());
    }
    try (RawHttpClient client = requestHandlerServer.client()) {
      client.send(head + "Content-Length: 2\r\nExpect: magic\r\n\r\n");
      assertEquals(417, client.read().status());
      assertTrue(client.isEnded());
    }
    try (RawHttpClient client = requestHandlerServer.client()) {
      client.send(head("Expect: 100-continue\r\nContent-Length: 2").replace(START, "/no"));
      assertEquals(404, client.read().status());
      assertTrue(client.isEnded());
    }
  }

  @Test
  void shouldKeepOrCloseConnectionsAsTheVersionHasIt() throws Exception {
    try (RawHttpClient client = requestHandlerServer.client()) {
      client.send("GET /livez HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
      assertEquals("keep-alive", client.read().header("connection"));
      client.send("GET /livez HTTP/1.0\r\n\r\n");
      assertEquals("close", client.read().header("connection"));
      assertTrue(client.isEnded());
    }
    try (RawHttpClient client = requestHandlerServer.client()) {
      client.send(
          "GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: x, Close\r\n\r\n" + MARKER);
      assertEquals("close", client.read().header("connection"));
      assertTrue(client.isEnded());
    }
  }

  @Test
  void shouldReadBodiesInAnyPieces() throws Exception {
    String body = "{\"input\": \"0123456789\"}";
    String chunked = head("Transfer-Encoding: chunked");
    StringBuilder chunks = new StringBuilder(chunked);
    for (int i = 0; i < body.length(); i++) {
      chunks.append("1;a=b\r\n").append(body.charAt(i)).append("\r\n");
    }
    chunks.append("0\r\nX: y\r\n\r\n");
    try (RawHttpClient client = requestHandlerServer.client()) {
      for (byte b :
          (head("Content-Length: " + body.length()) + body).getBytes(StandardCharsets.US_ASCII)) {
        client.send(new byte[] {b});
      }
      assertTrue(client.read().body().contains("\"output\":\"0123456789\""));
      client.send(chunks + MARKER);
      assertTrue(client.read().body().contains("\"output\":\"0123456789\""));
      assertTrue(client.read().body().contains("alive"));
    }
  }

  private static String head(String framing) {
    return "POST "
        + START
        + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        + framing
        + "\r\n\r\n";
  }

  @Test
  void shouldAnswerPipelinedRequestsInOrder() throws Exception {
    int count = 2_000;
    StringBuilder all = new StringBuilder();
    for (int i = 0; i < count; i++) {
      String body = "{\"input\":" + i + "}";
      all.append(head("Content-Length: " + body.length())).append(body);
    }
    try (RawHttpClient client = requestHandlerServer.client()) {
      Thread sender =
          Thread.startVirtualThread(
              () -> client.sendWhatFits(all.toString().getBytes(StandardCharsets.US_ASCII)));
      for (int i = 0; i < count; i++) {
        HttpReply reply = client.read();
        assertTrue(reply.body().endsWith("\"output\":" + i + "}"), reply.body());
      }
      sender.join();
      assertEquals(200, client.get("/livez").status());
    }
  }

  @Test
  void shouldSkipOneEmptyLineBetweenRequests() throws Exception {
    try (RawHttpClient client = requestHandlerServer.client()) {
      client.send("\r\n" + MARKER + "\r\n" + MARKER);
      assertEquals(200, client.read().status());
      assertEquals(200, client.read().status());
    }
  }

  @Test
  void shouldTellEveryProblemWithoutInternals() throws Exception {
    try (RawHttpClient client = requestHandlerServer.client()) {
      HttpReply reply = client.get("/" + "x%00%22<".replace("<", "").repeat(100));
      assertEquals(404, reply.status());
      assertEquals(MediaTypes.PROBLEM, reply.header("content-type"));
      assertTrue(reply.body().length() < 2_000, reply.body());
      assertTrue(reply.body().contains("\"type\":\"https://pinion.dev/problems/not-found\""));
      assertFalse(reply.body().contains("dev.pinion.core"));
      assertNotNull(reply.headers().get("content-length"));
    }
  }

  @Test
  void shouldSurviveAFailureOfItsOwn() throws Exception {
    try (RequestHandlerServer broken = RequestHandlerServer.with(Map.of());
        RawHttpClient client = broken.client()) {
      broken.definitions.broken = true;
      HttpReply reply =
          client.ask("POST", "/v1/definitions", "Content-Type: application/json\r\n", "{}");
      assertEquals(500, reply.status());
      assertFalse(reply.body().contains("secret"), reply.body());
      assertEquals(1, broken.handler.failures());
      assertEquals(200, client.get("/livez").status());
    }
  }
}
