package dev.pinion.core.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Payload;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PayloadCodecTest {
  private static final PayloadCodec CODEC = codec(Map.of());

  private static PayloadCodec codec(Map<String, Integer> limits) {
    return new PayloadCodec(EngineLimits.defaults().with(limits).json());
  }

  private static Payload read(PayloadCodec codec, String text) throws PayloadSyntaxException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    Payload payload = codec.read(bytes, 0, bytes.length);
    assertEquals(payload, codec.read(new ByteArrayInputStream(bytes)));
    return payload;
  }

  private static String refusal(PayloadCodec codec, byte[] bytes) {
    String message =
        String.valueOf(
            assertThrows(PayloadSyntaxException.class, () -> codec.read(bytes, 0, bytes.length))
                .getMessage());
    assertThrows(PayloadSyntaxException.class, () -> codec.read(new ByteArrayInputStream(bytes)));
    assertTrue(message.startsWith("expected"), message);
    assertTrue(message.contains("found"), message);
    assertFalse(message.contains("`"), () -> "no names of the parser's classes: " + message);
    return message;
  }

  private static String refusal(PayloadCodec codec, String text) {
    return refusal(codec, text.getBytes(StandardCharsets.UTF_8));
  }

  private static String nested(int depth) {
    return "[".repeat(depth) + "]".repeat(depth);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "null",
        "true",
        "0",
        "-1",
        "1.5",
        "\"\"",
        "[]",
        "{}",
        "[1,2,[3,{\"a\":null}]]",
        "{\"a\":\"é😀\",\"b\":1e-7}",
        "123456789012345678901234567890"
      })
  void shouldWriteWhatItReads(String text) throws Exception {
    Payload payload = read(CODEC, text);

    assertEquals(payload, read(CODEC, new String(CODEC.toBytes(payload), StandardCharsets.UTF_8)));
  }

  @Test
  void shouldReadOnlyItsPartOfTheBytes() throws Exception {
    byte[] bytes = "junk[1]junk".getBytes(StandardCharsets.UTF_8);

    assertEquals("[1]", CODEC.read(bytes, 4, 3).toString());
  }

  @Test
  void shouldLeaveTheStreamOpen() throws IOException {
    boolean[] closed = new boolean[1];
    ByteArrayOutputStream out =
        new ByteArrayOutputStream() {
          @Override
          public void close() {
            closed[0] = true;
          }
        };
    CODEC.write(Payload.of("x"), out);

    assertFalse(closed[0]);
    assertArrayEquals("\"x\"".getBytes(StandardCharsets.UTF_8), out.toByteArray());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "{",
        "[1,]",
        "{\"a\"}",
        "{'a':1}",
        "1 2",
        "{} {}",
        "[1]x",
        "nul",
        "NaN",
        "Infinity",
        "+1",
        "01",
        "\"\t\"",
        "// comment\n1",
        "\"unfinished",
        "[1",
        "{\"a\":1,}"
      })
  void shouldRefuseWhatIsNotOneJsonValue(String text) {
    refusal(CODEC, text);
  }

  @Test
  void shouldTellWhere() {
    assertTrue(refusal(CODEC, "{\n  \"a\": x\n}").contains("line 2, column 8"));
  }

  @Test
  void shouldRefuseInvalidUtf8() {
    refusal(CODEC, new byte[] {'"', (byte) 0xc3, 0x28, '"'});
    refusal(CODEC, new byte[] {'"', (byte) 0xff, '"'});
    refusal(CODEC, new byte[] {'"', (byte) 0xf0, (byte) 0x9f, '"'});
  }

  @Test
  void shouldTakeTheLastOfEqualKeys() throws Exception {
    assertEquals("{\"a\":2}", read(CODEC, "{\"a\":1,\"a\":2}").toString());
  }

  @ParameterizedTest
  @CsvSource({
    "1e999, 1.7976931348623157E308",
    "-1e999, -1.7976931348623157E308",
    "1e308, 1.0E308",
    "1e-999, 0.0"
  })
  void shouldBringNumbersIntoRange(String text, String expected) throws Exception {
    Payload payload = read(CODEC, text);

    assertEquals(expected, payload.toString());
    assertEquals(expected, new String(CODEC.toBytes(payload), StandardCharsets.UTF_8));
  }

  @Test
  void shouldKeepEveryDigitOfAnInteger() throws Exception {
    String digits = "9".repeat(1_000);

    assertEquals(digits, read(CODEC, digits).toString());
  }

  @Test
  void shouldBoundTheDigitsOfANumber() throws Exception {
    PayloadCodec codec = codec(Map.of("json.maxNumberDigits", 20));

    read(codec, "9".repeat(20));
    assertTrue(refusal(codec, "9".repeat(21)).contains("20"));
    assertTrue(refusal(codec, "0." + "9".repeat(21)).contains("20"));
  }

  @Test
  void shouldBoundTheDepth() throws Exception {
    PayloadCodec codec = codec(Map.of("json.maxDepth", 8));

    read(codec, nested(8));
    assertTrue(refusal(codec, nested(9)).contains("8"));
    refusal(codec, "{\"a\":".repeat(9) + "1" + "}".repeat(9));
  }

  @Test
  void shouldWriteWhatIsAsDeepAsMayBeRead() throws Exception {
    PayloadCodec codec = codec(Map.of("json.maxDepth", 2_000));
    Payload deep = read(codec, nested(2_000));

    assertEquals(nested(2_000), new String(codec.toBytes(deep), StandardCharsets.UTF_8));
  }

  @Test
  void shouldRefuseExtremeDepthWithoutReadingOn() {
    // endless nesting: a codec that checked too late would never return
    assertThrows(
        PayloadSyntaxException.class,
        () ->
            CODEC.read(
                new java.io.InputStream() {
                  @Override
                  public int read() {
                    return '[';
                  }
                }));
    refusal(CODEC, nested(100_000));
    refusal(CODEC, "{\"a\":".repeat(100_000));
  }

  @Test
  void shouldReadALongString() throws Exception {
    String text = "x".repeat(30_000_000);

    assertEquals(text.length(), read(CODEC, '"' + text + '"').json().textValue().length());
  }
}
