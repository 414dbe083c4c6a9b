package dev.pinion.benchmarks.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ranks and confidences of tables of the sign test. */
class MedianConfidenceIntervalTest {
  @ParameterizedTest
  @CsvSource({
    "1, 1, 0",
    "2, 1, 0.5",
    "5, 1, 0.9375",
    "6, 1, 0.96875",
    "8, 1, 0.9921875",
    "9, 2, 0.9609375",
    "10, 2, 0.978515625",
    "20, 6, 0.958610534",
  })
  void shouldLeaveOutAsManyAsItMay(int count, int rank, double confidence) {
    List<Double> values =
        IntStream.rangeClosed(1, count).mapToObj(i -> (double) (count + 1 - i)).toList();
    MedianConfidenceInterval interval = MedianConfidenceInterval.of(values);
    assertEquals(rank, interval.low());
    assertEquals(count + 1.0 - rank, interval.high());
    assertEquals(confidence, interval.confidence(), 1e-9);
  }

  @Test
  void shouldNeedAValue() {
    List<Double> none = DoubleStream.empty().boxed().toList();
    assertThrows(IllegalArgumentException.class, () -> MedianConfidenceInterval.of(none));
  }
}
