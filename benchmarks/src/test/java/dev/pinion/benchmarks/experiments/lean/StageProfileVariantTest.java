package dev.pinion.benchmarks.experiments.lean;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.benchmarks.experiment.Metric;
import dev.pinion.bootstrap.profile.PipelineStage;
import dev.pinion.bootstrap.profile.ProfileKind;
import dev.pinion.bootstrap.profile.ProfileRow;
import dev.pinion.bootstrap.protocol.ProfiledProcess;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StageProfileVariantTest {
  @Test
  void shouldDivideProcessorTimeAsSamplesSay() throws Exception {
    Map<Metric, Double> values =
        StageProfileVariant.divided(
            List.of(
                row(ProfileKind.CPU, PipelineStage.KERNEL, 20),
                row(ProfileKind.CPU, PipelineStage.KERNEL, 30),
                row(ProfileKind.CPU, PipelineStage.JOURNAL, 10),
                row(ProfileKind.CPU, PipelineStage.GC, 30),
                row(ProfileKind.CPU, PipelineStage.PROFILER, 10),
                row(ProfileKind.WAITING, PipelineStage.JOURNAL, 1_000),
                row(ProfileKind.DISK, PipelineStage.JOURNAL, 40),
                row(ProfileKind.DISK, PipelineStage.JOURNAL, 60)),
            50);

    assertEquals(25, value(values, StageProfileVariant.cpu(PipelineStage.KERNEL)), 1e-9);
    assertEquals(5, value(values, StageProfileVariant.cpu(PipelineStage.JOURNAL)), 1e-9);
    assertEquals(0, value(values, StageProfileVariant.cpu(PipelineStage.INVOKER)), 1e-9);
    assertEquals(20, value(values, StageProfileVariant.ELSE), 1e-9);
    assertEquals(25, value(values, StageProfileVariant.busy(PipelineStage.KERNEL)), 1e-9);
    assertEquals(40_000, value(values, StageProfileVariant.rate(PipelineStage.KERNEL)), 1e-6);
    assertEquals(5 + 50, value(values, StageProfileVariant.busy(PipelineStage.JOURNAL)), 1e-9);
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
    List<ProfileRow> rows = List.of(row(ProfileKind.ALLOCATION, PipelineStage.KERNEL, 7));

    MeasurementException refusal =
        assertThrows(MeasurementException.class, () -> StageProfileVariant.divided(rows, 50));

    assertEquals("expected CPU time in a profile, found none", refusal.getMessage());
  }

  private static double value(Map<Metric, Double> values, Metric metric) {
    return values.getOrDefault(metric, Double.NaN);
  }

  private static ProfileRow row(ProfileKind profileKind, PipelineStage stage, double amount) {
    ProfileRow.TaskOrigin nobody = new ProfileRow.TaskOrigin("", "", "");
    return new ProfileRow(
        new ProfileRow.Site(profileKind, ProfiledProcess.replica(0), "fused", stage, nobody, "", 0),
        amount,
        1);
  }
}
