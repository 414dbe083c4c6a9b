package dev.pinion.benchmarks.experiments;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.benchmarks.experiment.ComparisonResults;
import dev.pinion.benchmarks.experiment.Finding;
import dev.pinion.benchmarks.experiment.GeometricMean;
import dev.pinion.benchmarks.experiment.Metric;
import dev.pinion.benchmarks.experiment.Sample;
import dev.pinion.benchmarks.experiment.SampleSummary;
import dev.pinion.benchmarks.speedup.SpeedUpAnalysis;
import dev.pinion.benchmarks.testbed.LoadVariant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TestbedOptionsTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0 s",
    "1, 1 s",
    "90000, 90 s",
    "90001, 2 min",
    "120000, 2 min",
    "3600001, 61 min"
  })
  void shouldSayTimesAsPeopleDo(long millis, String text) {
    assertEquals(text, DurationText.about(Duration.ofMillis(millis)));
  }

  @ParameterizedTest
  @CsvSource({"0.3, 4567, 1400", "0.5, 3, 1.5", "0.7, 1, 1", "0.3, 0, 1", "2, 99, 200"})
  void shouldOfferRatesOfTwoDigits(double share, double capacity, double rate) {
    assertEquals(rate, OfferedRate.share(share, capacity), 1e-9);
  }

  @Test
  void shouldInsistOnErrorsAndProcessorTime() {
    ComparisonResults bare = results(Map.of(Metric.THROUGHPUT, 1.0, Metric.CPU, 1.0));
    ComparisonResults full =
        results(Map.of(Metric.THROUGHPUT, 1.0, Metric.CPU, 1.0, Metric.ERRORS, 0.0));

    assertThrows(IllegalStateException.class, () -> ResultsCheck.check(List.of(full, bare)));
    assertEquals(List.of(), ResultsCheck.check(List.of(full)));
  }

  @ParameterizedTest
  @CsvSource({
    "0.5, 0.5, 1, 0",
    "0.95, 0.5, 1, 1",
    "0.5, 1.5, 1, 1",
    "0.5, 1.5, 20, 0",
  })
  void shouldDoubtMeasurementsOfABusyGenerator(double busy, double lag, double p50, int doubts) {
    ComparisonResults comparisonResults =
        results(
            Map.of(
                Metric.CPU, 1.0,
                Metric.ERRORS, 0.0,
                Metric.P50, p50,
                Metric.GENERATOR, busy,
                LoadVariant.LAG, lag));

    List<String> found = ResultsCheck.check(List.of(comparisonResults));

    assertEquals(doubts, found.size(), found::toString);
    // Field fault 33: a generator with time to spare is no bottleneck
    assertEquals(busy >= 0.9, found.toString().contains("bottleneck"), found::toString);
  }

  @Test
  void shouldTakeTheGeometricMeanWithinRounds() {
    ComparisonResults one = gains("one", List.of(100.0, 50.0), List.of(200.0, 100.0));
    ComparisonResults other = gains("other", List.of(10.0, 40.0), List.of(5.0, 80.0));

    ComparisonResults means = GeometricMean.over("both", List.of(one, other), Metric.THROUGHPUT);

    assertEquals(Math.sqrt(1_000), means.summary("one replica", Metric.THROUGHPUT).min(), 1e-9);
    SampleSummary mean = means.ratio("b", "one replica", Metric.THROUGHPUT).orElseThrow();

    // round 1: √(2 × 0.5), round 2: √(2 × 2)
    assertEquals(1.0, mean.min(), 1e-9);
    assertEquals(2.0, mean.max(), 1e-9);
  }

  @Test
  void shouldTellWhatExplainsASpeedUp() {
    TreeMap<Integer, SampleSummary> speedUps = new TreeMap<>();
    speedUps.put(1, new SampleSummary(1, 1, 1));
    speedUps.put(2, new SampleSummary(1.6, 1.5, 1.7));
    speedUps.put(3, new SampleSummary(1.8, 1.7, 1.9));

    List<Finding> findings = new SpeedUpAnalysis(speedUps, 3).findings("publishers");

    assertEquals(3, findings.size());
    assertEquals("speed-up, 2 publishers", findings.getFirst().name());
    assertEquals(
        "serial share with n = 3 cores: Amdahl 44 %, Gustafson 70 %", findings.getFirst().note());
    assertTrue(findings.getLast().note().contains("fewer than six"), findings.getLast().note());
    assertEquals(1, new SpeedUpAnalysis(speedUps, 3).figures("speed-up", "publishers").size());
    // Field fault 33: a slowdown has no serial share of 1,454 %
    speedUps.put(2, new SampleSummary(0.1, 0.1, 0.1));
    assertEquals(
        "serial share with n = 3 cores: Amdahl no fit, Gustafson no fit",
        new SpeedUpAnalysis(speedUps, 3).findings("publishers").getFirst().note());
    assertEquals(
        "on one core no law has a serial share",
        new SpeedUpAnalysis(speedUps, 1).findings("x").getFirst().note());
  }

  private static ComparisonResults results(Map<Metric, Double> values) {
    return new ComparisonResults("t", "a", Map.of("a", List.of(new Sample(values))));
  }

  private static ComparisonResults gains(String title, List<Double> a, List<Double> b) {
    Map<String, List<Sample>> samples = new LinkedHashMap<>();
    samples.put("one replica", throughputs(a));
    samples.put("b", throughputs(b));
    return new ComparisonResults(title, "one replica", samples);
  }

  private static List<Sample> throughputs(List<Double> values) {
    List<Sample> samples = new ArrayList<>();
    values.forEach(value -> samples.add(new Sample(Map.of(Metric.THROUGHPUT, value))));
    return samples;
  }
}
