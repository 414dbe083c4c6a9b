package dev.pinion.core.document;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pinion.core.document.SourceNode.Mapping;
import dev.pinion.core.document.SourceText.Position;
import dev.pinion.core.limits.EngineLimits;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DocumentReaderTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  private static SourceNode yaml(String text) throws DocumentSyntaxException {
    return new DocumentReader(EngineLimits.defaults()).read(text, DocumentReader.YAML);
  }

  private static SourceNode json(String text) throws DocumentSyntaxException {
    return new DocumentReader(EngineLimits.defaults()).read(text, DocumentReader.JSON);
  }

  private static String refusal(String text, String mediaType, Map<String, Integer> limits) {
    DocumentReader reader = new DocumentReader(EngineLimits.defaults().with(limits));
    DocumentSyntaxException refused =
        assertThrows(DocumentSyntaxException.class, () -> reader.read(text, mediaType));
    Position at = new SourceText(text).at(refused.offset());
    return at.line() + ":" + at.column() + " " + refused.problem();
  }

  private static String refusal(String text) {
    return refusal(text, DocumentReader.YAML, Map.of());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "null|null",
        "~|null",
        "Null|null",
        "NULL|null",
        "nULL|\"nULL\"",
        "true|true",
        "True|true",
        "FALSE|false",
        "yes|\"yes\"",
        "NO|\"NO\"",
        "on|\"on\"",
        "off|\"off\"",
        "y|\"y\"",
        "0|0",
        "-17|-17",
        "+12|12",
        "0o17|15",
        "0x1F|31",
        "017|17",
        "0b1|\"0b1\"",
        "1_000|\"1_000\"",
        "1:30|\"1:30\"",
        "12:30:45|\"12:30:45\"",
        "2001-12-14|\"2001-12-14\"",
        "1.5|1.5",
        "-.5|-0.5",
        "1.|1.0",
        "1e3|1000.0",
        "1E-2|0.01",
        "9223372036854775807|9223372036854775807",
        "9223372036854775808|9223372036854775808",
        "1.0.3|\"1.0.3\"",
        "'1'|\"1\"",
        "\"true\"|\"true\"",
        "!!str 1|\"1\"",
        "! 1|\"1\"",
        "!!int 0x10|16",
        "!!float 1|1",
        "!!null ''|null",
        "!!bool true|true",
        "-|[null]",
        "1e999|1.7976931348623157E308",
        "=|\"=\"",
        "-x|\"-x\"",
        ".|\".\"",
        "+|\"+\""
      })
  void shouldResolveScalarsByTheCoreSchema(String text, String expected)
      throws DocumentSyntaxException, IOException {
    assertEquals(expected, yaml(text).json().toString());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "a: 1\\na: 2|2:1 expected each key once, found \"a\" again at /a",
        "do: [{s: {x~/y: 1, x~/y: 2}}]|1:20 expected each key once, found \"x~/y\" again at"
            + " /do/0/s/x~0~1y", // field fault 28
        "{a: 1, a: 2}|1:8 expected each key once, found \"a\" again at /a",
        "1: x|1:1 expected a string as key, found the number 1; quote it",
        "true: x|1:1 expected a string as key, found the boolean true; quote it",
        "? [a]\\n: b|1:3 expected a string as key, found an array",
        "? {a: b}\\n: b|1:3 expected a string as key, found an object",
        "a: 1\\n---\\nb: 2|2:1 expected one document, found a second one",
        "a: !!java.net.URL x|1:4 expected no tag, or one of the YAML 1.2 core schema that fits,"
            + " found tag:yaml.org,2002:java.net.URL",
        "a: !ruby/object x|1:4 expected no tag, or one of the YAML 1.2 core schema that fits, found"
            + " !ruby/object",
        "a: !!python/object/apply:os.system [x]|1:4 expected no tag, or one of the YAML 1.2 core"
            + " schema that fits, found tag:yaml.org,2002:python/object/apply:os.system",
        "a: !!seq {}|1:4 expected no tag, or one of the YAML 1.2 core schema that fits, found"
            + " tag:yaml.org,2002:seq",
        "a: !!int x|1:4 expected a value that fits its tag tag:yaml.org,2002:int, found \"x\"",
        "<<: {}|1:1 expected a key of YAML 1.2, which has no merge keys, found <<",
        "a: *b|1:4 expected an alias of a value that ended before it, found *b",
        "a: &a [*a]|1:8 expected an alias of a value that ended before it, found *a",
        "a: .inf|1:4 expected a number that JSON can hold, found .inf; quote it for a string",
        "a: [|1:5 expected YAML, found: expected the node content, but found '<stream end>'",
        "a: b: c|1:5 expected YAML, found: mapping values are not allowed here",
        "\\ta: 1|1:1 expected YAML, found: found character '\\\\t(TAB)' that cannot start any"
            + " token. (Do not use \\\\t(TAB) for indentation)"
      })
  void shouldRefuseYamlThatIsNoDefinition(String text, String expected) {
    assertEquals(
        expected.replace("\\\\t", "\\t"),
        refusal(text.replace("\\n", "\n").replace("\\ta", "\ta")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "   ", "# only a comment", "---", "\n\n"})
  void shouldTellNothingFromNull(String text) throws DocumentSyntaxException {
    if (text.equals("---")) {
      assertEquals("null", yaml(text).json().toString());
    } else {
      assertEquals("1:1 expected a document, found nothing", refusal(text));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"a\":1,\"a\":2}|1:8 expected each key once, found \"a\" again at /a",
        "{\"a\":1} x|1:9 expected JSON, found: Unrecognized token 'x': was expecting (JSON String,"
            + " Number, Array, Object or token 'null', 'true' or 'false')",
        "{\"a\":1} 2|1:9 expected the end of the document, found another value",
        "{'a':1}|1:2 expected JSON, found: Unexpected character (''' (code 39)): was expecting"
            + " double-quote to start field name",
        "[1,]|1:4 expected JSON, found: Unexpected character (']' (code 93)): expected a valid"
            + " value (JSON String, Number, Array, Object or token 'null', 'true' or 'false')",
        "[NaN]|1:2 expected JSON, found: NaN, which is no number of JSON"
      })
  void shouldRefuseWhatIsNotStrictJson(String text, String expected) {
    String found = refusal(text, DocumentReader.JSON, Map.of());
    assertEquals(expected.substring(expected.indexOf(' ')), found.substring(found.indexOf(' ')));
    assertTrue(found.startsWith("1:"), found);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "[", "{\"a\"", "{\"a\":}", "\"x", "tru", "01", "1 2", "// x\n1"})
  void shouldRefuseTextThatIsNotJson(String text) {
    assertThrows(DocumentSyntaxException.class, () -> json(text));
  }

  @Test
  void shouldTakeScalarsAsKeysOfForeignDocuments() throws DocumentSyntaxException {
    DocumentReader reader = new DocumentReader(EngineLimits.defaults());
    String text = "&k 200: a\n0x1F: b\ntrue: c\n~: d\n1.50: e\nx: {*k : f}\n";

    assertEquals(
        "{\"200\":\"a\",\"0x1F\":\"b\",\"true\":\"c\",\"~\":\"d\",\"1.50\":\"e\","
            + "\"x\":{\"200\":\"f\"}}",
        reader.readForeign(text, DocumentReader.YAML).json().toString());
    assertThrows(
        DocumentSyntaxException.class,
        () -> reader.readForeign("200: a\n'200': b\n", DocumentReader.YAML));
    assertThrows(
        DocumentSyntaxException.class,
        () -> reader.readForeign("? [a]\n: b\n", DocumentReader.YAML));
    assertThrows(
        DocumentSyntaxException.class, () -> reader.readForeign("<<: {}\n", DocumentReader.YAML));
    assertEquals(
        "{\"a\":1}", reader.readForeign("{\"a\":1}", DocumentReader.JSON).json().toString());
  }

  @Test
  void shouldTellWhereKeysAndValuesStand() throws DocumentSyntaxException {
    String text = "a: 1\nb:\n  - x\n  - 'ü': [\"é\", z]\n";
    Mapping root = (Mapping) yaml(text);
    SourceText source = new SourceText(text);
    DocumentValue list = DocumentValue.root(root).members().get(1);
    DocumentValue inner = list.items().get(1).members().getFirst();
    DocumentValue last = inner.items().get(1);

    assertEquals(new Position(2, 1), source.at(list.keyOffset()));
    assertEquals(new Position(3, 3), source.at(list.offset()));
    assertEquals("/b/1/ü", inner.pointer());
    assertEquals(new Position(4, 5), source.at(inner.keyOffset()));
    assertEquals(new Position(4, 10), source.at(inner.offset()));
    assertEquals("/b/1/ü/1", last.pointer());
    assertEquals(new Position(4, 16), source.at(last.offset()));
  }

  @Test
  void shouldTellWhereJsonStands() throws DocumentSyntaxException {
    String text = "{\n  \"a\" : [ 1,\r\n   \"b\" ]\n}";
    SourceText source = new SourceText(text);
    DocumentValue list = DocumentValue.root(json(text)).members().getFirst();

    assertEquals(new Position(2, 3), source.at(list.keyOffset()));
    assertEquals(new Position(2, 9), source.at(list.offset()));
    assertEquals(new Position(3, 4), source.at(list.items().get(1).offset()));
  }

  @Test
  void shouldCountCodePointsBeyondTheBasicPlane() throws DocumentSyntaxException {
    String text = "a: \uD83D\uDE00\nbb: c\n";
    SourceText source = new SourceText(text);
    DocumentValue second = DocumentValue.root(yaml(text)).members().get(1);

    assertEquals(new Position(2, 1), source.at(second.keyOffset()));
    assertEquals(new Position(2, 5), source.at(second.offset()));
  }

  @Test
  void shouldShareWhatAnAliasRepeats() throws DocumentSyntaxException {
    JsonNode read = yaml("a: &x {k: [1]}\nb: *x\nc: *x\n").json();

    assertEquals("{\"a\":{\"k\":[1]},\"b\":{\"k\":[1]},\"c\":{\"k\":[1]}}", read.toString());
    assertSame(read.get("a"), read.get("b"));
  }

  @Test
  void shouldHoldDepthToItsLimit() throws DocumentSyntaxException {
    Map<String, Integer> limit = Map.of("json.maxDepth", 8);
    DocumentReader reader = new DocumentReader(EngineLimits.defaults().with(limit));
    for (String type : new String[] {DocumentReader.YAML, DocumentReader.JSON}) {
      assertEquals(8, reader.read("[".repeat(8) + "]".repeat(8), type).depth());
      assertEquals(
          "1:9 expected nesting of at most 8 levels (json.maxDepth), found more",
          refusal("[".repeat(9) + "]".repeat(9), type, limit));
    }
    assertEquals(
        "2:8 expected nesting of at most 8 levels (json.maxDepth), found more",
        refusal("a: &a [[[[]]]]\nb: [[[[*a]]]]\n", DocumentReader.YAML, limit));
  }

  @Test
  void shouldHoldAliasesToTheirLimit() throws DocumentSyntaxException {
    Map<String, Integer> limit = Map.of("json.maxYamlAliases", 2);
    DocumentReader reader = new DocumentReader(EngineLimits.defaults().with(limit));
    reader.read("[&a 1, *a, *a]", DocumentReader.YAML);
    assertEquals(
        "1:16 expected at most 2 aliases (json.maxYamlAliases), found more",
        refusal("[&a 1, *a, *a, *a]", DocumentReader.YAML, limit));
  }

  @Test
  void shouldHoldBytesToTheirLimit() throws DocumentSyntaxException {
    Map<String, Integer> limit = Map.of("definition.maxBytes", 1024);
    DocumentReader reader = new DocumentReader(EngineLimits.defaults().with(limit));
    reader.read("x".repeat(1022), DocumentReader.YAML);
    assertEquals(
        "1:1 expected a document of at most 1024 bytes (definition.maxBytes), found more",
        refusal("x".repeat(1025), DocumentReader.YAML, limit));
    assertEquals(
        "1:1 expected a document of at most 1024 bytes (definition.maxBytes), found more",
        refusal("é".repeat(513), DocumentReader.YAML, limit));
  }

  @Test
  void shouldHoldNumbersToTheirLimit() throws DocumentSyntaxException {
    Map<String, Integer> limit = Map.of("json.maxNumberDigits", 20);
    DocumentReader reader = new DocumentReader(EngineLimits.defaults().with(limit));
    for (String type : new String[] {DocumentReader.YAML, DocumentReader.JSON}) {
      reader.read("1".repeat(20), type);
      assertTrue(refusal("1".repeat(21), type, limit).contains("umber"));
      assertTrue(refusal("1." + "1".repeat(30), type, limit).contains("umber"));
    }
  }

  @Test
  void shouldStopBombsEarly() {
    StringBuilder laughs = new StringBuilder("a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol]\n");
    for (int i = 1; i < 15; i++) {
      String alias = "*a" + (i - 1);
      laughs.append(
          String.format(
              Locale.ROOT, "a%d: &a%d [%s, %s, %s, %s]\n", i, i, alias, alias, alias, alias));
    }
    String text = laughs.toString();
    Map<String, Integer> aliases = Map.of("json.maxYamlAliases", 10_000);

    assertTrue(refusal(text, DocumentReader.YAML, aliases).contains("definition.maxBytes"));
    assertTimeoutPreemptively(
        Duration.ofMinutes(2),
        () -> {
          refusal("[".repeat(100_000));
          refusal("{a: ".repeat(100_000));
          refusal("- ".repeat(100_000));
          refusal("[".repeat(100_000), DocumentReader.JSON, Map.of());
          refusal("&a ".repeat(100_000));
        });
  }

  @Test
  void shouldEndDamagedTextWithAProblemAndNothingElse() {
    long seed = 20_261_120L;
    Random random = new Random(seed);
    String sound =
        """
        document: {dsl: '1.0.3', "name": "a\\u0041"}
        do:
         - a: &x
            set: |
             b
            if: >-
             c
         - *x
        # end
        """;
    String marks = "[]{},:-?&*!|>'\"%@`#\n\t \u0000\uFEFFé~<";
    for (int i = 0; i < 4_000; i++) {
      StringBuilder text = new StringBuilder(sound);
      for (int j = 0; j <= random.nextInt(6); j++) {
        text.setCharAt(random.nextInt(text.length()), marks.charAt(random.nextInt(marks.length())));
      }
      readEither(text.toString(), seed);
    }
  }

  private static void readEither(String text, long seed) {
    try {
      assertTrue(JSON.readTree(yaml(text).json().toString()) != null);
    } catch (DocumentSyntaxException e) {
      assertTrue(e.offset() >= 0 && e.offset() <= text.length(), text);
    } catch (RuntimeException | IOException e) {
      throw new AssertionError("seed " + seed + ", text:\n" + text, e);
    }
  }
}
