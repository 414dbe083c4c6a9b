package dev.pinion.benchmarks.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class EnvironmentReportTest {
  @Test
  void shouldReportEveryFactOrSayThatItIsUnknown(@TempDir Path noRepository) {
    EnvironmentReport report = EnvironmentReport.take(noRepository);

    List<String> facts = new ArrayList<>(report.facts().keySet());
    facts.remove(EnvironmentReport.WARNING); // on a busy machine
    assertEquals(
        List.of(
            "cpu",
            "cpus allowed",
            "governor",
            "load before",
            "kernel",
            "architecture",
            "jdk",
            "flags",
            "pinion",
            "commit"),
        facts);
    assertTrue(report.facts().getOrDefault("jdk", "").contains("25"));
    assertFalse(report.facts().getOrDefault("kernel", "").isEmpty());
  }

  // Field fault 33
  @Test
  void shouldWarnOfABusyMachine() {
    assertEquals(Optional.empty(), EnvironmentReport.warning(1, 2));
    assertEquals(Optional.empty(), EnvironmentReport.warning(-1, 2));
    String warning = EnvironmentReport.warning(12, 2).orElseThrow();
    assertTrue(warning.contains("load average 12.0 on 2 CPUs"), warning);
  }

  @Test
  void shouldGiveTheSameFactsAsTextAndAsJson(@TempDir Path noRepository) {
    EnvironmentReport report = EnvironmentReport.take(noRepository).with("engine cpus", "0");

    assertEquals("0", report.json().path("engine cpus").asText());
    assertTrue(report.text().contains("engine cpus   0\n"), report.text());
    assertEquals(report.facts().size(), report.text().lines().count());
    assertEquals(report.facts().size(), report.json().size());
  }
}
