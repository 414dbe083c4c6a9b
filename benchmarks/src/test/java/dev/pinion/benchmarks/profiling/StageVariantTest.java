package dev.pinion.benchmarks.profiling;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.benchmarks.experiment.Metric;
import dev.pinion.bootstrap.process.ProfiledProcess;
import dev.pinion.bootstrap.profile.Kind;
import dev.pinion.bootstrap.profile.PipelineStage;
import dev.pinion.bootstrap.profile.Row;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StageVariantTest {
  @Test
  void shouldDivideProcessorTimeAsSamplesSay() throws Exception {
    Map<Metric, Double> values =
        StageVariant.divided(
            List.of(
                row(Kind.CPU, PipelineStage.KERNEL, 20),
                row(Kind.CPU, PipelineStage.KERNEL, 30),
                row(Kind.CPU, PipelineStage.JOURNAL, 10),
                row(Kind.CPU, PipelineStage.GC, 30),
                row(Kind.CPU, PipelineStage.PROFILER, 10),
                row(Kind.WAITING, PipelineStage.JOURNAL, 1_000),
                row(Kind.DISK, PipelineStage.JOURNAL, 40),
                row(Kind.DISK, PipelineStage.JOURNAL, 60)),
            50);

    assertEquals(25, value(values, StageVariant.cpu(PipelineStage.KERNEL)), 1e-9);
    assertEquals(5, value(values, StageVariant.cpu(PipelineStage.JOURNAL)), 1e-9);
    assertEquals(0, value(values, StageVariant.cpu(PipelineStage.INVOKER)), 1e-9);
    assertEquals(20, value(values, StageVariant.ELSE), 1e-9);
    assertEquals(25, value(values, StageVariant.busy(PipelineStage.KERNEL)), 1e-9);
    assertEquals(40_000, value(values, StageVariant.rate(PipelineStage.KERNEL)), 1e-6);
    assertEquals(5 + 50, value(values, StageVariant.busy(PipelineStage.JOURNAL)), 1e-9);
    assertEquals(
        50,
        values.entrySet().stream()
            .filter(each -> each.getKey().name().startsWith("cpu of "))
            .mapToDouble(Map.Entry::getValue)
            .sum(),
        1e-9);
  }

  @Test
  void shouldRefuseAProfileWithoutCpuTime() {
    List<Row> rows = List.of(row(Kind.ALLOCATION, PipelineStage.KERNEL, 7));

    MeasurementException refusal =
        assertThrows(MeasurementException.class, () -> StageVariant.divided(rows, 50));

    assertEquals("expected CPU time in a profile, found none", refusal.getMessage());
  }

  private static double value(Map<Metric, Double> values, Metric metric) {
    return values.getOrDefault(metric, Double.NaN);
  }

  private static Row row(Kind kind, PipelineStage stage, double amount) {
    Row.Work nobody = new Row.Work("", "", "");
    return new Row(
        new Row.Place(kind, ProfiledProcess.replica(0), "fused", stage, nobody, "", 0), amount, 1);
  }
}
