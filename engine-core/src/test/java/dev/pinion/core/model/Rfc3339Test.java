package dev.pinion.core.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Field fault 29: the times that RFC 3339 allows are accepted, and no others. */
class Rfc3339Test {
  @ParameterizedTest
  @CsvSource({
    "2026-01-31T12:00:00Z, 2026-01-31T12:00:00Z",
    "2026-01-31t12:00:00z, 2026-01-31T12:00:00Z",
    "2026-01-31T12:00:00.5+00:30, 2026-01-31T11:30:00.5Z",
    "0822-06-01T09:29:13+23:41, 0822-05-31T09:48:13Z",
    "0002-03-25T17:43:09-17:37, 0002-03-26T11:20:09Z",
    "2016-12-31T23:59:60Z, 2017-01-01T00:00:00Z",
    "2026-01-31T12:00:00.12345678901Z, 2026-01-31T12:00:00.123456789Z"
  })
  void shouldReadTimes(String text, String expected) {
    assertEquals(Instant.parse(expected), Rfc3339.parse(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "2026-01-31",
        "2026-01-31T12:00Z",
        "2026-01-31T12:00:00",
        "2026-01-31 12:00:00Z",
        "2026-02-30T12:00:00Z",
        "2026-01-31T24:00:00Z",
        "2026-01-31T12:00:61Z",
        "2026-01-31T12:00:00.Z",
        "2026-01-31T12:00:00+24:00",
        "12026-01-31T12:00:00Z"
      })
  void shouldRefuseOthers(String text) {
    assertThrows(DateTimeParseException.class, () -> Rfc3339.parse(text));
  }
}
