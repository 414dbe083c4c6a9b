package dev.pinion.bootstrap.cli.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pinion.bootstrap.PinionMain;
import dev.pinion.bootstrap.cli.ExitStatus;
import dev.pinion.bootstrap.conformance.ReportFiles;
import dev.pinion.bootstrap.conformance.Scenario;
import dev.pinion.bootstrap.conformance.ScenarioStep;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ConformanceCommandTest {
  private static final String DEFINITION =
      """
      document: {dsl: '1.0.3', namespace: suite, name: command, version: '1.0.0'}
      do:
        - make:
            set: {a: 1}
      """;

  private static final String FEATURE =
      """
      Feature: Added
        # dsl-reference.md: Set
        Scenario: One more
          Given a workflow with definition:
            \"""yaml
            document: {dsl: '1.0.3', namespace: suite, name: added, version: '1.0.0'}
            do:
              - make:
                  set: {a: 1}
            \"""
          When the workflow is executed
          Then the workflow should complete
      """;

  @TempDir private Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private static Scenario scenario(String name, List<String> tags, String expectation) {
    return new Scenario(
        "Feature",
        name,
        "dsl-reference.md: Set",
        "own.feature:1",
        tags,
        List.of(
            new ScenarioStep("a workflow with definition:", DEFINITION),
            new ScenarioStep("the workflow is executed", ""),
            new ScenarioStep(expectation, "")));
  }

  private static final Scenario GOOD = scenario("good", List.of(), "the workflow should complete");
  private static final Scenario BAD =
      scenario("bad | worse", List.of(), "the workflow should fault");
  private static final Scenario LACKING =
      scenario("lacking", List.of("@events"), "the workflow should fault");
  private static final Scenario DEVIATING =
      scenario("deviating", List.of("@deviation"), "the workflow should fault");

  private int run(List<Scenario> suite, String... options) {
    return new CommandLine(new ConformanceCommand(() -> suite))
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(options);
  }

  private int pinion(String... words) {
    return PinionMain.run(words, new PrintWriter(out, true), new PrintWriter(err, true));
  }

  @Test
  void shouldSucceedWhenAllPass() {
    assertEquals(ExitStatus.OK, run(List.of(GOOD)));

    assertTrue(out.toString().contains("dsl-reference.md: Set  1          1"), out.toString());
    assertTrue(out.toString().matches("(?s).*\\R1 scenarios in \\d+\\.\\d s: 1 passed\\R"));
  }

  @Test
  void shouldFailAndTellWhy() {
    assertEquals(ExitStatus.FAILURE, run(List.of(GOOD, BAD)));

    assertTrue(out.toString().contains("own.feature:1: bad | worse"), out.toString());
    assertTrue(
        out.toString().contains("  the workflow should fault expected FAULTED, found COMPLETED"),
        out.toString());
    assertTrue(out.toString().contains(": 1 passed, 1 failed"), out.toString());
  }

  @Test
  void shouldFailForWhatIsMissingButNotForDeviations() {
    assertEquals(ExitStatus.FAILURE, run(List.of(GOOD, LACKING)));
    assertTrue(out.toString().contains(": 1 passed, 1 unsupported"), out.toString());

    assertEquals(ExitStatus.OK, run(List.of(GOOD, DEVIATING)));
    assertTrue(out.toString().contains(": 1 passed, 1 deviates"), out.toString());
  }

  @Test
  void shouldRunFeaturesOfFoldersToo() throws Exception {
    Path features = Files.createDirectory(folder.resolve("features"));
    Files.writeString(features.resolve("added.feature"), FEATURE);

    int status = run(List.of(GOOD), "--json", "--features", features.toString());

    JsonNode report = new ObjectMapper().readTree(out.toString());
    assertEquals(ExitStatus.OK, status);
    assertEquals(2, report.at("/totals/passed").asInt());
    assertTrue(report.path("conforming").asBoolean());
    assertEquals("One more", report.at("/results/1/scenario").asText());
    assertEquals(features.resolve("added.feature") + ":3", report.at("/results/1/source").asText());
  }

  @Test
  void shouldWriteReports() throws Exception {
    Path reports = folder.resolve("some/reports");

    int status = run(List.of(GOOD, BAD, LACKING, DEVIATING), "--out", reports.toString());

    assertEquals(ExitStatus.FAILURE, status);
    String page = Files.readString(reports.resolve(ReportFiles.PAGE));
    assertTrue(
        page.contains(
            "| section | scenarios | passed | failed | unsupported | deviates | skipped |"),
        page);
    assertTrue(page.contains("| dsl-reference.md: Set | 4 | 1 | 1 | 1 | 1 | 0 |"), page);
    assertTrue(page.contains("| all | 4 | 1 | 1 | 1 | 1 | 0 |"), page);
    assertTrue(page.contains("## unsupported"), page);
    assertFalse(page.contains("## skipped"), page);
    assertTrue(page.contains("| bad \\| worse | own.feature:1 |"), page);
    JsonNode json =
        new ObjectMapper().readTree(Files.readString(reports.resolve(ReportFiles.JSON)));
    assertEquals("unsupported", json.at("/results/2/outcome").asText());
    assertEquals("@events", json.at("/results/2/tags/0").asText());
    assertFalse(json.at("/results/0").has("message"));
    assertEquals(4, json.at("/sections/0/scenarios").asInt());
    assertTrue(err.toString().contains("wrote " + reports.resolve(ReportFiles.PAGE)));
  }

  @Test
  void shouldTellFoldersThatCannotBeUsed() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "x");

    assertEquals(ExitStatus.FAILURE, pinion("conformance", "--out", file.toString()));
    assertTrue(err.toString().contains("--out: expected a folder that can be written"));
    String none = folder.resolve("none").toString();
    assertEquals(ExitStatus.NO_INPUT, pinion("conformance", "--features", none));
    assertTrue(err.toString().contains("--features: expected a folder with features at " + none));
    assertEquals(ExitStatus.NO_INPUT, pinion("conformance", "--features", folder.toString()));
    assertTrue(err.toString().contains("expected files *.feature in " + folder));
  }

  @Test
  void shouldTellFeaturesThatAreNoGherkin() throws Exception {
    Files.writeString(
        folder.resolve("broken.feature"), "Feature: A\n  Scenario: B\n  Given x\n  y\n");

    assertEquals(ExitStatus.DATA, pinion("conformance", "--features", folder.toString()));
    assertTrue(err.toString().contains("broken.feature: (4:3)"), err.toString());
  }
}
