package dev.pinion.benchmarks.testbed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.benchmarks.experiment.ComparisonResults;
import dev.pinion.benchmarks.experiment.Finding;
import dev.pinion.benchmarks.experiment.Metric;
import dev.pinion.benchmarks.experiment.Sample;
import dev.pinion.benchmarks.experiment.SampleSummary;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class YardstickFindingsTest {
  @Test
  void shouldCompareTheEngineWithTheBareExchangeAndThatWithTheEcho() {
    ComparisonResults comparisonResults =
        results(
            Map.of(
                "engine-fused", sample(700, 7, 1.0),
                "bare", sample(1000, 7, 1.0),
                "echo", sample(8000, 1, 1.0)));

    List<Finding> findings = YardstickFindings.of(comparisonResults);

    assertEquals(
        List.of(
            "engine-fused to bare, throughput",
            "engine-fused to bare, per CPU second",
            "bare to echo, exchanges",
            "bare to echo, exchanges per CPU second"),
        findings.stream().map(Finding::name).toList());
    assertEquals(new SampleSummary(0.7, 0.7, 0.7), findings.getFirst().ratio());
    assertEquals(new SampleSummary(0.875, 0.875, 0.875), findings.get(2).ratio());
    assertTrue(findings.stream().allMatch(finding -> finding.note().isEmpty()));
  }

  @Test
  void shouldNoteAnEchoThatDidNotFillItsCore() {
    ComparisonResults comparisonResults =
        results(Map.of("bare", sample(1000, 7, 0.99), "echo", sample(8000, 1, 0.8)));

    List<Finding> findings = YardstickFindings.of(comparisonResults);

    assertEquals("echo used only 0.80 of a core.", findings.getFirst().note());
    assertEquals("", findings.getLast().note());
    assertEquals(7000 / 0.99 / (8000 / 0.8), findings.getLast().ratio().median(), 1e-9);
  }

  @Test
  void shouldFindNothingWithoutAYardstick() {
    Map<String, List<Sample>> engines = new LinkedHashMap<>();
    engines.put("engine-fused", List.of(sample(1, 7, 1)));

    assertEquals(
        List.of(), YardstickFindings.of(new ComparisonResults("t", "engine-fused", engines)));
  }

  private static ComparisonResults results(Map<String, Sample> samples) {
    Map<String, List<Sample>> rounds = new LinkedHashMap<>();
    for (String name : List.of("engine-fused", "bare", "echo")) {
      Sample sample = samples.get(name);
      if (sample != null) {
        rounds.put(name, List.of(sample));
      }
    }
    return new ComparisonResults("t", "bare", rounds);
  }

  private static Sample sample(double throughput, int exchanges, double busy) {
    Map<Metric, Double> values = new LinkedHashMap<>();
    values.put(Metric.THROUGHPUT, throughput);
    values.put(LoadVariant.EXCHANGES, throughput * exchanges);
    values.put(LoadVariant.PER_CPU, throughput * exchanges / busy);
    values.put(LoadVariant.BUSY, busy);
    return new Sample(values);
  }
}
