package dev.pinion.core.invoker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.HttpCall;
import dev.pinion.core.model.Payload;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Field fault 14: bodies of requests by media type. */
class RequestBodyFormatTest {
  private static final PayloadCodec CODEC = new PayloadCodec(EngineLimits.defaults().json());

  private static Payload json(String text) throws JsonProcessingException {
    return Payload.of(new JsonMapper().readTree(text));
  }

  private static HttpCall call(String type, Payload body) {
    HttpCall.HeaderField field = new HttpCall.HeaderField("cOnTeNt-TyPe", type);
    return InvokerHarness.call(
        "POST", "http://pets/list", List.of(field), body, HttpCall.Output.CONTENT);
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
        "multipart/form-data; boundary=x|\"--x--\"|--x--",
        "application/json|\"a\"|\"a\"",
        "application/merge-patch+json; charset=utf-8|{\"a\":null}|{\"a\":null}",
        "text/json|{\"a\":1}|{\"a\":1}",
        "application/x-amz-json-1.1|{\"a\":1}|{\"a\":1}"
      })
  void shouldBeWhatItsTypeSays(String type, String body, String sent) throws Exception {
    Payload value = json(body);

    assertNull(RequestBodyFormat.problem(call(type, value)));
    assertEquals(
        sent, new String(RequestBodyFormat.bytes(value, type, CODEC), StandardCharsets.UTF_8));
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
        "multipart/form-data|{\"a\":1}|the engine makes no multipart bodies",
        "text/plain|{}|expected a string, number or boolean as body of type text/plain",
        "text/plain|null|found null",
        "text/csv; charset=utf-8|[1]|body of type text/csv, found an array",
        "application/xml|{\"a\":1}|expected a string as body of type application/xml",
        "application/soap+xml|1|expected a string",
        "application/octet-stream|{}|expected a string",
        "image/png|[]|expected a string",
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
    String found = RequestBodyFormat.problem(call(type, json(body)));

    assertNotNull(found);
    assertTrue(found.contains(problem), found);
  }
}
