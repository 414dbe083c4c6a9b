package dev.pinion.core.xml;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.IntNode;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class XmlReaderTest {
  private static final int DEPTH = 100;

  private final XmlReader reader =
      new XmlReader(XmlForm.PLAIN, new XmlReader.XmlBounds(DEPTH, "maxDepth", 64 << 20));

  private String read(String document) throws XmlException {
    return read(document.getBytes(StandardCharsets.UTF_8), null);
  }

  private String read(byte[] document, @Nullable Charset declared) throws XmlException {
    return reader.read(ByteBuffer.wrap(document), declared).toString();
  }

  private String problem(String document) {
    return assertThrows(XmlException.class, () -> read(document)).problem();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "<a/> | {'a':null}",
        "<a></a> | {'a':null}",
        "<a>1</a> | {'a':'1'}",
        "<a> 1 </a> | {'a':' 1 '}",
        "<a> </a> | {'a':' '}",
        "<a x='1'>t</a> | {'a':{'@x':'1','#text':'t'}}",
        "<a x='1'> </a> | {'a':{'@x':'1','#text':' '}}",
        "<a x='1'/> | {'a':{'@x':'1'}}",
        "<a x=''/> | {'a':{'@x':''}}",
        "<a><b/><b>2</b><c/></a> | {'a':{'b':[null,'2'],'c':null}}",
        "<a><b/><c/><b x='1'/></a> | {'a':{'b':[null,{'@x':'1'}],'c':null}}",
        "<a> <b>1</b> </a> | {'a':{'b':'1'}}",
        "<a>one<b>2</b> three</a> | {'a':{'b':'2','#text':'one three'}}",
        "<a x='1'>one<b/></a> | {'a':{'@x':'1','b':null,'#text':'one'}}",
        "<p:a xmlns:p='urn:p' p:x='1'><p:b/></p:a> | {'p:a':{'@xmlns:p':'urn:p','@p:x':'1','p:b':null}}",
        "<a xmlns='urn:d'/> | {'a':{'@xmlns':'urn:d'}}",
        "<a xml:lang='de'/> | {'a':{'@xml:lang':'de'}}",
        "<a>&lt;&amp;&#65;&#x42;<![CDATA[<b>]]></a> | {'a':'<&AB<b>'}",
        "<a x='&lt;&quot;&amp;&#9;'/> | {'a':{'@x':'<\\\"&\\t'}}",
        "<?xml version='1.0'?><!-- c --><a>1<!-- d -->2<?pi x?></a> | {'a':'12'}",
        "<\u00e9l\u4e2d>\ud83d\ude00</\u00e9l\u4e2d> | {'\u00e9l\u4e2d':'\ud83d\ude00'}"
      })
  void shouldMakeTheDocumentedForm(String document, String json) throws Exception {
    assertEquals(json.replace('\'', '"'), read(document));
  }

  @Test
  void shouldReadEndsOfLinesAsXmlDoes() throws Exception {
    assertEquals("{\"a\":\"1\\n2\\n3\"}", read("<a>1\r\n2\r3</a>"));
    assertEquals("{\"a\":{\"@x\":\"1 2\"}}", read("<a x='1\n2'/>"));
    assertEquals("{\"a\":\"1\\r2\"}", read("<a>1&#13;2</a>"));
  }

  @Test
  void shouldConvertScalarsAndNameArraysWhereAsked() throws Exception {
    XmlForm form = new XmlForm(text -> IntNode.valueOf(text.length()), Set.of("b"), false);
    XmlReader other = new XmlReader(form, new XmlReader.XmlBounds(DEPTH, "maxDepth", 1 << 20));
    byte[] document = "<a x='12'><b>123</b><c/></a>".getBytes(StandardCharsets.UTF_8);
    assertEquals(
        "{\"a\":{\"@x\":2,\"b\":[3],\"c\":null}}",
        other.read(ByteBuffer.wrap(document), null).toString());
    byte[] mixed = "<a>t<b/></a>".getBytes(StandardCharsets.UTF_8);
    assertEquals(
        "expected either text or elements in <a> at line 1, column 13, found both",
        assertThrows(XmlException.class, () -> other.read(ByteBuffer.wrap(mixed), null)).problem());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      value = {
        "|1, column 1",
        "x|1, column 1",
        "<a>|1, column 4",
        "<a></b>|1, column",
        "<a/><b/>|1, column 6",
        "<a/>x|1, column 5",
        "<a x='1' x='2'/>|1, column",
        "<a b=1/>|1, column 6",
        "<a b='<'/>|1, column",
        "<-a/>|1, column 2",
        "<a>]]></a>|1, column",
        "<a>&#0;</a>|1, column",
        "<a>&#xD800;</a>|1, column",
        "<a b='&x;'/>|1, column"
      })
  void shouldSayWhereADocumentIsMalformed(@Nullable String document, String place) {
    String problem = problem(document == null ? "" : document);
    assertTrue(problem.startsWith("expected well-formed XML at line " + place), () -> problem);
    assertTrue(problem.contains(", found: "), problem);
  }

  @Test
  void shouldCountLines() {
    assertTrue(problem("<a>\n\n  <b>\n</a>").startsWith("expected well-formed XML at line 4, "));
  }

  @Test
  void shouldRequirePrefixesThatAreDeclared() throws Exception {
    String expected = "expected a declaration of the prefix \"p\" at line 1, column ";
    assertTrue(problem("<p:a/>").startsWith(expected));
    assertTrue(problem("<a p:x='1'/>").startsWith(expected));
    assertTrue(problem("<a><b xmlns:p='u'/><p:c/></a>").startsWith(expected));
    assertEquals(
        "{\"a\":{\"b\":{\"@xmlns:p\":\"u\",\"p:c\":{\"@xmlns:p\":\"v\"},\"p:d\":null}}}",
        read("<a><b xmlns:p='u'><p:c xmlns:p='v'/><p:d/></b></a>"));
  }

  @Test
  void shouldRefuseNamesWithOtherColons() {
    for (String document :
        new String[] {"<a xmlns:b='u'><b:c:d/></a>", "<:a/>", "<a:/>", "<a :x='1'/>"}) {
      assertTrue(problem(document).startsWith("expected "), document);
    }
  }

  @Test
  void shouldRefuseDocumentTypesAndEntities() {
    assertTrue(problem("<!DOCTYPE a><a/>").startsWith("expected XML without a document type"));
    assertTrue(
        problem("<a>&x;</a>").startsWith("expected no entities beyond those of XML at line 1"));
  }

  @Test
  void shouldReadElementsUpToTheDepth() throws Exception {
    read("<a>".repeat(DEPTH) + "</a>".repeat(DEPTH));
    String problem = problem("<a>".repeat(DEPTH + 1) + "</a>".repeat(DEPTH + 1));
    assertEquals(
        "expected elements nested 100 deep (maxDepth) at line 1, column 304, found deeper",
        problem);
  }

  @Test
  void shouldReadAttributesUpToTheirNumber() throws Exception {
    read(attributes(XmlReader.MAX_ATTRIBUTES));
    assertTrue(
        problem(attributes(XmlReader.MAX_ATTRIBUTES + 1))
            .startsWith("expected at most 200 attributes of an element at line 1, column "));
  }

  static String attributes(int count) {
    StringBuilder document = new StringBuilder("<a");
    for (int i = 0; i < count; i++) {
      document.append(" x").append(i).append("='1'");
    }
    return document.append("/>").toString();
  }

  @Test
  void shouldReadNamesUpToTheirLength() throws Exception {
    int most = XmlSyntax.MAX_NAME_CHARS;
    read("<" + "n".repeat(most) + "/>");
    assertTrue(
        problem("<" + "n".repeat(most + 1) + "/>")
            .startsWith("expected names of at most 1000 characters at line 1, column "));
  }

  @Test
  void shouldReadElementsAndAttributesUpToTheirNumber() throws Exception {
    int inside = XmlReader.MAX_NODES - 1;
    read("<a>" + "<b/>".repeat(inside) + "</a>");
    assertTrue(
        problem("<a x='1'>" + "<b/>".repeat(inside) + "</a>")
            .startsWith("expected at most 1000000 elements and attributes at line 1, column "));
  }

  @Test
  void shouldReadValuesUpToTheirHeapBytes() throws Exception {
    String document = "<a>" + "<b x=''/>".repeat(1_000) + "</a>";
    int bytes =
        reader.read(ByteBuffer.wrap(document.getBytes(StandardCharsets.UTF_8)), null).heapBytes();
    byte[] encoded = document.getBytes(StandardCharsets.UTF_8);
    new XmlReader(XmlForm.PLAIN, new XmlReader.XmlBounds(DEPTH, "maxDepth", bytes + bytes / 10))
        .read(ByteBuffer.wrap(encoded), null);
    XmlReader small =
        new XmlReader(
            XmlForm.PLAIN, new XmlReader.XmlBounds(DEPTH, "maxDepth", bytes - bytes / 10));
    String problem =
        assertThrows(XmlException.class, () -> small.read(ByteBuffer.wrap(encoded), null))
            .problem();
    assertTrue(problem.contains("bytes of the heap (json.maxHeapBytes) at line 1, "), problem);
  }
}
