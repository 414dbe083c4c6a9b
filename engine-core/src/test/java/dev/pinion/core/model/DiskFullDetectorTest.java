package dev.pinion.core.model;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Field fault 21: a full disk is reported as such, whatever detects it. */
class DiskFullDetectorTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "No space left on device",
        "/data/definitions/a: No space left on device",
        "Disk quota exceeded",
        "[SQLITE_FULL] Insertion failed because database is full (database or disk is full)"
      })
  void shouldBeFoundBehindOtherFailures(String message) {
    IOException cause = new IOException(message);

    assertTrue(DiskFullDetector.isDiskFull(cause));
    assertTrue(
        DiskFullDetector.isDiskFull(
            new IllegalStateException("x", new UncheckedIOException(cause))));
  }

  @Test
  void shouldBeFoundInAnyLanguageOfPostgres() {
    SQLException full = new SQLException("FEHLER: konnte Datei nicht erweitern", "53100");

    assertTrue(DiskFullDetector.isDiskFull(new IOException(full)));
    assertFalse(DiskFullDetector.isDiskFull(new SQLException("FEHLER: kein Speicher", "53200")));
  }

  @Test
  void shouldNotBeFoundElsewhere() {
    IllegalStateException circle = new IllegalStateException("a");
    circle.initCause(new IllegalStateException("b", circle));

    assertFalse(DiskFullDetector.isDiskFull(null));
    assertFalse(DiskFullDetector.isDiskFull(new IOException((String) null)));
    assertFalse(DiskFullDetector.isDiskFull(new IOException("Permission denied")));
    assertFalse(DiskFullDetector.isDiskFull(circle));
  }
}
