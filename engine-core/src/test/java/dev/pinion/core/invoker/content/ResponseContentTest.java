package dev.pinion.core.invoker.content;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.codec.PayloadSyntaxException;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Payload;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ResponseContentTest {
  private final ResponseContent contents = content(Map.of());

  private static ResponseContent content(Map<String, Integer> limits) {
    return new ResponseContent(new PayloadCodec(EngineLimits.defaults().with(limits).json()));
  }

  private static ByteBuf body(String text, String charset) {
    return Unpooled.copiedBuffer(text, Charset.forName(charset));
  }

  private static ByteBuf body(String text) {
    return Unpooled.copiedBuffer(text, StandardCharsets.UTF_8);
  }

  private String problem(String type, ByteBuf body, boolean parses) {
    return problem(contents, type, body, parses);
  }

  private static String problem(
      ResponseContent contents, String type, ByteBuf body, boolean parses) {
    return String.valueOf(
        assertThrows(PayloadSyntaxException.class, () -> contents.of(type, body, parses))
            .getMessage());
  }

  @ParameterizedTest
  @CsvSource({
    "text/plain, UTF-8",
    "text/plain; charset=utf-8, UTF-8",
    "text/plain; charset=\"UTF-8\", UTF-8",
    "text/plain;charset=iso-8859-1, ISO-8859-1",
    "text/plain; charset=windows-1252; x=y, windows-1252",
    "text/plain; charset=, UTF-8",
    "text/plain; charset=utf-16, UTF-16",
    "text/plain; charset=utf-16le, UTF-16LE",
    "application/x-ndjson, UTF-8"
  })
  void shouldReadTextInItsCharset(String type, String charset) throws Exception {
    assertEquals(Payload.of("\u00fc"), contents.of(type, body("\u00fc", charset), false));
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-8", "UTF-16BE", "UTF-16LE"})
  void shouldLetTheMarkDecideAndLeaveItOut(String charset) throws Exception {
    ByteBuf marked = body("\ufeff\u00fc", charset);
    assertEquals(Payload.of("\u00fc"), contents.of("text/plain", marked, false));
    assertEquals(
        Payload.of("\u00fc"), contents.of("text/plain; charset=iso-8859-1", marked, false));
    assertEquals(Payload.of("\u00fc"), contents.of("application/xml", marked, false));
    assertEquals(Payload.of(""), contents.of("text/plain", body("\ufeff", charset), false));
  }

  @Test
  void shouldReplaceBytesOfNoCharacter() throws Exception {
    ByteBuf broken = Unpooled.wrappedBuffer(new byte[] {'a', (byte) 0xff, 'b'});
    assertEquals(Payload.of("a\ufffdb"), contents.of("text/plain", broken, false));
    assertEquals(Payload.of("a\ufffdb"), contents.of("text/xml", broken, false));
  }

  @Test
  void shouldRefuseAnUnknownCharset() {
    for (String type : new String[] {"text/plain", "application/xml", "image/svg+xml"}) {
      assertEquals(
          "expected a known charset in Content-Type, found \"klingon\"",
          problem(type + "; charset=klingon", body("<a/>"), false));
      assertEquals(
          "expected a known charset in Content-Type, found \"a b?\"",
          problem(type + "; charset=\"a b\u0001\"", body("<a/>"), true));
    }
    assertEquals(
        "expected a known charset in Content-Type, found \"klingon\"",
        problem("application/x-www-form-urlencoded; charset=klingon", body("a=1"), false));
  }

  @Test
  void shouldReadXmlAsTextInTheCharsetThatItDeclares() throws Exception {
    String document = "<?xml version='1.0' encoding='iso-8859-1'?><a>\u00fc</a>";
    ByteBuf latin = body(document, "ISO-8859-1");
    assertEquals(Payload.of(document), contents.of("application/xml", latin, false));
    assertEquals(Payload.of(document), contents.of("text/xml", latin, false));
    assertEquals("{\"a\":\"\u00fc\"}", contents.of("text/xml", latin, true).toString());
    String unknown = "<?xml version='1.0' encoding='klingon'?><a/>";
    assertTrue(
        problem("application/xml", body(unknown), false).endsWith("found \"klingon\" at line 1"));
  }

  @Test
  void shouldReadBodiesOfSeveralBuffers() throws Exception {
    ByteBuf parts = Unpooled.wrappedBuffer(body("<a>\u00fc"), body("</a>"));
    assertEquals("{\"a\":\"\u00fc\"}", contents.of("application/xml", parts, true).toString());
    assertEquals(Payload.of("<a>\u00fc</a>"), contents.of("text/plain", parts, false));
    assertEquals(Payload.of("PGE+w7w8L2E+"), contents.of("image/png", parts, false));
  }

  @Test
  void shouldParseNothingButXml() throws Exception {
    assertEquals(Payload.of("<a/>"), contents.of("text/html", body("<a/>"), true));
    assertEquals(Payload.of(1), contents.of("application/json", body("1"), true));
    assertEquals(Payload.NULL, contents.of("application/xml", body(""), true));
  }

  @Test
  void shouldParseXmlUpToTheDepthOfJson() throws Exception {
    ResponseContent shallow = content(Map.of("json.maxDepth", 8));
    String deepest = "<a>".repeat(8) + "</a>".repeat(8);
    shallow.of("text/xml", body(deepest), true);
    assertEquals(
        "expected elements nested 8 deep (json.maxDepth) at line 1, column 28, found deeper",
        problem(shallow, "text/xml", body("<a>" + deepest + "</a>"), true));
    String attribute = "<a>".repeat(7) + "<a x='1'/>" + "</a>".repeat(7);
    assertTrue(
        problem(shallow, "text/xml", body(attribute), true)
            .startsWith("expected XML whose JSON form is nested at most 8 deep (json.maxDepth)"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"text/xml", "application/x-www-form-urlencoded"})
  void shouldBoundTheHeapOfValues(String type) {
    ResponseContent small = content(Map.of("json.maxHeapBytes", 16 << 10));
    String many =
        type.equals("text/xml") ? "<a>" + "<b x=''/>".repeat(1_000) + "</a>" : "a&".repeat(1_000);
    assertTrue(problem(small, type, body(many), true).contains("json.maxHeapBytes"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      value = {
        "a=1|{'a':'1'}",
        "a=1&b=2&a=3&a=|{'a':['1','3',''],'b':'2'}",
        "a|{'a':''}",
        "&&a=1&|{'a':'1'}",
        "=1|{'':'1'}",
        "a==1|{'a':'=1'}",
        "a+b=c%2Bd%20|{'a b':'c+d '}",
        "a=%C3%BC&%c3%bc=1|{'a':'\u00fc','\u00fc':'1'}",
        "a=%&b=%2&c=%zz&d=%%41|{'a':'%','b':'%2','c':'%zz','d':'%A'}",
        "a=%ff|{'a':'\ufffd'}",
        "a=\u00fc|{'a':'\u00fc'}"
      })
  void shouldMakeAnObjectOfAForm(String form, String json) throws Exception {
    assertEquals(
        json.replace('\'', '"'),
        contents.of("application/x-www-form-urlencoded", body(form), false).toString());
  }

  @Test
  void shouldReadAFormInItsCharset() throws Exception {
    assertEquals(
        "{\"a\":\"\u00fc\"}",
        contents
            .of("application/x-www-form-urlencoded; charset=iso-8859-1", body("a=%FC"), false)
            .toString());
  }
}
