package dev.pinion.benchmarks.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class InterleavedRunTest {
  private static final Metric SPEED = new Metric("speed", "1/s", 0);

  private final List<String> log = new ArrayList<>();

  @Test
  void shouldMeasureAllComparisonsInEveryRound() throws Exception {
    // given
    List<Comparison> comparisons =
        List.of(
            new Comparison("x", List.of(variant("x", "a"), variant("x", "b")), "a"),
            new Comparison("y", List.of(variant("y", "a"), variant("y", "b")), "a"));
    List<String> steps = new ArrayList<>();

    // when
    List<ComparisonResults> results = InterleavedRun.of(comparisons, 2, steps::add);

    // then
    assertEquals(
        List.of(
            "xa warm", "xb warm", "ya warm", "yb warm", "xa", "xb", "ya", "yb", "yb", "ya", "xb",
            "xa"),
        log);
    assertEquals(List.of("x", "y"), results.stream().map(ComparisonResults::title).toList());
    assertEquals(2, results.getLast().rounds());
    assertEquals(12, steps.size());
    assertEquals(12, comparisons.stream().mapToInt(each -> each.steps(2)).sum());
  }

  @Test
  void shouldSayWhatAMachineLacks() {
    HardwareRequirement wanted = new HardwareRequirement(8, 2);

    assertEquals(List.of(), wanted.missing(new MachineSize(8, 2, false)));
    List<String> missing = wanted.missing(new MachineSize(7, 1, true));
    assertEquals(3, missing.size(), missing::toString);
    assertTrue(missing.getFirst().contains("at least 8 CPUs, found 7"), missing::toString);
    assertTrue(missing.get(1).contains("at least 2 last-level caches, found 1"), missing::toString);
    assertEquals("at least 2 CPUs", HardwareRequirement.ANY.text());
    assertEquals("any machine", HardwareRequirement.NONE.text());
    assertEquals(List.of(), HardwareRequirement.NONE.missing(new MachineSize(1, 1, true)));
  }

  @Test
  void shouldEstimateItsTime() {
    ExperimentDescription.Extent extent =
        new ExperimentDescription.Extent(2, 3, Duration.ofSeconds(1));

    // 2 engines of 4 s, 3 variants of 10 s and 5 rounds of 1 + 11 s
    assertEquals(
        Duration.ofSeconds(8 + 3 * (10 + 5 * 12)),
        extent.time(Duration.ofSeconds(10), Duration.ofSeconds(11), 5));
    assertEquals(
        Duration.ofSeconds(8 + 10 + 3 * 5 * 12),
        extent.withWarm(2).time(Duration.ofSeconds(10), Duration.ofSeconds(11), 5));
  }

  private Variant variant(String comparison, String name) {
    return new Variant() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public void warmUp() {
        log.add(comparison + name + " warm");
      }

      @Override
      public Sample measure() {
        log.add(comparison + name);
        return new Sample(Map.of(SPEED, 1.0));
      }
    };
  }
}
