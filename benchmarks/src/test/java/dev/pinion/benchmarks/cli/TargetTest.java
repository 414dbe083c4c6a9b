package dev.pinion.benchmarks.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.benchmarks.experiment.Summary;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TargetTest {
  @ParameterizedTest
  @CsvSource({
    "1.00, 1.05, kept",
    "1.00, 1.06, 'not decided'",
    "1.06, 1.10, missed",
    "1.05, 1.05, kept",
  })
  void shouldJudgeWhatShouldNotBeMore(double min, double max, String verdict) {
    String note = Target.atMost("cpu", new Summary(min, min, max), 1.05, 5).note();

    assertTrue(note.startsWith("target at most 1.05: " + verdict), note);
    assertTrue(note.endsWith("a confidence interval of 93.8 %"), note);
  }

  @ParameterizedTest
  @CsvSource({
    "0.95, 1.00, kept",
    "0.94, 1.00, 'not decided'",
    "0.90, 0.94, missed",
  })
  void shouldJudgeWhatShouldNotBeLess(double min, double max, String verdict) {
    String note = Target.atLeast("rate", new Summary(min, min, max), 0.95, 10).note();

    assertTrue(note.startsWith("target at least 0.95: " + verdict), note);
    assertTrue(note.endsWith("a confidence interval of 99.8 %"), note);
  }

  @Test
  void shouldBeSureOfNothingAfterOneRound() {
    assertEquals(0, Target.confidence(1));
  }
}
