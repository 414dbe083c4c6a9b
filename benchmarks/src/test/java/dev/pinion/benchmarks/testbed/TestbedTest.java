package dev.pinion.benchmarks.testbed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.pinion.benchmarks.bare.CallPattern;
import dev.pinion.benchmarks.experiment.Comparison;
import dev.pinion.benchmarks.experiment.ComparisonResults;
import dev.pinion.benchmarks.experiment.Finding;
import dev.pinion.benchmarks.experiment.Metric;
import dev.pinion.benchmarks.experiment.RunProgress;
import dev.pinion.bootstrap.topology.CpuSet;
import dev.pinion.workloads.catalog.Workload;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bare exchange and echo as real processes under the load generator; numbers are not checked. */
final class TestbedTest {
  @Test
  void shouldMeasureYardstickAndEchoWithEveryCallAccountedFor(@TempDir Path data) throws Exception {
    CpuSet allowed = CpuPlacement.allowed();
    assumeTrue(allowed.size() > 1, "needs two CPUs: one for the yardstick, one for the load");
    LoadSettings load =
        new LoadSettings(
            4,
            new LoadTimes(
                Duration.ofMillis(200),
                Duration.ofMillis(200),
                Duration.ofMillis(200),
                Duration.ofSeconds(1)),
            1,
            Duration.ZERO,
            null);
    ComparisonResults comparisonResults;
    try (Testbed testbed =
        new Testbed(Path.of("no-launcher"), data, CpuPlacement.of(null, null, allowed))) {
      Comparison comparison =
          new Comparison(
              "test",
              List.of(
                  testbed.bare(CallPattern.PARALLEL, load), testbed.echo(Workload.PARALLEL, load)),
              "bare");
      assertEquals(Set.of("bare", "echo"), testbed.flags().keySet());

      // when: a wrong response or an extra call would end it
      comparisonResults = comparison.run(1, RunProgress.SILENT);
    }

    assertTrue(comparisonResults.summary("bare", Metric.THROUGHPUT).min() > 0);
    assertEquals(
        7 * comparisonResults.summary("bare", Metric.THROUGHPUT).median(),
        comparisonResults.summary("bare", LoadVariant.EXCHANGES).median(),
        1e-6);
    assertEquals(
        List.of("bare to echo, exchanges", "bare to echo, exchanges per CPU second"),
        YardstickFindings.of(comparisonResults).stream().map(Finding::name).toList());
  }
}
