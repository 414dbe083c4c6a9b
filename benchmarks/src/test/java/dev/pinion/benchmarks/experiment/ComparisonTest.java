package dev.pinion.benchmarks.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ComparisonTest {
  private static final Metric SPEED = new Metric("speed", "m/s", 1);

  private final List<String> log = new ArrayList<>();

  @Test
  void shouldWarmUpEverythingThenInterleaveInAnOrderThatChanges() throws Exception {
    // given
    Comparison comparison = new Comparison("t", List.of(fake("a"), fake("b"), fake("c")), "a");

    // when
    comparison.run(4, RunProgress.SILENT);

    // then
    assertEquals(
        List.of(
            "warm a", "warm b", "warm c", "a", "b", "c", "c", "b", "a", "b", "c", "a", "a", "c",
            "b"),
        log);
  }

  @Test
  void shouldKeepSamplesOfOneRoundAtOnePosition() throws Exception {
    Comparison comparison = new Comparison("t", List.of(fake("a"), fake("b")), "a");

    ComparisonResults comparisonResults = comparison.run(3, RunProgress.SILENT);

    // positions in the log, without the warm-up: a b | b a | b a
    assertEquals(List.of(1.0, 4.0, 6.0), speeds(comparisonResults, "a"));
    assertEquals(List.of(2.0, 3.0, 5.0), speeds(comparisonResults, "b"));
  }

  @Test
  void shouldReportAsManyStepsAsItAnnounces() throws Exception {
    Comparison comparison = new Comparison("t", List.of(fake("a"), fake("b")), "a");
    List<String> steps = new ArrayList<>();

    comparison.run(3, steps::add);

    assertEquals(comparison.steps(3), steps.size());
    assertEquals("t: warming up a", steps.getFirst());
    assertEquals("t: round 3/3, a", steps.getLast());
  }

  @Test
  void shouldStopAtAMeasurementThatIsWorthNothing() {
    Variant broken =
        new Variant() {
          @Override
          public String name() {
            return "broken";
          }

          @Override
          public void warmUp() {}

          @Override
          public Sample measure() throws MeasurementException {
            throw new MeasurementException("one wrong answer");
          }
        };
    Comparison comparison = new Comparison("t", List.of(fake("a"), broken), "a");

    MeasurementException failure =
        assertThrows(MeasurementException.class, () -> comparison.run(5, RunProgress.SILENT));

    assertEquals("one wrong answer", failure.getMessage());
    assertEquals(List.of("warm a", "a"), log);
  }

  @Test
  void shouldRefuseEqualNamesAndAnUnknownBaseline() {
    assertThrows(
        IllegalArgumentException.class,
        () -> new Comparison("t", List.of(fake("a"), fake("a")), "a"));
    assertThrows(
        IllegalArgumentException.class, () -> new Comparison("t", List.of(fake("a")), "b"));
  }

  @Test
  void shouldRefuseRoundsOutOfRange() {
    Comparison comparison = new Comparison("t", List.of(fake("a")), "a");

    assertThrows(IllegalArgumentException.class, () -> comparison.run(0, RunProgress.SILENT));
    assertThrows(
        IllegalArgumentException.class,
        () -> comparison.run(Comparison.MAX_ROUNDS + 1, RunProgress.SILENT));
  }

  private static List<Double> speeds(ComparisonResults comparisonResults, String variant) {
    return comparisonResults.samples().getOrDefault(variant, List.of()).stream()
        .map(sample -> sample.value(SPEED))
        .toList();
  }

  private Variant fake(String name) {
    return new Variant() {
      private int warmUps;

      @Override
      public String name() {
        return name;
      }

      @Override
      public void warmUp() {
        warmUps++;
        log.add("warm " + name);
      }

      @Override
      public Sample measure() {
        assertEquals(1, warmUps);
        log.add(name);
        long measured = log.stream().filter(entry -> !entry.startsWith("warm")).count();
        return new Sample(Map.of(SPEED, (double) measured));
      }
    };
  }
}
