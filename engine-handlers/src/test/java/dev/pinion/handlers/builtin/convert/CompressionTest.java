package dev.pinion.handlers.builtin.convert;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.codec.ContentCoding;
import dev.pinion.handlers.api.Body;
import dev.pinion.handlers.api.Handler;
import dev.pinion.handlers.api.Message;
import dev.pinion.handlers.builtin.HandlerTrial;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.Random;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bodies that one handler compresses and another decompresses. */
class CompressionTest {
  private static final String CODING = "header.content-encoding";

  private static byte[] text(int bytes) {
    byte[] text = new byte[bytes];
    Random random = new Random(7);
    for (int i = 0; i < bytes; i++) {
      text[i] = (byte) ('a' + random.nextInt(8));
    }
    return text;
  }

  private static Message of(byte[] bytes, Map<String, String> properties) {
    return HandlerTrial.message(properties, Body.of(bytes, "text/plain"));
  }

  private static byte[] bytes(Message message) {
    return message.body().bytes(HandlerTrial.CODEC);
  }

  private static byte[] joined(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "deflate"})
  void shouldTakeBackWhatItDid(String coding) throws Exception {
    try (Handler compress =
            HandlerTrial.handler(new CompressFactory(), "{\"codings\": [\"" + coding + "\"]}");
        Handler decompress = HandlerTrial.handler(new DecompressFactory(), "{}")) {
      byte[] plain = text(100_000);
      Map<String, String> fields =
          Map.of(
              "header.etag", "\"7\"",
              "header.content-length", "100000",
              "header.content-digest", "sha-256=:eA==:");
      Message coded = HandlerTrial.after(compress, of(plain, fields));
      assertTrue(bytes(coded).length < 50_000, coded.toString());
      assertEquals(Map.of(CODING, coding, "header.etag", "W/\"7\""), coded.properties());
      assertEquals("text/plain", coded.body().mediaType());
      Message back = HandlerTrial.after(decompress, coded);
      assertArrayEquals(plain, bytes(back));
      assertEquals(Map.of("header.etag", "W/\"7\""), back.properties());
      assertEquals("text/plain", back.body().mediaType());
    }
  }

  @Test
  void shouldLeaveWhatIsNotWorthIt() throws Exception {
    try (Handler compress = HandlerTrial.handler(new CompressFactory(), "{\"minBytes\": 1000}")) {
      assertTrue(HandlerTrial.after(compress, of(text(999), Map.of())).properties().isEmpty());
      assertEquals(
          "gzip",
          HandlerTrial.property(HandlerTrial.after(compress, of(text(1000), Map.of())), CODING));
      byte[] noise = new byte[5_000];
      new Random(1).nextBytes(noise);
      assertArrayEquals(noise, bytes(HandlerTrial.after(compress, of(noise, Map.of()))));
      Message coded = of(text(5_000), Map.of(CODING, "br"));
      assertEquals(coded, HandlerTrial.after(compress, coded));
      Message kept = of(text(5_000), Map.of("header.cache-control", "public, No-Transform"));
      assertEquals(kept, HandlerTrial.after(compress, kept));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "gzip | gzip",
        "GZIP;q=0.5 , deflate | deflate",
        "gzip, deflate | gzip",
        "* | gzip",
        "gzip;q=0, * | deflate",
        "x-gzip | gzip",
        "br | none",
        "'' | none",
        "gzip;q=0.2, identity | none",
        "gzip;q=2 | none",
        "gzip;q=0.5;a=b | none",
        "gzip;q=0 | none"
      })
  void shouldChooseWhatTheReceiverLikes(String accept, String chosen) throws Exception {
    String settings = "{\"accept\": \"header.accept-encoding\"}";
    try (Handler compress = HandlerTrial.handler(new CompressFactory(), settings)) {
      Message after =
          HandlerTrial.after(compress, of(text(5_000), Map.of("header.accept-encoding", accept)));
      assertEquals(chosen, after.properties().getOrDefault(CODING, "none"));
      assertEquals("accept-encoding", HandlerTrial.property(after, "header.vary"));
    }
  }

  @Test
  void shouldAddToWhatTheAnswerVariesBy() throws Exception {
    String settings = "{\"accept\": \"header.accept-encoding\"}";
    try (Handler compress = HandlerTrial.handler(new CompressFactory(), settings)) {
      for (String[] each :
          new String[][] {
            {"origin", "origin, accept-encoding"},
            {"Accept-Encoding", "Accept-Encoding"},
            {"*", "*"}
          }) {
        Message after = HandlerTrial.after(compress, of(text(10), Map.of("header.vary", each[0])));
        assertEquals(each[1], HandlerTrial.property(after, "header.vary"));
      }
    }
  }

  @Test
  void shouldReadEveryFormThatSendersUse() throws Exception {
    byte[] plain = text(2_000);
    try (Handler decompress = HandlerTrial.handler(new DecompressFactory(), "{}")) {
      byte[] members =
          joined(
              ContentCoding.GZIP.encode(Arrays.copyOf(plain, 500), 6),
              ContentCoding.GZIP.encode(Arrays.copyOfRange(plain, 500, 2_000), 9));
      assertArrayEquals(plain, plain(decompress, members, "gzip"));
      assertArrayEquals(plain, plain(decompress, raw(plain), "deflate"));
      byte[] twice = ContentCoding.GZIP.encode(ContentCoding.DEFLATE.encode(plain, 6), 6);
      assertArrayEquals(plain, plain(decompress, twice, "deflate, gzip"));
      assertArrayEquals(plain, plain(decompress, plain, "identity"));
      assertArrayEquals(
          new byte[0], plain(decompress, ContentCoding.GZIP.encode(new byte[0], 6), "gzip"));
    }
  }

  private static byte[] plain(Handler decompress, byte[] coded, String coding) throws Exception {
    return bytes(HandlerTrial.after(decompress, of(coded, Map.of(CODING, coding))));
  }

  private static byte[] raw(byte[] plain) {
    Deflater deflater = new Deflater(6, true);
    deflater.setInput(plain);
    deflater.finish();
    byte[] coded = new byte[plain.length];
    int length = deflater.deflate(coded);
    deflater.end();
    return Arrays.copyOf(coded, length);
  }

  @Test
  void shouldStopAtTheBounds() throws Exception {
    byte[] plain = text(200_000);
    byte[] coded = ContentCoding.GZIP.encode(plain, 6);
    try (Handler exact = HandlerTrial.handler(new DecompressFactory(), "{\"maxBytes\": 200000}");
        Handler below = HandlerTrial.handler(new DecompressFactory(), "{\"maxBytes\": 199999}");
        Handler ratio = HandlerTrial.handler(new DecompressFactory(), "{\"maxRatio\": 50}")) {
      assertArrayEquals(plain, plain(exact, coded, "gzip"));
      refused(below, coded, "gzip", "413 ");
      byte[] free = ContentCoding.GZIP.encode(new byte[DecompressFactory.FREE_BYTES], 9);
      assertEquals(DecompressFactory.FREE_BYTES, plain(ratio, free, "gzip").length);
      refused(
          ratio,
          ContentCoding.GZIP.encode(new byte[DecompressFactory.FREE_BYTES + 1], 9),
          "gzip",
          "413 ");
      byte[] bomb = ContentCoding.GZIP.encode(new byte[32 << 20], 9);
      refused(ratio, bomb, "gzip", "413 ");
      refused(ratio, ContentCoding.GZIP.encode(bomb, 9), "gzip, gzip", "413 ");
      plain(exact, plain, "identity");
      refused(exact, plain, "gzip, gzip, gzip, gzip", "400 ");
    }
  }

  @Test
  void shouldRefuseWhatIsNoWholeBody() throws Exception {
    byte[] gzip = ContentCoding.GZIP.encode(text(3_000), 6);
    byte[] deflate = ContentCoding.DEFLATE.encode(text(3_000), 6);
    byte[] changed = gzip.clone();
    changed[gzip.length - 6] ^= 1; // of its checksum
    try (Handler decompress = HandlerTrial.handler(new DecompressFactory(), "{}")) {
      refused(decompress, Arrays.copyOf(gzip, gzip.length - 1), "gzip", "400 ");
      refused(decompress, Arrays.copyOf(gzip, 5), "gzip", "400 ");
      refused(decompress, new byte[0], "gzip", "400 ");
      refused(decompress, joined(gzip, new byte[] {0}), "gzip", "400 ");
      refused(decompress, joined(gzip, new byte[100]), "gzip", "400 ");
      refused(decompress, changed, "gzip", "400 ");
      refused(decompress, Arrays.copyOf(deflate, deflate.length - 1), "deflate", "400 ");
      refused(decompress, joined(deflate, new byte[3]), "deflate", "400 ");
      refused(decompress, HexFormat.of().parseHex("ffff"), "deflate", "400 ");
      refused(decompress, gzip, "br", "415 {accept-encoding=gzip, deflate}");
      assertTrue(
          HandlerTrial.stopped(decompress, of(gzip, Map.of(CODING, "a\"b"))).contains("a\\\"b"));
    }
  }

  private static void refused(Handler decompress, byte[] coded, String coding, String how)
      throws Exception {
    String stopped = HandlerTrial.stopped(decompress, of(coded, Map.of(CODING, coding)));
    assertTrue(stopped.startsWith(how), stopped);
  }

  @Test
  void shouldSayWhatIsWrongWithSettings() throws Exception {
    String problems =
        HandlerTrial.problems(
            new CompressFactory(), "{\"codings\": [\"br\"], \"level\": 10, \"accept\": \"a*\"}");
    assertTrue(problems.contains("expected gzip or deflate, found \"br\""), problems);
    assertTrue(problems.contains("from 1 to 9"), problems);
    assertTrue(problems.contains("expected the name of a property"), problems);
    String ratio = HandlerTrial.problems(new DecompressFactory(), "{\"maxRatio\": 0}");
    assertTrue(ratio.contains("from 1 to 1100"), ratio);
  }
}
