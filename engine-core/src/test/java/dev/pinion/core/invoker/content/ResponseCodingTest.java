package dev.pinion.core.invoker.content;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.codec.ContentCoding;
import dev.pinion.core.codec.PayloadSyntaxException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ResponseCodingTest {
  private static final int BOUND = 100_000;

  private final ResponseCoding codings = new ResponseCoding(BOUND);

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static HttpHeaders headers(String... names) {
    HttpHeaders headers = new DefaultHttpHeaders();
    for (String name : names) {
      headers.add("Content-Encoding", name);
    }
    return headers;
  }

  private String decoded(byte[] coded, String... names) throws PayloadSyntaxException {
    return codings
        .decoded(headers(names), Unpooled.wrappedBuffer(coded))
        .toString(StandardCharsets.UTF_8);
  }

  private String problem(byte[] coded, String... names) {
    return String.valueOf(
        assertThrows(PayloadSyntaxException.class, () -> decoded(coded, names)).getMessage());
  }

  @Test
  void shouldReadEachCoding() throws Exception {
    byte[] gzip = ContentCoding.GZIP.encode(bytes("hello"), 6);
    byte[] deflate = ContentCoding.DEFLATE.encode(bytes("hello"), 6);
    for (String name : new String[] {"gzip", "GZIP", "x-gzip", "gzip ,", "identity, gzip"}) {
      assertEquals("hello", decoded(gzip, name), name);
    }
    assertEquals("hello", decoded(deflate, "deflate"));
    ByteArrayOutputStream raw = new ByteArrayOutputStream();
    try (DeflaterOutputStream out =
        new DeflaterOutputStream(raw, new Deflater(Deflater.DEFAULT_COMPRESSION, true))) {
      out.write(bytes("hello"));
    }
    assertEquals("hello", decoded(raw.toByteArray(), "deflate"), "without its wrapper");
    assertEquals("", decoded(ContentCoding.GZIP.encode(new byte[0], 6), "gzip"));
  }

  @Test
  void shouldReadCodingsInTheReverseOrder() throws Exception {
    byte[] once = ContentCoding.DEFLATE.encode(bytes("hello"), 6);
    byte[] twice = ContentCoding.GZIP.encode(once, 6);
    byte[] thrice = ContentCoding.GZIP.encode(twice, 6);
    assertEquals("hello", decoded(twice, "deflate, gzip"));
    assertEquals("hello", decoded(twice, "deflate", "gzip"));
    assertEquals("hello", decoded(thrice, "deflate, gzip, gzip"));
    assertEquals(
        "expected at most 3 content codings, found 4",
        problem(thrice, "gzip, deflate, gzip, gzip"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"identity", "Identity, identity", ","})
  void shouldLeaveWhatHasNone(String name) throws Exception {
    ByteBuf body = Unpooled.wrappedBuffer(bytes("hello"));
    assertSame(body, codings.decoded(headers(name), body));
    assertSame(body, codings.decoded(headers(), body));
    assertSame(Unpooled.EMPTY_BUFFER, codings.decoded(headers("gzip"), Unpooled.EMPTY_BUFFER));
  }

  @Test
  void shouldStopAtTheBoundOfBodies() throws Exception {
    assertEquals(BOUND, decoded(ContentCoding.GZIP.encode(new byte[BOUND], 9), "gzip").length());
    String expected =
        "expected a body that decompresses to at most 100000 bytes (invoker.maxResponseBytes),"
            + " found a longer one";
    assertEquals(expected, problem(ContentCoding.GZIP.encode(new byte[BOUND + 1], 9), "gzip"));
    byte[] bomb = ContentCoding.GZIP.encode(new byte[64 << 20], 9);
    assertEquals(expected, problem(bomb, "gzip"));
    byte[] nested = ContentCoding.GZIP.encode(bomb, 9);
    assertEquals(expected, problem(nested, "gzip, gzip"));
  }

  @Test
  void shouldRefuseWhatIsNotWhole() {
    byte[] gzip = ContentCoding.GZIP.encode(bytes("hello"), 6);
    byte[] changed = gzip.clone();
    changed[gzip.length - 5] ^= 1;
    for (byte[] broken :
        new byte[][] {
          bytes("hello"),
          changed,
          Arrays.copyOf(gzip, gzip.length - 1),
          Arrays.copyOf(gzip, gzip.length + 1)
        }) {
      String problem = problem(broken, "gzip");
      assertTrue(problem.startsWith("expected a whole body of coding gzip, found: "), problem);
    }
    assertEquals(
        "expected Content-Encoding gzip or deflate, found \"br\"", problem(gzip, "br, identity"));
  }
}
