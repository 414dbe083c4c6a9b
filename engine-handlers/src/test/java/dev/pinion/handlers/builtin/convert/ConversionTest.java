package dev.pinion.handlers.builtin.convert;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.handlers.api.Body;
import dev.pinion.handlers.api.Handler;
import dev.pinion.handlers.api.HandlerFactory;
import dev.pinion.handlers.api.Message;
import dev.pinion.handlers.builtin.HandlerTrial;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** XML to JSON and back, CSV to JSON. */
class ConversionTest {
  @TempDir Path folder;

  private static Message xml(String text) {
    return HandlerTrial.message(Map.of(), Body.of(utf8(text), "application/xml; charset=utf-8"));
  }

  private static Message csv(String text) {
    return HandlerTrial.message(Map.of(), Body.of(utf8(text), "text/csv"));
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String through(HandlerFactory factory, String settings, Message message)
      throws Exception {
    try (Handler handler = HandlerTrial.handler(factory, settings)) {
      return HandlerTrial.text(HandlerTrial.after(handler, message).body());
    }
  }

  private static String stopped(HandlerFactory factory, String settings, Message message)
      throws Exception {
    try (Handler handler = HandlerTrial.handler(factory, settings)) {
      return HandlerTrial.stopped(handler, message);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "<a/> | {'a':null}",
        "<a>1</a> | {'a':'1'}",
        "<a> 1 </a> | {'a':' 1 '}",
        "<a x='1'>t</a> | {'a':{'@x':'1','#text':'t'}}",
        "<a x='1'/> | {'a':{'@x':'1'}}",
        "<a><b/><b>2</b><c/></a> | {'a':{'b':[null,'2'],'c':null}}",
        "<a><b/><b/><b/></a> | {'a':{'b':[null,null,null]}}",
        "<a> <b>1</b> </a> | {'a':{'b':'1'}}",
        "<p:a xmlns:p='urn:p' p:x='1'><p:b/></p:a> | {'p:a':{'@xmlns:p':'urn:p','@p:x':'1','p:b':null}}",
        "<a xmlns='urn:d'/> | {'a':{'@xmlns':'urn:d'}}",
        "<a>&lt;&amp;&#65;<![CDATA[<b>]]></a> | {'a':'<&A<b>'}",
        "<?xml version='1.0'?><!-- c --><a><!-- d --><?pi x?></a> | {'a':null}"
      })
  void shouldMakeJsonOfXml(String document, String json) throws Exception {
    String made = through(new XmlToJsonFactory(), "{}", xml(document.replace('\'', '"')));
    assertEquals(json.replace('\'', '"'), made);
  }

  @Test
  void shouldInferTypesAndArraysIfAsked() throws Exception {
    String settings = "{\"types\": \"infer\", \"arrays\": [\"b\"]}";
    assertEquals(
        "{\"a\":{\"@n\":7,\"b\":[1.5],\"c\":true,\"d\":\"007\",\"e\":\"1234567890123456789\"}}",
        through(
            new XmlToJsonFactory(),
            settings,
            xml("<a n=\"7\"><b>1.5</b><c>true</c><d>007</d><e>1234567890123456789</e></a>")));
  }

  @Test
  void shouldReadNoEntitiesAndNoFiles() throws Exception {
    Path secret = Files.writeString(folder.resolve("secret"), "topsecret");
    for (String document :
        new String[] {
          "<!DOCTYPE a [<!ENTITY e SYSTEM \"" + secret.toUri() + "\">]><a>&e;</a>",
          "<!DOCTYPE a SYSTEM \"" + secret.toUri() + "\"><a/>",
          "<!DOCTYPE a [<!ENTITY % e SYSTEM \"" + secret.toUri() + "\"> %e;]><a/>",
          "<!DOCTYPE a [<!ENTITY l0 \"ha\"><!ENTITY l1 \""
              + "&l0;".repeat(1_000)
              + "\">"
              + "<!ENTITY l2 \""
              + "&l1;".repeat(1_000)
              + "\">]><a>"
              + "&l2;".repeat(99)
              + "</a>",
          "<a>&undeclared;</a>",
          "<a xmlns:xi=\"http://www.w3.org/2001/XInclude\">&#0;</a>"
        }) {
      String stopped = stopped(new XmlToJsonFactory(), "{}", xml(document));
      assertTrue(stopped.startsWith("400 "), stopped);
      assertTrue(!stopped.contains("topsecret"), stopped);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "a",
        "<a>",
        "<a></b>",
        "<a/><b/>",
        "<a/>x",
        "<a x='1' x='2'/>",
        "<p:a/>",
        "<a>t<b/></a>",
        "<a>\u0001</a>"
      })
  void shouldRefuseWhatIsNoXmlOrNoJson(String document) throws Exception {
    assertTrue(stopped(new XmlToJsonFactory(), "{}", xml(document)).startsWith("400 "));
  }

  @Test
  void shouldStopAtTheDepth() throws Exception {
    String settings = "{\"maxDepth\": 3}";
    through(new XmlToJsonFactory(), settings, xml("<a><b><c/></b></a>"));
    String stopped = stopped(new XmlToJsonFactory(), settings, xml("<a><b><c><d/></c></b></a>"));
    assertTrue(stopped.contains("nested 3 deep"), stopped);
    int most = 99;
    String deep = "<a>".repeat(most) + "</a>".repeat(most);
    through(new XmlToJsonFactory(), "{\"maxDepth\": 99}", xml(deep));
    String deeper = "<a>".repeat(100) + "</a>".repeat(100);
    assertTrue(stopped(new XmlToJsonFactory(), "{\"maxDepth\": 99}", xml(deeper)).contains("deep"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'a':null}",
        "{'a':'1 < 2 & \\'3\\''}",
        "{'a':{'@x':'1','#text':'t'}}",
        "{'a':{'b':[null,'2',{'@y':'<'}],'c':null}}",
        "{'p:a':{'@xmlns:p':'urn:p','@p:x':'1','p:b':null}}",
        "{'a':{'@xmlns':'urn:d','b':'ä€😀'}}"
      })
  void shouldGoThereAndBack(String json) throws Exception {
    String body = json.replace("\\'", "\u0007").replace('\'', '"').replace("\u0007", "'");
    Message made;
    try (Handler there = HandlerTrial.handler(new JsonToXmlFactory(), "{}")) {
      made = HandlerTrial.after(there, HandlerTrial.message(Map.of(), HandlerTrial.json(body)));
    }
    assertEquals("application/xml", made.body().mediaType());
    byte[] back = utf8(through(new XmlToJsonFactory(), "{}", made));
    assertEquals(
        HandlerTrial.CODEC.read(utf8(body), 0, utf8(body).length),
        HandlerTrial.CODEC.read(back, 0, back.length));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[]",
        "{}",
        "{\"a\":1,\"b\":2}",
        "{\"a\":[1]}",
        "{\"a\":{\"b\":[[1]]}}",
        "{\"a b\":1}",
        "{\"a><b\":1}",
        "{\"a\":{\"@x\":{}}}",
        "{\"a\":{\"@x y\":\"1\"}}",
        "{\"a\":\"\\u0001\"}",
        "{\"a\":\"\\ud800\"}"
      })
  void shouldRefuseWhatIsNoXml(String json) throws Exception {
    String stopped =
        stopped(
            new JsonToXmlFactory(), "{}", HandlerTrial.message(Map.of(), HandlerTrial.json(json)));
    assertTrue(stopped.startsWith("400 expected "), stopped);
  }

