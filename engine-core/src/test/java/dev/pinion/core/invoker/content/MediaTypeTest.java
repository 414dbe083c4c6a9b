package dev.pinion.core.invoker.content;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MediaTypeTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      value = {
        "a/b; charset=utf-8|utf-8",
        "a/b;CharSet=utf-8|utf-8",
        "a/b ; x=1 ; charset = \"utf-8\" ; y=2|utf-8",
        "a/b; x=\"; charset=no\"; charset=yes|yes",
        "a/b; charset=\"a\\\"b\\\\c\"|a\"b\\c",
        "a/b; charset=one; charset=two|one"
      })
  void shouldFindAParameter(String type, String value) {
    assertEquals(value, MediaType.of(type).parameter("charset"));
  }

  @Test
  void shouldFindNoOther() {
    assertNull(MediaType.of("a/b").parameter("charset"));
    assertNull(MediaType.of("charset=x").parameter("charset"));
    assertNull(MediaType.of("a/b; xcharset=utf-8").parameter("charset"));
  }

  @Test
  void shouldReadALongParameterWithoutStack() {
    String value = "x".repeat(1_000_000);

    assertEquals(value, MediaType.of("a/b; charset=\"" + value + "\"").parameter("charset"));
    assertNull(MediaType.of("a/b; charset=\"" + value).parameter("boundary"));
  }

  @Test
  void shouldKnowItsKind() {
    assertTrue(MediaType.isJson("application/problem+JSON; x=1"));
    assertFalse(MediaType.isJson("application/json-seq"));
    assertFalse(MediaType.isJson(null));
    assertTrue(MediaType.of(" Text/XML ;x").isXml());
    assertTrue(MediaType.of("image/svg+xml").isXml());
    assertTrue(MediaType.of("text/event-stream").isText());
    assertTrue(MediaType.of("application/jsonl").isText());
    assertFalse(MediaType.of("application/jsonl").isPlainText());
    assertTrue(MediaType.of("a/b; c=d").isValid());
    assertFalse(MediaType.of("a").isValid());
    assertFalse(MediaType.of("a/b c").isValid());
  }
}
