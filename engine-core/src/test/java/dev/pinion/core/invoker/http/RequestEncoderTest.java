package dev.pinion.core.invoker.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.invoker.InvokerHarness;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.call.HttpCall;
import dev.pinion.core.model.call.HttpCall.HeaderField;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestEncoderTest {
  private static final String DEFAULTS =
      "Host: pets\r\nAccept: application/json, */*;q=0.1\r\nUser-Agent: pinion/test\r\n";

  private static final EngineLimits LIMITS = EngineLimits.defaults();
  private static final PayloadCodec CODEC = new PayloadCodec(LIMITS.json());

  private final RequestEncoder encoder = new RequestEncoder(CODEC, LIMITS.invoker(), "pinion/test");

  private String encode(HttpCall call, Charset charset) {
    return encode(encoder, call, charset);
  }

  private static String encode(RequestEncoder encoder, HttpCall call, Charset charset) {
    ByteBuf request;
    try {
      request = encoder.encode(call, null, "/list?x=1", "pets", UnpooledByteBufAllocator.DEFAULT);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    try {
      return request.toString(charset);
    } finally {
      assertTrue(request.release());
    }
  }

  private String encode(HttpCall call) {
    return encode(call, StandardCharsets.UTF_8);
  }

  private static HttpCall call(String method, @Nullable Payload body, HeaderField... headers) {
    return InvokerHarness.call(
        method, "http://pets/list", List.of(headers), body, HttpCall.Output.CONTENT);
  }

  @Test
  void shouldWriteARequestWithoutBody() {
    assertEquals("GET /list?x=1 HTTP/1.1\r\n" + DEFAULTS + "\r\n", encode(call("GET", null)));
    assertEquals(
        "POST /list?x=1 HTTP/1.1\r\n" + DEFAULTS + "Content-Length: 0\r\n\r\n",
        encode(call("POST", null)));
  }

  @Test
  void shouldWriteAJsonBodyWithItsLength() {
    Payload body = Payload.object(Map.of("name", Payload.of("Müsli")));
    assertEquals(
        "POST /list?x=1 HTTP/1.1\r\n"
            + DEFAULTS
            + "Content-Type: application/json\r\nContent-Length: 17\r\n\r\n{\"name\":\"Müsli\"}",
        encode(call("POST", body)));
    assertTrue(encode(call("PUT", Payload.NULL)).endsWith("Content-Length: 4\r\n\r\nnull"));
  }

  @Test
  void shouldWriteABodyOfAnySize() {
    // given sizes around the first buffer and with every number of digits up to 7
    for (int size : new int[] {0, 7, 8, 97, 98, 400, 511, 512, 997, 9_998, 99_998, 4 << 20}) {
      // when
      String request = encode(call("POST", Payload.of("x".repeat(size))));

      // then
      int body = request.indexOf("\r\n\r\n") + 4;
      assertEquals(size + 2, request.length() - body);
      assertTrue(request.startsWith("POST /list?x=1 HTTP/1.1\r\nHost: pets\r\n"));
      assertTrue(
          request.substring(0, body).endsWith("\r\nContent-Length: " + (size + 2) + "\r\n\r\n"));
    }
  }

  @Test
  void shouldKeepTheFieldsOfTheDefinition() {
    HttpCall call =
        call(
            "GET",
            null,
            new HeaderField("accept", "text/plain"),
            new HeaderField("HOST", "other"),
            new HeaderField("user-agent", "me"),
            new HeaderField("X-A", "1"),
            new HeaderField("x-a", "2"));
    assertEquals(
        String.join(
            "\r\n",
            "GET /list?x=1 HTTP/1.1",
            "accept: text/plain",
            "HOST: other",
            "user-agent: me",
            "X-A: 1",
            "x-a: 2",
            "",
            ""),
        encode(call));
  }

  @Test
  void shouldSendAStringAsTextUnlessItsTypeIsJson() {
    Payload text = Payload.of("a \"b\" ü");
    HeaderField plain = new HeaderField("Content-Type", "text/plain");
    HeaderField latin = new HeaderField("Content-Type", "text/plain; charset=ISO-8859-1");
    HeaderField problem =
        new HeaderField("Content-Type", "application/problem+json; charset=utf-8");
    assertTrue(encode(call("POST", text, plain)).endsWith("Content-Length: 8\r\n\r\na \"b\" ü"));
    assertTrue(
        encode(call("POST", text, latin), StandardCharsets.ISO_8859_1)
            .endsWith("Content-Length: 7\r\n\r\na \"b\" ü"));
    assertTrue(encode(call("POST", text, problem)).endsWith("\r\n\r\n\"a \\\"b\\\" ü\""));
    assertTrue(encode(call("POST", Payload.of(1), plain)).endsWith("\r\n\r\n1"));
  }

  @Test
  void shouldCompleteTheTypeOfParts() {
    HeaderField parts = new HeaderField("content-type", "multipart/form-data");
    String request = encode(call("POST", Payload.object(Map.of("a", Payload.of("1"))), parts));
    String type = "content-type: multipart/form-data; boundary=";
    int begin = request.indexOf(type) + type.length();
    String boundary = request.substring(begin, request.indexOf("\r\n", begin));
    String body =
        "--%s\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--%s--\r\n"
            .formatted(boundary, boundary);
    assertEquals(
        "POST /list?x=1 HTTP/1.1\r\n"
            + type
            + boundary
            + "\r\n"
            + DEFAULTS
            + "Content-Length: "
            + body.length()
            + "\r\n\r\n"
            + body,
        request);
  }

  @Test
  void shouldSendBytesThatTheTaskGivesInBase64() {
    HeaderField png = new HeaderField("Content-Type", "image/png");
    Payload bytes = Payload.object(Map.of("base64", Payload.of("iVBORw0KGgr/")));
    String request = encode(call("PUT", bytes, png), StandardCharsets.ISO_8859_1);
    assertTrue(request.endsWith("Content-Length: 9\r\n\r\n\u0089PNG\r\n\u001a\n\u00ff"), request);
  }

  @Test
  void shouldAskForCompressionWhereItIsSet() {
    RequestEncoder asking =
        new RequestEncoder(
            CODEC, LIMITS.with(Map.of("invoker.acceptCompressed", 1)).invoker(), "pinion/test");
    assertEquals(
        "GET /list?x=1 HTTP/1.1\r\n"
            + DEFAULTS.replace("User-Agent", "Accept-Encoding: gzip, deflate\r\nUser-Agent")
            + "\r\n",
        encode(asking, call("GET", null), StandardCharsets.UTF_8));
    String own =
        encode(
            asking,
            call("GET", null, new HeaderField("accept-encoding", "identity")),
            StandardCharsets.UTF_8);
    assertTrue(own.contains("accept-encoding: identity\r\n"), own);
    assertTrue(!own.contains("gzip"), own);
  }

  private String refusal(HttpCall call) {
    return assertThrows(InvalidCallException.class, () -> encoder.check(call, null)).problem();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "connection",
        "Content-Length",
        "Expect",
        "Keep-Alive",
        "Proxy-Connection",
        "te",
        "Trailer",
        "Transfer-Encoding",
        "Upgrade"
      })
  void shouldRefuseFieldsThatTheEngineSets(String name) {
    assertEquals(
        "expected no header field " + name + ": the engine sets it; leave it out",
        refusal(call("GET", null, new HeaderField(name, "1"))));
  }

  @Test
  void shouldRefuseWhatWouldBeMalformed() {
    assertEquals(
        "expected a request method other than CONNECT, found \"CONNECT\"",
        refusal(call("CONNECT", null)));
    assertTrue(refusal(call("GET /x", null)).contains("found \"GET /x\""));
    assertTrue(refusal(call("", null)).contains("found \"\""));
    assertTrue(refusal(call("GET", null, new HeaderField("a b", "1"))).contains("found \"a b\""));
    assertTrue(
        refusal(call("GET", null, new HeaderField("a", "1\r\nb: 2"))).endsWith("found U+000D"));
    assertTrue(refusal(call("GET", null, new HeaderField("a", "\u0000"))).endsWith("found U+0000"));
    assertTrue(refusal(call("GET", null, new HeaderField("a", "€"))).endsWith("found U+20AC"));
    assertEquals(
        "expected one header field host, found two",
        refusal(call("GET", null, new HeaderField("Host", "a"), new HeaderField("host", "b"))));
  }

  @Test
  void shouldAcceptWhatIsWellFormed() throws InvalidCallException {
    encoder.check(
        call(
            "PATCH",
            null,
            new HeaderField("X", "a\tb é"),
            new HeaderField("X", ""),
            new HeaderField("TE-X", "")),
        null);
  }
}
