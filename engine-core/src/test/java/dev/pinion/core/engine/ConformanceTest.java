package dev.pinion.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.pinion.core.limits.EngineLimits;
import io.cucumber.gherkin.GherkinParser;
import io.cucumber.messages.types.FeatureChild;
import io.cucumber.messages.types.Scenario;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * The conformance features of the Open Workflow specification (its CTK), every scenario in every
 * way to drive the pipeline. {@link PetStore} replaces the live hosts that the features call.
 */
class ConformanceTest {
  /** Scenarios whose tasks are not supported yet. */
  private static final Set<String> OUT_OF_SCOPE =
      Set.of("Call OpenAPI With Content Output", "Call OpenAPI With Response Output", "Emit Task");

  private static final int SCENARIOS = 21;

  @TestFactory
  Stream<DynamicTest> shouldConform() throws IOException {
    List<Scenario> scenarios = inScope();
    return Stream.of(PipelineDriver.Kind.values())
        .flatMap(
            kind ->
                scenarios.stream()
                    .map(
                        scenario ->
                            dynamicTest(
                                kind + ": " + scenario.getName(), () -> run(kind, scenario))));
  }

  private static void run(PipelineDriver.Kind kind, Scenario scenario) throws Exception {
    try (PipelineDriver driver = kind.open(EngineLimits.defaults())) {
      ScenarioRun run = new ScenarioRun(driver);
      for (var step : scenario.getSteps()) {
        run.step(step.getText(), step.getDocString().map(text -> text.getContent()).orElse(""));
      }
    }
  }

  @Test
  void shouldCoverAllButTheScenariosLeftOut() throws IOException {
    List<Scenario> all = scenarios();

    System.out.printf(
        "conformance: %d of %d scenarios are in scope%n", inScope().size(), all.size());
    assertEquals(SCENARIOS, all.size());
    assertEquals(SCENARIOS - OUT_OF_SCOPE.size(), inScope().size());
  }

  private static List<Scenario> inScope() throws IOException {
    return scenarios().stream()
        .filter(scenario -> !OUT_OF_SCOPE.contains(scenario.getName()))
        .toList();
  }

  private static List<Scenario> scenarios() throws IOException {
    Path folder =
        Path.of(System.getProperty("pinion.conformance", "conformance"), "ctk", "main-4d42471");
    assumeTrue(
        Files.isDirectory(folder),
        () -> "skipped: no conformance features at " + folder + " (pinion.conformance)");
    List<Scenario> scenarios = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file :
          files.filter(path -> path.toString().endsWith(".feature")).sorted().toList()) {
        scenarios.addAll(scenarios(file));
      }
    }
    return scenarios;
  }

  private static List<Scenario> scenarios(Path file) throws IOException {
    GherkinParser parser =
        GherkinParser.builder().includeSource(false).includePickles(false).build();
    return parser
        .parse(file)
        .flatMap(envelope -> envelope.getGherkinDocument().stream())
        .flatMap(document -> document.getFeature().stream())
        .flatMap(feature -> feature.getChildren().stream())
        .map(FeatureChild::getScenario)
        .flatMap(scenario -> scenario.stream())
        .toList();
  }
}
