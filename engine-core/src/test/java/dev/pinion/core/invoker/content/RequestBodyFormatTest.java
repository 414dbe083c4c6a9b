package dev.pinion.core.invoker.content;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.invoker.InvokerHarness;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.call.HttpCall;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Field fault 14: bodies of requests by media type. */
class RequestBodyFormatTest {
  private static final EngineLimits LIMITS = EngineLimits.defaults();
  private static final PayloadCodec CODEC = new PayloadCodec(LIMITS.json());

  private final RequestBodyFormat formats = new RequestBodyFormat(CODEC, LIMITS.invoker());

  private static Payload json(String text) throws JsonProcessingException {
    return Payload.of(new JsonMapper().readTree(text));
  }

  private static HttpCall call(String type, @Nullable Payload body, String... coding) {
    List<HttpCall.HeaderField> fields = new ArrayList<>();
    fields.add(new HttpCall.HeaderField("cOnTeNt-TyPe", type));
    for (String each : coding) {
      fields.add(new HttpCall.HeaderField("content-Encoding", each));
    }
    return InvokerHarness.call("POST", "http://pets/list", fields, body, HttpCall.Output.CONTENT);
  }

  private byte[] bytes(Payload body, String type) {
    EncodedBody encoded = formats.encode(body, type);
    return encoded == null ? CODEC.toBytes(body) : encoded.bytes();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      value = {
        "application/x-www-form-urlencoded|{\"a\":\"1\",\"b\":\"x y\"}|a=1&b=x+y",
        "Application/X-WWW-Form-UrlEncoded; charset=utf-8|{\"ü&\":\"=+%~*-._\"}|"
            + "%C3%BC%26=%3D%2B%25%7E*-._",
        "application/x-www-form-urlencoded|{\"a\":[1,true,\"x\"],\"b\":null,\"c\":\"\"}|"
            + "a=1&a=true&a=x&c=",
        "application/x-www-form-urlencoded; charset=utf-16|{\"a\":\"1 \u00fc\"}|a=1+%C3%BC",
        "application/x-www-form-urlencoded; charset=iso-8859-1|{\"\u00fc\":\"\u00df\"}|%FC=%DF",
        "application/x-www-form-urlencoded; charset=us-ascii|{\"a\":1}|a=1",
        "application/x-www-form-urlencoded|\"user=a%2Bb&x=1\"|user=a%2Bb&x=1",
        "text/plain|\"a b\"|a b",
        "text/plain|1.5|1.5",
        "text/csv|true|true",
        "application/xml|\"<a/>\"|<a/>",
        "application/xml|{\"a\":{\"@x\":1,\"b\":[null,\"t\"]}}|"
            + "<?xml version=\"1.0\" encoding=\"UTF-8\"?><a x=\"1\"><b/><b>t</b></a>",
        "TEXT/XML; charset=us-ascii|{\"a\":\"\u00fc\"}|"
            + "<?xml version=\"1.0\" encoding=\"US-ASCII\"?><a>&#252;</a>",
        "application/soap+xml|{\"a\":null}|<?xml version=\"1.0\" encoding=\"UTF-8\"?><a/>",
        "application/xml|{\"base64\":\"x\"}|"
            + "<?xml version=\"1.0\" encoding=\"UTF-8\"?><base64>x</base64>",
        "image/png|{\"base64\":\"aGk=\"}|hi",
        "image/png|{\"base64\":\"aGk\"}|hi",
        "application/octet-stream|{\"base64\":\"aA==\"}|h",
        "application/zip|{\"base64\":\"aGk=\"}|hi",
        "text/csv|{\"base64\":\"aGk=\"}|hi",
        "multipart/related; boundary=x|{\"base64\":\"aGk=\"}|hi",
        "application/zip|{\"base64\":\"aGk=\",\"a\":1}|{\"base64\":\"aGk=\",\"a\":1}",
        "application/json|{\"base64\":\"aGk=\"}|{\"base64\":\"aGk=\"}",
        "application/x-www-form-urlencoded|{\"base64\":\"aGk=\"}|base64=aGk%3D",
        "application/x-ndjson|[1,2]|[1,2]",
        "multipart/form-data; boundary=x|\"--x--\"|--x--",
        "application/json|\"a\"|\"a\"",
        "application/merge-patch+json; charset=utf-8|{\"a\":null}|{\"a\":null}",
        "text/json|{\"a\":1}|{\"a\":1}",
        "application/x-amz-json-1.1|{\"a\":1}|{\"a\":1}"
      })
  void shouldBeWhatItsTypeSays(String type, String body, String sent) throws Exception {
    Payload value = json(body);

    assertNull(formats.problem(call(type, value)));
    assertEquals(sent, new String(bytes(value, type), StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      value = {
        "application/x-www-form-urlencoded|{\"a\":1,\"b\":{\"c\":1}}|found an object with \"b\"",
        "application/x-www-form-urlencoded|{\"a\":[[1]]}|found an object with \"a\"",
        "application/x-www-form-urlencoded|[1]|expected an object of scalars or a string",
        "application/x-www-form-urlencoded|1|found a number",
        "application/x-www-form-urlencoded|null|found null",
        "multipart/mixed|{\"a\":1}|expected a string with its boundaries or {base64: ...}",
        "multipart/form-data|[1]|expected an object or a string as body of type",
        "multipart/form-data|null|found null",
        "text/plain|{}|expected a string, number, boolean or {base64: ...} as body of type text/plain",
        "text/plain|null|found null",
        "text/csv; charset=utf-8|[1]|body of type text/csv, found an array",
        "application/xml|{\"a\":1,\"b\":2}|body of type application/xml cannot be written: expected an"
            + " object with one member",
        "application/soap+xml|1|expected a string or an object",
        "image/svg+xml|{\"svg\":{\"@x y\":1}}|expected a name of XML",
        "application/xml; charset=klingon|{\"a\":1}|found \"klingon\"",
        "application/octet-stream|{}|expected a string or {base64: ...}",
        "application/pdf|1|found a number",
        "image/png|[]|expected a string or {base64: ...}",
        "image/png|{\"base64\":1}|expected a string or {base64: ...}",
        "image/png|{\"base64\":\"aGk\\u003d=\"}|a part of four characters or less at its end",
        "image/png|{\"base64\":\"aG k=\"}|found U+0020 at index 2",
        "image/png|{\"base64\":\"a=Gk\"}|found U+003D at index 1",
        "image/png|{\"base64\":\"aG_k\"}|found U+005F at index 2",
        "text/plain|{\"base64\":\"\u00fc\"}|found U+00FC at index 0",
        "multipart/mixed|{\"base64\":\"?\"}|expected base 64",
        "text/plain; charset=klingon|\"a\"|found \"klingon\"",
        "text/plain; charset=klingon|1|found \"klingon\"",
        "application/x-www-form-urlencoded; charset=klingon|{\"a\":1}|found \"klingon\"",
        "application/x-www-form-urlencoded; charset=klingon|\"a=1\"|found \"klingon\"",
        "application/x-www-form-urlencoded; charset=us-ascii|{\"a\":\"\u00fc\"}|as utf-8",
        "application/x-www-form-urlencoded; charset=iso-8859-1|{\"\u20ac\":1}|as utf-8",
        "text/plain; charset=us-ascii|\"\u00fc\"|send it as utf-8"
      })
  void shouldBeRefusedWhereItsTypeCannotHoldIt(String type, String body, String problem)
      throws Exception {
    String found = formats.problem(call(type, json(body)));

    assertNotNull(found);
    assertTrue(found.contains(problem), found);
  }

  @Test
  void shouldRefuseACodingThatIsNotTheTasks() throws Exception {
    String expected =
        "expected no Content-Encoding, since the engine compresses no requests, unless the body is"
            + " {base64: ...}, found \"gzip\"";
    assertEquals(expected, formats.problem(call("text/plain", Payload.of("a"), "gzip")));
    assertEquals(expected, formats.problem(call("application/json", json("{}"), "gzip")));
    assertEquals(expected, formats.problem(call("text/plain", null, "gzip")));
    Payload bytes = json("{\"base64\":\"aGk=\"}");
    assertEquals(expected, formats.problem(call("application/json", bytes, "gzip")));
    assertEquals(expected, formats.problem(call("application/xml", bytes, "gzip")));
    assertNull(formats.problem(call("application/octet-stream", bytes, "gzip")));
    assertNull(formats.problem(call("text/plain", Payload.of("a"), "Identity")));
  }

  @ParameterizedTest
  @CsvSource({
    "application/x-www-form-urlencoded, a form",
    "application/xml, XML",
    "multipart/form-data, parts"
  })
  void shouldMakeBodiesUpToTheirBound(String type, String what) throws Exception {
    String name = "n".repeat(900);
    Payload repeated = json("{\"a\":{\"" + name + "\":[" + "1,".repeat(99) + "1]}}");
    Payload body = type.endsWith("xml") ? repeated : Payload.of(repeated.json().get("a"));
    int length = bytes(body, type).length;

    assertNull(bounded(length).problem(call(type, body)));
    String problem = bounded(length - 1_000).problem(call(type, body));
    assertNotNull(problem);
    assertTrue(problem.contains("of at most " + (length - 1_000)), what + ": " + problem);
  }

  private static RequestBodyFormat bounded(int maxBytes) {
    return new RequestBodyFormat(
        CODEC, LIMITS.with(Map.of("invoker.maxRequestBytes", maxBytes)).invoker());
  }
}
