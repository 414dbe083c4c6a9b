package dev.pinion.core.invoker;

import static dev.pinion.core.invoker.InvokerHarness.call;
import static dev.pinion.core.invoker.InvokerHarness.get;
import static dev.pinion.core.invoker.ScriptedServer.answering;
import static dev.pinion.core.invoker.ScriptedServer.json;
import static dev.pinion.core.invoker.ScriptedServer.ok;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.codec.PayloadSyntaxException;
import dev.pinion.core.invoker.InvokerCounters.Counter;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.call.HttpCall;
import dev.pinion.core.model.call.HttpCall.HeaderField;
import dev.pinion.core.model.call.HttpCall.Output;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Outcomes of complete responses. */
class CompleteResponsesTest {
  private final InvokerHarness rig = new InvokerHarness();

  @AfterEach
  void close() {
    rig.close();
  }

  private Payload content(String answer) {
    try (ScriptedServer server = new ScriptedServer(answering(answer))) {
      return rig.output(get(server.uri("/")));
    }
  }

  private WorkflowError error(String answer) {
    try (ScriptedServer server = new ScriptedServer(answering(answer))) {
      return rig.error(get(server.uri("/pets?key=secret")));
    }
  }

  private static Payload parse(String json) {
    byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
    try {
      return new PayloadCodec(EngineLimits.defaults().json()).read(bytes, 0, bytes.length);
    } catch (PayloadSyntaxException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void shouldSendTheRequestAndReadTheAnswer() {
    BlockingQueue<String> requests = new LinkedBlockingQueue<>();
    try (ScriptedServer server =
        new ScriptedServer(
            conversation -> {
              requests.add(conversation.readRequest());
              conversation.send(json("{\"id\":1}"));
            })) {
      // when
      Payload output =
          rig.output(call("POST", server.uri("/pets?x=1"), parse("{\"name\":\"milou\"}")));

      // then
      assertEquals(parse("{\"id\":1}"), output);
      assertEquals(
          String.join(
              "\r\n",
              "POST /pets?x=1 HTTP/1.1",
              "Host: " + server.authority(),
              "Accept: application/json, */*;q=0.1",
              "User-Agent: pinion/test",
              "Content-Type: application/json",
              "Content-Length: 16",
              "",
              "{\"name\":\"milou\"}"),
          requests.remove());
      assertEquals(1, rig.count(Counter.ANSWERED));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "application/json",
        "Application/JSON;charset=utf-8",
        "application/problem+json",
        "application/vnd.pet+JSON ; v=1"
      })
  void shouldParseJson(String type) {
    assertEquals(parse("[1,{\"a\":null}]"), content(ok(type, "[1,{\"a\":null}]")));
  }

  @Test
  void shouldMakeAStringOfText() {
    assertEquals(Payload.of("grüße"), content(ok("text/plain", "grüße")));
    assertEquals(Payload.of("{}"), content(ok("TEXT/HTML; charset=utf-8", "{}")));
    // two bytes of UTF-8 are two characters of Latin-1
    assertEquals(Payload.of("Ã¼"), content(ok("text/plain; charset=ISO-8859-1", "ü")));
  }

  @Test
  void shouldMakeBase64OfAnythingElse() {
    assertEquals(Payload.of("LS14LS0="), content(ok("multipart/mixed; boundary=x", "--x--")));
    assertEquals(Payload.of("aGk="), content(ok("application/octet-stream", "hi")));
    assertEquals(Payload.of("aGk="), content("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"));
  }

  @Test
  void shouldMakeNullOfAnEmptyBody() {
    assertEquals(Payload.NULL, content(json("")));
    assertEquals(Payload.NULL, content("HTTP/1.1 204 No Content\r\nContent-Length: 7\r\n\r\n"));
  }

  @Test
  void shouldGiveTheBodyRaw() {
    try (ScriptedServer server = new ScriptedServer(answering(json("{\"a\": 1}")));
        ScriptedServer empty = new ScriptedServer(answering(json("")))) {
      assertEquals(
          Payload.of("eyJhIjogMX0="),
          rig.output(call("GET", server.uri("/"), List.of(), null, Output.RAW)));
      assertEquals(
          Payload.NULL, rig.output(call("GET", empty.uri("/"), List.of(), null, Output.RAW)));
    }
  }

  @Test
  void shouldGiveTheWholeResponse() {
    String answer =
        String.join(
            "\r\n",
            "HTTP/1.1 201 Created",
            "Content-Type: application/json",
            "X-A: 1",
            "x-a: 2",
            "Set-Cookie: a=1, b",
            "Set-Cookie: c",
            "Content-Length: 8",
            "",
            "{\"id\":1}");
    try (ScriptedServer server = new ScriptedServer(answering(answer))) {
      // when
      Payload output =
          rig.output(
              call(
                  "GET",
                  server.uri("/?q=1"),
                  List.of(new HeaderField("X-Q", "1"), new HeaderField("x-q", "2")),
                  null,
                  Output.RESPONSE));

      // then
      assertEquals(
          "{'request':{'method':'GET','uri':'%s','headers':{'X-Q':'1, 2'}},'statusCode':201,"
                  .formatted(server.uri("/?q=1"))
              + "'headers':{'Content-Length':'8','Content-Type':'application/json',"
              + "'Set-Cookie':'a=1, b\\nc','X-A':'1, 2'},'content':{'id':1}}",
          output.toString().replace('"', '\''));
    }
  }

  @Test
  void shouldPassOverInterimAnswers() {
    String interim = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n";
    assertEquals(parse("1"), content(interim + interim + json("1")));
  }

  @Test
  void shouldNotWaitForABodyThatAnAnswerToHeadAnnounces() {
    String head =
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 9999999\r\n";
    try (ScriptedServer server = new ScriptedServer(answering(head + "\r\n"))) {
      assertEquals(Payload.NULL, rig.output(call("HEAD", server.uri("/"), null)));
      assertEquals(Payload.NULL, rig.output(call("HEAD", server.uri("/"), null)));
      assertEquals(1, server.connections());
    }
  }

  @Test
  void shouldReadABodyUntilTheConnectionCloses() {
    try (ScriptedServer server =
        new ScriptedServer(
            conversation -> {
              conversation.readRequest();
              conversation.send("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nall of it");
            })) {
      assertEquals(Payload.of("all of it"), rig.output(get(server.uri("/"))));
    }
  }

  @Test
  void shouldReadAnAnswerThatComesByteByByte() {
    try (ScriptedServer server =
        new ScriptedServer(
            conversation -> {
              conversation.readRequest();
              conversation.sendOneByOne(json("{\"slow\":true}"));
            })) {
      assertEquals(parse("{\"slow\":true}"), rig.output(get(server.uri("/"))));
    }
  }

  @Test
  void shouldFailOnAStatusThatTheDefinitionDoesNotAccept() {
    WorkflowError error =
        error(
            "HTTP/1.1 404 Whatever\r\nContent-Type: text/plain\r\nContent-Length: 7\r\n\r\nno pets");
    assertEquals(ErrorType.COMMUNICATION.uri(), error.type());
    assertEquals(404, error.status());
    assertEquals("Not Found", error.title());
    String detail = String.valueOf(error.detail());
    assertTrue(detail.startsWith("expected status 200 to 299 from GET http://127.0.0.1:"), detail);
    assertTrue(detail.endsWith("/pets, found 404: no pets"), detail);
  }

  @Test
  void shouldCutTheExcerptOfAFailedAnswer() {
    String text = "é".repeat(199) + "\uD83D\uDC36" + "tail";
    int length = text.getBytes(StandardCharsets.UTF_8).length;
    String head = "HTTP/1.1 500 Oops\r\nContent-Type: text/plain\r\nContent-Length: " + length;
    String detail = String.valueOf(error(head + "\r\n\r\n" + text).detail());
    assertTrue(detail.endsWith("found 500: " + "é".repeat(199)), detail);
  }

  @ParameterizedTest
  @CsvSource({"300, false", "304, false", "399, false", "400, true", "503, true", "600, true"})
  void shouldFailOutsideTheRange(int status, boolean acceptRedirects) {
    String answer = "HTTP/1.1 " + status + " X\r\nContent-Length: 0\r\n\r\n";
    try (ScriptedServer server = new ScriptedServer(answering(answer))) {
      WorkflowError error =
          rig.error(
              new HttpCall(
                  "GET", server.uri("/"), List.of(), null, Output.CONTENT, acceptRedirects));
      assertEquals(status, error.status());
      assertEquals(ErrorType.COMMUNICATION.uri(), error.type());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {300, 302, 399})
  void shouldAcceptARedirectionAndNotFollowIt(int status) {
    String answer =
        "HTTP/1.1 " + status + " X\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n";
    try (ScriptedServer server = new ScriptedServer(answering(answer))) {
      HttpCall call = new HttpCall("GET", server.uri("/"), List.of(), null, Output.CONTENT, true);
      assertEquals(Payload.NULL, rig.output(call));
      assertEquals(1, server.connections());
    }
  }

  @Test
  void shouldFailOnJsonThatIsNone() {
    WorkflowError error = error(json("{\"a\":"));
    assertEquals(ErrorType.COMMUNICATION.uri(), error.type());
    String detail = String.valueOf(error.detail());
    assertTrue(detail.contains("/pets could not be read: expected JSON"), detail);
  }

  @Test
  void shouldFailOnAContentCodingAndNameIt() {
    String answer =
        "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Encoding: br\r\n"
            + "Content-Length: 3\r\n\r\nabc";
    String detail = String.valueOf(error(answer).detail());
    assertTrue(
        detail.endsWith(
            "could not be read: expected Content-Encoding gzip or deflate, found \"br\""),
        detail);
    assertEquals(Payload.of("abc"), content(answer.replace("Encoding: br", "Encoding: Identity")));
    String broken = String.valueOf(error(answer.replace(": br", ": gzip")).detail());
    assertTrue(broken.contains("expected a whole body of coding gzip, found"), broken);
  }

  @Test
  void shouldKeepXmlAFormAndLinesOfJsonReadable() {
    assertEquals(Payload.of("<a>\u00fc</a>"), content(ok("application/xml", "<a>\u00fc</a>")));
    assertEquals(
        parse("{\"a\":[\"1\",\"2\"],\"b c\":\"\u00fc\"}"),
        content(ok("application/x-www-form-urlencoded", "a=1&b+c=%C3%BC&a=2")));
    assertEquals(Payload.of("1\n2\n"), content(ok("application/x-ndjson", "1\n2\n")));
    assertEquals(
        Payload.of("data: 1\n\n"), content(ok("text/event-stream; charset=utf-8", "data: 1\n\n")));
  }

  @Test
  void shouldParseXmlOnRequest() {
    try (ScriptedServer server =
        new ScriptedServer(answering(ok("application/soap+xml", "<a x='1'><b/><b>t</b></a>")))) {
      HttpCall content = call("GET", server.uri("/"), List.of(), null, Output.PARSED_CONTENT);
      assertEquals(parse("{\"a\":{\"@x\":\"1\",\"b\":[null,\"t\"]}}"), rig.output(content));
      HttpCall response = call("GET", server.uri("/"), List.of(), null, Output.PARSED_RESPONSE);
      assertEquals(
          "{\"a\":{\"@x\":\"1\",\"b\":[null,\"t\"]}}",
          rig.output(response).json().path("content").toString());
    }
  }

  @Test
  void shouldFailOnXmlThatIsNoneWhereItIsParsed() {
    try (ScriptedServer server =
        new ScriptedServer(answering(ok("application/xml", "<a>\n<b>\n</a>")))) {
      WorkflowError error =
          rig.error(call("GET", server.uri("/"), List.of(), null, Output.PARSED_CONTENT));
      assertEquals(ErrorType.COMMUNICATION.uri(), error.type());
      String detail = String.valueOf(error.detail());
      assertTrue(
          detail.contains("could not be read: expected well-formed XML at line 3, "), detail);
      assertEquals(Payload.of("<a>\n<b>\n</a>"), rig.output(get(server.uri("/"))));
    }
  }

  @Test
  void shouldFailOnACharsetThatItDoesNotKnow() {
    String detail = String.valueOf(error(ok("text/plain; charset=klingon", "a")).detail());
    assertTrue(
        detail.endsWith("expected a known charset in Content-Type, found \"klingon\""), detail);
  }

  @Test
  void shouldRefuseWhatItCannotCall() {
    WorkflowError scheme = rig.error(get("svc://pets/list"));
    assertEquals(ErrorType.CONFIGURATION.uri(), scheme.type());
    assertEquals("expected a URI of scheme http or https, found scheme \"svc\"", scheme.detail());
    WorkflowError header =
        rig.error(
            call("GET", "http://h/", List.of(new HeaderField("TE", "x")), null, Output.CONTENT));
    assertEquals(ErrorType.CONFIGURATION.uri(), header.type());
  }

  @Test
  void shouldSendAndReadLargeBodies() {
    Payload large = Payload.object(Map.of("text", Payload.of("x".repeat(3 << 20))));
    try (ScriptedServer server =
        new ScriptedServer(
            conversation -> {
              String request = conversation.readRequest();
              conversation.send(json(request.substring(request.indexOf("\r\n\r\n") + 4)));
            })) {
      assertEquals(large, rig.output(call("POST", server.uri("/"), large)));
    }
  }
}