  @Test
  void shouldMakeJsonOfCsv() throws Exception {
    assertEquals(
        "[{\"n\":\"1\",\"t\":\"a,b\"},{\"n\":\" 2 \",\"t\":\"say \\\"hi\\\"\\r\\nthere\"}]",
        through(
            new CsvToJsonFactory(),
            "{}",
            csv("\ufeffn,t\r\n1,\"a,b\"\r\n 2 ,\"say \"\"hi\"\"\r\nthere\"\r\n")));
    assertEquals("[]", through(new CsvToJsonFactory(), "{}", csv("n,t\n")));
    assertEquals("[]", through(new CsvToJsonFactory(), "{}", csv("")));
    assertEquals(
        "[{\"a\":1,\"b\":\"x\"},{\"a\":\"\",\"b\":false}]",
        through(
            new CsvToJsonFactory(),
            "{\"separator\": \";\", \"columns\": [\"a\", \"b\"], \"types\": \"infer\"}",
            csv("1;x\n;false")));
  }

  @Test
  void shouldRefuseWhatIsNoCsv() throws Exception {
    for (String document :
        new String[] {
          "a,b\n1\n", "a,b\n1,2,3\n", "a,a\n1,2\n", "a,b\n1,\"open\n", "a,b\n\"x\"y,2\n"
        }) {
      String stopped = stopped(new CsvToJsonFactory(), "{}", csv(document));
      assertTrue(stopped.startsWith("400 "), document + " " + stopped);
    }
    Message latin =
        HandlerTrial.message(
            Map.of(), Body.of(new byte[] {'a', '\n', (byte) 0xe4, '\n'}, "text/csv"));
    assertTrue(stopped(new CsvToJsonFactory(), "{}", latin).contains("UTF-8"));
  }

  @Test
  void shouldStopAtTheBoundsOfCsv() throws Exception {
    String settings = "{\"maxRows\": 2}";
    through(new CsvToJsonFactory(), settings, csv("a\n1\n2\n"));
    assertTrue(stopped(new CsvToJsonFactory(), settings, csv("a\n1\n2\n3\n")).contains("2 rows"));
    StringBuilder names = new StringBuilder("c0");
    for (int i = 1; i < CsvReader.MAX_COLUMNS; i++) {
      names.append(",c").append(i);
    }
    through(new CsvToJsonFactory(), "{}", csv(names.toString()));
    assertTrue(stopped(new CsvToJsonFactory(), "{}", csv(names + ",d")).contains("1000 columns"));
  }

  @Test
  void shouldLeaveBodiesOfOtherTypes() throws Exception {
    Message json = HandlerTrial.message(Map.of(), HandlerTrial.json("[1]"));
    assertEquals("[1]", through(new XmlToJsonFactory(), "{}", json));
    assertEquals("[1]", through(new CsvToJsonFactory(), "{}", json));
    assertEquals("<a/>", through(new JsonToXmlFactory(), "{}", xml("<a/>")));
  }

  @Test
  void shouldSayWhatIsWrongWithSettings() throws Exception {
    String csv =
        HandlerTrial.problems(
            new CsvToJsonFactory(), "{\"separator\": \"ab\", \"columns\": [\"a\", \"a\"]}");
    assertTrue(csv.contains("expected one character") && csv.contains("different names"), csv);
    assertTrue(
        HandlerTrial.problems(new XmlToJsonFactory(), "{\"types\": \"x\"}")
            .contains("text, infer"));
  }
}
