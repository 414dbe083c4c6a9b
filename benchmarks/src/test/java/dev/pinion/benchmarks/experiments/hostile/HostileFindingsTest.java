package dev.pinion.benchmarks.experiments.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.pinion.benchmarks.experiment.ComparisonResults;
import dev.pinion.benchmarks.experiment.Finding;
import dev.pinion.benchmarks.experiment.Metric;
import dev.pinion.benchmarks.experiment.Sample;
import dev.pinion.benchmarks.experiment.SampleSummary;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class HostileFindingsTest {
  @Test
  void shouldCompareLatencyAndMemoryWithTheirTargets() {
    ComparisonResults comparisonResults =
        new ComparisonResults(
            "fused",
            "calm",
            Map.of("calm", List.of(sample(2, 100)), "hostile", List.of(sample(4, 111))));

    List<Finding> findings = HostileFindings.of(comparisonResults);

    assertEquals(
        List.of(
            new Finding(
                "fused: p99, hostile to calm",
                new SampleSummary(2, 2, 2),
                "within the target of 2.00"),
            new Finding(
                "fused: rss, hostile to calm",
                new SampleSummary(1.11, 1.11, 1.11),
                "above the target of 1.10")),
        findings);
  }

  private static Sample sample(double p99, double memory) {
    return new Sample(Map.of(Metric.P99, p99, HostileVariant.MEMORY, memory));
  }
}
