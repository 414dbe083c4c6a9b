package dev.pinion.benchmarks.experiments;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TargetFindingTest {
  private static List<Double> sixOf(double low, double high) {
    return List.of(low, high, low, high, low, high);
  }

  @ParameterizedTest
  @CsvSource({
    "1.00, 1.05, kept",
    "1.00, 1.06, 'not decided'",
    "1.06, 1.10, missed",
    "1.05, 1.05, kept",
  })
  void shouldJudgeWhatShouldNotBeMore(double min, double max, String verdict) {
    String note =
        TargetFinding.atMost("cpu", sixOf(min, max), 1.05).findFirst().orElseThrow().note();

    assertTrue(note.startsWith("target at most 1.05: " + verdict + ";"), note);
    assertTrue(note.endsWith("with 96.9 % confidence"), note);
  }

  @ParameterizedTest
  @CsvSource({
    "0.95, 1.00, kept",
    "0.94, 1.00, 'not decided'",
    "0.90, 0.94, missed",
  })
  void shouldJudgeWhatShouldNotBeLess(double min, double max, String verdict) {
    String note =
        TargetFinding.atLeast("rate", sixOf(min, max), 0.95).findFirst().orElseThrow().note();

    assertTrue(note.startsWith("target at least 0.95: " + verdict + ";"), note);
  }

  @Test
  void shouldSayNothingOfTooFewRounds() {
    String note =
        TargetFinding.atMost("cpu", List.of(1.0, 1.0), 1.05).findFirst().orElseThrow().note();
    String three =
        TargetFinding.atMost("cpu", List.of(1.0, 1.0, 1.0), 1.05).findFirst().orElseThrow().note();

    assertEquals("target at most 1.05: too few rounds to tell", note);
    assertTrue(three.startsWith("target at most 1.05: kept;"), three);
  }

  @Test
  void shouldFindNothingWithoutRatios() {
    assertEquals(0, TargetFinding.atMost("cpu", List.of(), 1.05).count());
    assertEquals(0, TargetFinding.atLeast("rate", List.of(), 0.95).count());
  }
}
