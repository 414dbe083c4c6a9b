package dev.pinion.benchmarks.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.benchmarks.experiment.ComparisonResults;
import dev.pinion.benchmarks.experiment.ExperimentDescription;
import dev.pinion.benchmarks.experiment.Finding;
import dev.pinion.benchmarks.experiment.HardwareRequirement;
import dev.pinion.benchmarks.experiment.Metric;
import dev.pinion.benchmarks.experiment.Sample;
import dev.pinion.benchmarks.experiment.SampleSummary;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ReportTest {
  private static final Metric SPEED = new Metric("speed", "m/s", 1);

  private final Report report =
      new Report(
          new ReportSubject(
              "layout",
              "which is faster",
              new ExperimentDescription("It shows.", "A paper.", HardwareRequirement.ANY, "")),
          List.of("Beware of this machine."),
          new EnvironmentReport(Map.of("cpu", "a fast one")),
          List.of(
              new ComparisonResults(
                  "case", "a", Map.of("a", List.of(new Sample(Map.of(SPEED, 2.0)))))),
          List.of(new Finding("a to b", new SampleSummary(0.5, 0.4, 0.625), "beware")),
          List.of());

  @Test
  void shouldSayEverythingToPeople() {
    String text = report.text();

    assertTrue(text.startsWith("layout: which is faster\n"), text);
    assertTrue(text.contains("cpu  a fast one\n"), text);
    assertTrue(text.contains("\nnote: Beware of this machine.\n"), text);
    assertTrue(text.contains("case (1 round, baseline a)\n"), text);
    assertTrue(text.endsWith("\na to b: 0.50, 0.40 to 0.63 (beware)\n"), text);
  }

  @Test
  void shouldSayEverythingToMachines() {
    JsonNode json = report.json();

    assertEquals("layout", json.at("/experiment").asText());
    assertEquals("which is faster", json.at("/question").asText());
    assertEquals("Beware of this machine.", json.at("/caveats/0").asText());
    assertEquals("a fast one", json.at("/environment/cpu").asText());
    assertEquals(2.0, json.at("/comparisons/0/variants/a/speed/median").asDouble());
    assertEquals("baseline", json.at("/comparisons/0/variants/a/speed/verdict").asText());
    assertEquals("a to b", json.at("/findings/0/name").asText());
    assertEquals(0.5, json.at("/findings/0/median").asDouble());
    assertEquals(0.625, json.at("/findings/0/max").asDouble());
    assertEquals("beware", json.at("/findings/0/note").asText());
  }
}
