package dev.pinion.core.xml;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class XmlWriterTest {
  private static final String DECLARATION = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>";

  private static JsonNode json(String text) throws Exception {
    return new JsonMapper().readTree(text.replace('\'', '"'));
  }

  private static String write(JsonNode value, Charset charset) throws XmlException {
    return XmlWriter.write(value, charset, 1 << 20);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'a':null} | <a/>",
        "{'a':''} | <a></a>",
        "{'a':{}} | <a/>",
        "{'a':'t'} | <a>t</a>",
        "{'a':1.50} | <a>1.5</a>",
        "{'a':true} | <a>true</a>",
        "{'a':{'@x':'1','#text':'t'}} | <a x=\"1\">t</a>",
        "{'a':{'#text':'t','@x':1}} | <a x=\"1\">t</a>",
        "{'a':{'@x':null,'@y':''}} | <a y=\"\"/>",
        "{'a':{'b':[null,'2',{'@y':'<'}],'c':null}} | <a><b/><b>2</b><b y=\"&lt;\"/><c/></a>",
        "{'a':{'b':[]}} | <a></a>",
        "{'a':{'b':{'c':{'d':'1'}},'e':2}} | <a><b><c><d>1</d></c></b><e>2</e></a>",
        "{'a':{'#text':'x','b':'y'}} | <a>x<b>y</b></a>",
        "{'a':'<&>]]>'} | <a>&lt;&amp;&gt;]]&gt;</a>",
        "{'a':{'@x':'a\\t\\n\\r\\u0022'}} | <a x=\"a&#9;&#10;&#13;&#34;\"/>",
        "{'p:a':{'@xmlns:p':'urn:p','p:b':null,'@p:x':'1'}} | "
            + "<p:a xmlns:p=\"urn:p\" p:x=\"1\"><p:b/></p:a>",
        "{'a':{'@xmlns':'urn:d','@xml:lang':'de'}} | <a xmlns=\"urn:d\" xml:lang=\"de\"/>",
        "{'\u00e9\u0915\u093f1':'\ud83d\ude00'} | <\u00e9\u0915\u093f1>\ud83d\ude00</\u00e9\u0915\u093f1>"
      })
  void shouldWriteTheDocumentedForm(String json, String document) throws Exception {
    assertEquals(DECLARATION + document, write(json(json), StandardCharsets.UTF_8));
  }

  @Test
  void shouldKeepEndsOfLines() throws Exception {
    assertEquals(
        DECLARATION + "<a>1&#13;\n2</a>", write(json("{'a':'1\\r\\n2'}"), StandardCharsets.UTF_8));
  }

  @Test
  void shouldReferToCharactersThatTheCharsetLacks() throws Exception {
    assertEquals(
        "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><a x=\"&#8364;\">\u00fc&#128512;</a>",
        write(
            json("{'a':{'@x':'\u20ac','#text':'\u00fc\ud83d\ude00'}}"),
            StandardCharsets.ISO_8859_1));
    assertEquals(
        "expected names of characters that US-ASCII has, found \"\u00fc\"; send the XML as utf-8",
        assertThrows(
                XmlException.class, () -> write(json("{'\u00fc':1}"), StandardCharsets.US_ASCII))
            .problem());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      value = {
        "{} | found 0 members",
        "{'a':1,'b':2} | found 2 members",
        "[] | found an array",
        "'t' | found a string",
        "{'a':[1]} | expected one root of the XML, found an array",
        "{'a':{'b':[[1]]}} | expected no array in the array \"b\", found one",
        "{'a b':1} | expected a name of XML",
        "{'a><b':1} | found \"a><b\"",
        "{'1a':1} | found \"1a\"",
        "{'':1} | found \"\"",
        "{'@a':1} | found \"@a\"",
        "{'#text':1} | found \"#text\"",
        "{'a':{'@':1}} | found \"\"",
        "{'a':{'@x y':1}} | found \"x y\"",
        "{'a':{'@x':{}}} | expected a string, number or boolean as \"@x\", found an object",
        "{'a':{'#text':[1]}} | as \"#text\", found an array",
        "{'a':'\\u0000'} | expected characters that XML 1.0 has in \"a\", found U+0000",
        "{'a':{'@x':'\\ud800'}} | in \"x\", found U+D800",
        "{'a':'\\uffff'} | found U+FFFF",
        "{'p:a':1} | expected \"@xmlns:p\" beside or around \"p:a\", found none",
        "{'a':{'@p:x':1}} | expected \"@xmlns:p\"",
        "{'a':{'b':{'@xmlns:p':'u'},'p:c':1}} | expected \"@xmlns:p\"",
        "{'a:b:c':1} | expected a name of XML",
        "{'a':{'@xmlns:p':''}} | expected a name space as \"@xmlns:p\""
      })
  void shouldRefuseWhatHasNoFormInXml(String json, String problem) throws Exception {
    JsonNode value = json(json);
    String found =
        assertThrows(XmlException.class, () -> write(value, StandardCharsets.UTF_8)).problem();
    assertTrue(found.startsWith("expected "), found);
    assertTrue(found.contains(problem), found);
  }

  @Test
  void shouldWriteUpToABound() throws Exception {
    String name = "n".repeat(1_000);
    JsonNode repeated = json("{'a':{'" + name + "':[" + "null,".repeat(999) + "null]}}");
    int length = XmlWriter.write(repeated, StandardCharsets.UTF_8, 2 << 20).length();
    XmlWriter.write(repeated, StandardCharsets.UTF_8, length);
    assertEquals(
        "expected XML of at most " + (length - 1) + " characters, found more",
        assertThrows(
                XmlException.class,
                () -> XmlWriter.write(repeated, StandardCharsets.UTF_8, length - 1))
            .problem());
  }

  @Test
  void shouldWriteAnyDepthWithoutStack() throws Exception {
    ObjectNode inner = JsonNodeFactory.instance.objectNode();
    for (int i = 0; i < 50_000; i++) {
      ObjectNode outer = JsonNodeFactory.instance.objectNode();
      outer.set("a", inner);
      inner = outer;
    }
    String document = write(inner, StandardCharsets.UTF_8);
    assertTrue(document.endsWith("<a/>" + "</a>".repeat(49_999)));
  }
}
