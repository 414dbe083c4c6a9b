package dev.pinion.core.xml;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class XmlCharsetTest {
  private static final XmlReader READER =
      new XmlReader(XmlForm.PLAIN, new XmlReader.XmlBounds(10, "maxDepth", 1 << 20));

  private static String read(String document, String charset, @Nullable String declared)
      throws XmlException {
    byte[] bytes = document.getBytes(Charset.forName(charset));
    Charset outside = declared == null ? null : Charset.forName(declared);
    return READER.read(ByteBuffer.wrap(bytes), outside).json().path("a").asText();
  }

  @ParameterizedTest
  @CsvSource({
    "UTF-8, utf-8",
    "ISO-8859-1, ISO-8859-1",
    "windows-1252, windows-1252",
    "UTF-16BE, UTF-16",
    "UTF-16LE, UTF-16LE",
    "UTF-32BE, UTF-32",
    "UTF-32LE, UTF-32"
  })
  void shouldReadWhatTheDocumentDeclares(String charset, String name) throws Exception {
    String document = "<?xml version=\"1.0\" encoding='" + name + "'?><a>\u00fc</a>";
    assertEquals("\u00fc", read(document, charset, null));
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-8", "UTF-16BE", "UTF-16LE", "UTF-32BE", "UTF-32LE"})
  void shouldLetTheMarkDecide(String charset) throws Exception {
    String document = "\ufeff<?xml version='1.0' encoding='us-ascii'?><a>\u00fc</a>";
    assertEquals("\u00fc", read(document, charset, null));
    assertEquals("\u00fc", read(document, charset, "ISO-8859-1"));
  }

  @Test
  void shouldPreferTheCharsetOfTheTransmission() throws Exception {
    String document = "<?xml version='1.0' encoding='UTF-8'?><a>\u00fc</a>";
    assertEquals("\u00fc", read(document, "ISO-8859-1", "ISO-8859-1"));
    assertEquals("\u00c3\u00bc", read(document, "UTF-8", "ISO-8859-1"));
  }

  @Test
  void shouldReadUtf8WithoutADeclaration() throws Exception {
    assertEquals("\u00fc", read("<a>\u00fc</a>", "UTF-8", null));
    assertEquals("\u00fc", read("<?xml version='1.0'?><a>\u00fc</a>", "UTF-8", null));
  }

  @Test
  void shouldSayWhereBytesAreOfNoCharacter() {
    XmlException refused =
        assertThrows(XmlException.class, () -> read("<a>\n12\u00fc</a>", "ISO-8859-1", null));
    assertEquals(
        "expected XML in UTF-8 at line 2, column 3, found bytes of no character",
        refused.problem());
    byte[] cut = {'<', 'a', '>', (byte) 0xc3};
    assertTrue(
        assertThrows(XmlException.class, () -> READER.read(ByteBuffer.wrap(cut), null))
            .problem()
            .contains("line 1, column 4"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"klingon", "", "a b", "UTF-16", "IBM037"})
  void shouldRefuseADeclarationThatCannotBeTrue(String name) {
    String document = "<?xml version='1.0' encoding='" + name + "'?><a/>";
    XmlException refused = assertThrows(XmlException.class, () -> read(document, "US-ASCII", null));
    assertEquals(
        "expected the encoding of the document in its declaration, found \""
            + name
            + "\" at line 1",
        refused.problem());
  }

  @Test
  void shouldFindItsPlaceWithinABuffer() throws Exception {
    ByteBuffer buffer =
        ByteBuffer.wrap("xx\ufeff<a>\u00fc</a>".getBytes(StandardCharsets.UTF_8)).position(2);
    assertEquals("{\"a\":\"\u00fc\"}", READER.read(buffer, null).toString());
    assertEquals("<a>\u00fc</a>", XmlCharset.of(buffer, null).text(buffer));
    assertEquals(2, buffer.position());
  }
}
