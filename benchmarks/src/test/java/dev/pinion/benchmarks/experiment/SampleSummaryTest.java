package dev.pinion.benchmarks.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

final class SampleSummaryTest {
  @Test
  void shouldTakeTheMiddleOfAnOddNumberOfValues() {
    assertEquals(new SampleSummary(3, 1, 9), SampleSummary.of(List.of(9.0, 1.0, 3.0)));
  }

  @Test
  void shouldTakeTheMeanOfTheTwoMiddleValuesOfAnEvenNumber() {
    assertEquals(new SampleSummary(2.5, 1, 9), SampleSummary.of(List.of(9.0, 2.0, 3.0, 1.0)));
  }

  @Test
  void shouldSummariseOneValueAsItself() {
    assertEquals(new SampleSummary(7, 7, 7), SampleSummary.of(List.of(7.0)));
  }

  @Test
  void shouldRefuseNoValues() {
    assertThrows(IllegalArgumentException.class, () -> SampleSummary.of(List.of()));
  }

  @Test
  void shouldOverlapWhenSpreadsShareAnEnd() {
    assertTrue(new SampleSummary(2, 1, 3).overlaps(new SampleSummary(4, 3, 5)));
    assertTrue(new SampleSummary(4, 3, 5).overlaps(new SampleSummary(2, 1, 3)));
    assertTrue(new SampleSummary(4, 1, 9).overlaps(new SampleSummary(4, 3, 5)));
    assertFalse(new SampleSummary(2, 1, 2.9).overlaps(new SampleSummary(4, 3, 5)));
    assertFalse(new SampleSummary(4, 3, 5).overlaps(new SampleSummary(2, 1, 2.9)));
  }
}
