package dev.pinion.core.invoker.content;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.invoker.InvokerHarness;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.call.HttpCall;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MultipartEncodingTest {
  private static final EngineLimits LIMITS = EngineLimits.defaults();

  private final RequestBodyFormat formats =
      new RequestBodyFormat(new PayloadCodec(LIMITS.json()), LIMITS.invoker());

  private static Payload json(String text) throws Exception {
    return Payload.of(new JsonMapper().readTree(text.replace('\'', '"')));
  }

  private EncodedBody encoded(String json) throws Exception {
    return encoded(json, "multipart/form-data");
  }

  private EncodedBody encoded(String json, String type) throws Exception {
    assertNull(problem(json, type));
    return Objects.requireNonNull(formats.encode(json(json), type));
  }

  private @Nullable String problem(String json, String type) throws Exception {
    return formats.problem(
        InvokerHarness.call(
            "POST",
            "http://h/",
            List.of(new HttpCall.HeaderField("Content-Type", type)),
            json(json),
            HttpCall.Output.CONTENT));
  }

  /** The body with B for the boundary and | for ends of lines. */
  private String shown(String json) throws Exception {
    EncodedBody body = encoded(json);
    String boundary = boundary(body);
    return new String(body.bytes(), StandardCharsets.UTF_8)
        .replace(boundary, "B")
        .replace("\r\n", "|");
  }

  private static String boundary(EncodedBody body) {
    return body.contentType().substring(body.contentType().indexOf("boundary=") + 9);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      value = {
        "{} ~ --B--|",
        "{'a':'1'} ~ --B|Content-Disposition: form-data; name=\"a\"||1|--B--|",
        "{'a':null,'b':1.5,'c':true} ~ --B|Content-Disposition: form-data; name=\"b\"||1.5|"
            + "--B|Content-Disposition: form-data; name=\"c\"||true|--B--|",
        "{'a':[1,null,'x']} ~ --B|Content-Disposition: form-data; name=\"a\"||1|"
            + "--B|Content-Disposition: form-data; name=\"a\"||x|--B--|",
        "{'a':''} ~ --B|Content-Disposition: form-data; name=\"a\"|||--B--|",
        "{'a':{'content':'x'}} ~ --B|Content-Disposition: form-data; name=\"a\"||x|--B--|",
        "{'f':{'content':'\u00fc','filename':'f.txt'}} ~ --B|Content-Disposition: form-data;"
            + " name=\"f\"; filename=\"f.txt\"|Content-Type: text/plain; charset=utf-8||\u00fc|--B--|",
        "{'f':{'base64':'aGk='}} ~ --B|Content-Disposition: form-data; name=\"f\"|"
            + "Content-Type: application/octet-stream||hi|--B--|",
        "{'f':{'base64':'aGk=','filename':'a.png','contentType':'image/png'}} ~ --B|"
            + "Content-Disposition: form-data; name=\"f\"; filename=\"a.png\"|"
            + "Content-Type: image/png||hi|--B--|",
        "{'f':{'base64':'aGk=','filename':''}} ~ --B|Content-Disposition: form-data; name=\"f\";"
            + " filename=\"\"|Content-Type: application/octet-stream||hi|--B--|",
        "{'d':{'content':{'x':1}}} ~ --B|Content-Disposition: form-data; name=\"d\"|"
            + "Content-Type: application/json||{\"x\":1}|--B--|",
        "{'d':{'content':'x','contentType':'application/json'}} ~ --B|"
            + "Content-Disposition: form-data; name=\"d\"|Content-Type: application/json||\"x\"|--B--|",
        "{'d':{'content':{'x':1},'contentType':'application/xml'}} ~ --B|"
            + "Content-Disposition: form-data; name=\"d\"|Content-Type: application/xml||"
            + "<?xml version=\"1.0\" encoding=\"UTF-8\"?><x>1</x>|--B--|",
        "{'d':{'content':'--x--','contentType':'multipart/mixed; boundary=x'}} ~ --B|"
            + "Content-Disposition: form-data; name=\"d\"|"
            + "Content-Type: multipart/mixed; boundary=x||--x--|--B--|",
        "{'f':[{'base64':'aGk='},{'content':'x'}]} ~ --B|Content-Disposition: form-data; name=\"f\"|"
            + "Content-Type: application/octet-stream||hi|--B|"
            + "Content-Disposition: form-data; name=\"f\"||x|--B--|"
      })
  void shouldMakePartsOfMembers(String json, String body) throws Exception {
    assertEquals(body, shown(json));
  }

  @Test
  void shouldEscapeNamesAsHtmlDoes() throws Exception {
    assertEquals(
        "--B|Content-Disposition: form-data; name=\"a%22b%0D%0Ac%0D%0Ad%0D%0A\u00fc\\%\";"
            + " filename=\"x%0Ay%0D%22.txt\"|Content-Type: text/plain; charset=utf-8||1|--B--|",
        shown(
            "{'a\\u0022b\\r\\nc\\nd\\r\u00fc\\\\%':"
                + "{'content':'1','filename':'x\\ny\\r\\u0022.txt'}}"));
  }

  @Test
  void shouldKeepTheBytesOfContents() throws Exception {
    EncodedBody latin =
        encoded("{'a':{'content':'\u00fc\\n','contentType':'text/plain; charset=iso-8859-1'}}");
    String text = new String(latin.bytes(), StandardCharsets.ISO_8859_1);
    assertTrue(text.contains("charset=iso-8859-1\r\n\r\n\u00fc\n\r\n--"), text);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      value = {
        "{'a':[[1]]} ~ as item of the part \"a\", found an array",
        "{'a':{}} ~ expected either \"content\" or \"base64\" in the part \"a\", found an empty",
        "{'a':{'x':1}} ~ expected either \"content\" or \"base64\" in the part \"a\", found an object",
        "{'a':{'content':1,'base64':''}} ~ found both",
        "{'a':{'content':1,'fileName':'x'}} ~ expected one of content, base64, filename,"
            + " contentType in the part \"a\", found \"fileName\"",
        "{'a':{'base64':'a b'}} ~ expected base 64 as \"base64\", found U+0020 at index 1",
        "{'a':{'base64':1}} ~ expected a string as \"base64\" of the part \"a\", found a number",
        "{'a':{'content':1,'filename':2}} ~ expected a string as \"filename\"",
        "{'a':{'content':1,'contentType':'x'}} ~ expected a media type as \"contentType\"",
        "{'a':{'content':1,'contentType':'text/plain\\r\\nX: y'}} ~ expected a media type",
        "{'a':{'content':1,'contentType':'text/plain; a=\u00fc'}} ~ expected a media type",
        "{'a':{'content':1,'contentType':''}} ~ expected a media type",
        "{'a':{'content':{'b':1},'contentType':'text/plain'}} ~ as body of type text/plain",
        "{'a':{'content':{'b':1},'contentType':'image/png'}} ~ as body of type image/png",
        "{'a':{'content':{'b':1},'contentType':'multipart/form-data'}} ~ expected a string as body",
        "{'a\\u0000':1} ~ expected the name of a part without control characters, found \"a?\"",
        "{'a':{'content':1,'filename':'\\u007f'}} ~ expected \"filename\" without control"
      })
  void shouldRefuseWhatIsNoPart(String json, String problem) throws Exception {
    String found = problem(json, "multipart/form-data");
    assertNotNull(found);
    assertTrue(found.contains(problem), found);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{'a':'1','b':{'base64':'aGk='}}", "{}"})
  void shouldSendTheSameBytesAgain(String json) throws Exception {
    EncodedBody first = encoded(json);
    EncodedBody again = encoded(json);
    assertEquals(first.contentType(), again.contentType());
    assertArrayEquals(first.bytes(), again.bytes());
    assertNotEquals(first.contentType(), encoded("{'a':'2'}").contentType());
    assertTrue(boundary(first).matches("pinion-[0-9a-f]{32}"), first.contentType());
  }

  @Test
  void shouldTakeTheBoundaryOfTheTask() throws Exception {
    for (String type :
        new String[] {"multipart/form-data; boundary=x", "multipart/form-data;Boundary=\"x\""}) {
      EncodedBody body = encoded("{'a':'x-'}", type);
      assertEquals(type, body.contentType());
      assertEquals(
          "--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nx-\r\n--x--\r\n",
          new String(body.bytes(), StandardCharsets.UTF_8));
    }
    assertEquals(
        "expected a boundary that occurs in no part, found \"x\" in one; leave it out, and the"
            + " engine makes one",
        problem("{'a':'1\\n--x'}", "multipart/form-data; boundary=x"));
    for (String boundary : new String[] {"", "\u00fc", "a*b", "\"a \"", "x".repeat(71)}) {
      String problem = problem("{}", "multipart/form-data; boundary=" + boundary);
      assertNotNull(problem, boundary);
      assertTrue(problem.startsWith("expected a boundary of 1 to 70 letters"), problem);
    }
    assertNull(problem("{}", "multipart/form-data; boundary=" + "x".repeat(70)));
    assertNull(problem("{}", "multipart/form-data; boundary=\"a b:c\""));
  }

  @Test
  void shouldTakeAnotherBoundaryWhereOneOccurs() {
    List<byte[]> pieces = List.of("1\r\n--b0--\r\n".getBytes(StandardCharsets.UTF_8), new byte[0]);
    assertEquals("b1", Boundary.unlike(pieces, "b0", _ -> "b1"));
    assertEquals("b2", Boundary.unlike(pieces, "b2", _ -> "b1"));
  }
}
