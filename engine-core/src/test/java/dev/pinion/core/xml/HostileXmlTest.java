package dev.pinion.core.xml;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Documents that attack their reader. */
@Timeout(60)
class HostileXmlTest {
  private static final int MUTANTS = 20_000;

  @TempDir private Path folder;

  private final XmlReader reader =
      new XmlReader(XmlForm.PLAIN, new XmlReader.XmlBounds(512, "maxDepth", 128 << 20));

  private String read(String document) throws XmlException {
    return reader.read(ByteBuffer.wrap(document.getBytes(StandardCharsets.UTF_8)), null).toString();
  }

  private String problem(String document) {
    return assertThrows(XmlException.class, () -> read(document)).problem();
  }

  @Test
  void shouldFetchNoExternalEntity() throws Exception {
    Path secret = Files.writeString(folder.resolve("secret"), "topsecret");
    try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String remote = "http://127.0.0.1:" + listener.getLocalPort() + "/x.dtd";
      List<String> documents = new ArrayList<>();
      for (String uri : List.of(secret.toUri().toString(), remote)) {
        documents.add("<!DOCTYPE a [<!ENTITY e SYSTEM '" + uri + "'>]><a>&e;</a>");
        documents.add("<!DOCTYPE a [<!ENTITY e SYSTEM '" + uri + "'>]><a x='&e;'/>");
        documents.add("<!DOCTYPE a [<!ENTITY % e SYSTEM '" + uri + "'> %e;]><a/>");
        documents.add("<!DOCTYPE a SYSTEM '" + uri + "'><a/>");
        documents.add("<!DOCTYPE a PUBLIC '-//x//y' '" + uri + "'><a/>");
      }
      for (String document : documents) {
        String problem = problem(document);
        assertFalse(problem.contains("topsecret"), problem);
        assertTrue(problem.startsWith("expected XML without a document type at line 1"), problem);
      }
      listener.setSoTimeout(1);
      assertThrows(IOException.class, listener::accept, "nothing has connected");
    }
  }

  @Test
  void shouldIncludeNoOtherDocument() throws Exception {
    String include = "<a xmlns:xi='http://www.w3.org/2001/XInclude'><xi:include href='x'/></a>";
    assertTrue(read(include).contains("\"xi:include\":{\"@href\":\"x\"}"));
    assertEquals("{\"a\":null}", read("<?xml-stylesheet href='file:///x'?><a/>"));
  }

  @Test
  void shouldExpandNothing() {
    StringBuilder laughs = new StringBuilder("<!DOCTYPE a [<!ENTITY l0 'ha'>");
    for (int i = 1; i < 20; i++) {
      laughs.append("<!ENTITY l").append(i).append(" '");
      laughs.append(("&l" + (i - 1) + ";").repeat(10)).append("'>");
    }
    assertTrue(
        problem(laughs + "]><a>&l19;</a>").startsWith("expected XML without a document type"));
  }

  @Test
  void shouldReadManyReferencesAndLongValues() throws Exception {
    int many = 300_000;
    assertEquals(many + 8, read("<a>" + "&amp;".repeat(many) + "</a>").length());
    assertEquals(many + 8, read("<a>" + "&#97;".repeat(many) + "</a>").length());
    assertEquals((1 << 20) + 15, read("<a x='" + "y".repeat(1 << 20) + "'/>").length());
    assertEquals(many + 15, read("<a x='" + "&lt;".repeat(many) + "'/>").length());
    assertEquals(many + 8, read("<a>" + "<![CDATA[x]]>".repeat(many) + "</a>").length());
    assertEquals("{\"a\":null}", read("<a>" + "<!--x-->".repeat(many) + "</a>"));
    assertEquals("{\"a\":null}", read("<a>" + "<?x y?>".repeat(many) + "</a>"));
  }

  @Test
  void shouldTakeNoTimeBeyondItsLength() throws Exception {
    // Each would take minutes where a look-up goes through what came before.
    assertTrue(problem(XmlReaderTest.attributes(300_000)).startsWith("expected at most 200"));
    StringBuilder spaces = new StringBuilder();
    for (int depth = 0; depth < 500; depth++) {
      spaces.append("<a");
      for (int i = 0; i < 199; i++) {
        spaces.append(" xmlns:p").append(depth).append('_').append(i).append("='u'");
      }
      spaces.append('>');
    }
    read(spaces + "<b/>".repeat(400_000) + "</a>".repeat(500));
    StringBuilder names = new StringBuilder();
    for (int i = 0; i < 200_000; i++) {
      names.append("<e").append(i).append("/>");
    }
    read("<a>" + names + "</a>");
  }

  @Test
  void shouldRefuseDeepNestingBeforeItIsRead() {
    String problem = problem("<a>".repeat(1_000_000));
    assertTrue(
        problem.startsWith("expected elements nested 512 deep (maxDepth) at line 1, column "),
        problem);
  }

  @Test
  void shouldBoundTheHeapOfSmallParts() {
    String problem =
        assertThrows(
                XmlException.class,
                () ->
                    new XmlReader(XmlForm.PLAIN, new XmlReader.XmlBounds(512, "maxDepth", 1 << 20))
                        .read(
                            ByteBuffer.wrap(
                                ("<a>" + "<b x=''/>".repeat(100_000) + "</a>")
                                    .getBytes(StandardCharsets.UTF_8)),
                            null))
            .problem();
    assertTrue(problem.contains("json.maxHeapBytes"), problem);
  }

  @Test
  void shouldRefuseNullCharactersAndBrokenText() {
    for (String document :
        new String[] {
          "<a>\u0000</a>",
          "<a x='\u0000'/>",
          "\u0000<a/>",
          "<a\u0000/>",
          "<a>\uffff</a>",
          "<a/>\u0000"
        }) {
      assertTrue(problem(document).contains("line 1"), document);
    }
    for (byte[] bytes :
        new byte[][] {
          {'<', 'a', '>', (byte) 0xff, '<', '/', 'a', '>'},
          {'<', 'a', '>', (byte) 0xed, (byte) 0xa0, (byte) 0x80, '<', '/', 'a', '>'},
          {'<', 'a', '>', (byte) 0xc0, (byte) 0x80, '<', '/', 'a', '>'},
          {(byte) 0xfe, (byte) 0xff, 0, '<', 0},
          {0, 0, 0, 0}
        }) {
      assertThrows(XmlException.class, () -> reader.read(ByteBuffer.wrap(bytes), null));
    }
  }

  @Test
  void shouldReadOrRefuseAnyBytes() {
    byte[] document =
        ("<?xml version='1.0' encoding='UTF-8'?><!-- c --><p:a xmlns:p='u' x=\"&lt;1\">t<b/>"
                + "<![CDATA[<&]]><b y='2'>&#65;</b><?pi z?></p:a>\n")
            .getBytes(StandardCharsets.UTF_8);
    byte[] marks = "<>&;'\"=/!?[]-:# \u0000x".getBytes(StandardCharsets.UTF_8);
    long only = Long.getLong("pinion.seed", -1);
    for (long seed = Math.max(only, 0); seed < (only < 0 ? MUTANTS : only + 1); seed++) {
      Random random = new Random(seed);
      byte[] mutant = document.clone();
      for (int i = 1 + random.nextInt(3); i > 0; i--) {
        int at = random.nextInt(mutant.length);
        mutant[at] =
            random.nextBoolean() ? marks[random.nextInt(marks.length)] : (byte) random.nextInt(256);
      }
      ByteBuffer bytes = ByteBuffer.wrap(mutant, 0, 1 + random.nextInt(mutant.length));
      try {
        reader.read(bytes, null);
      } catch (XmlException e) {
        assertTrue(e.problem().startsWith("expected "), e.problem());
      } catch (RuntimeException e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
  }
}
