package dev.pinion.bootstrap.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.pinion.bootstrap.client.ProtocolClients;
import dev.pinion.core.model.Clock;
import dev.pinion.core.settings.StageLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The own suite, and the features of the specification's kit (its CTK) in several layouts. */
class ConformanceTest {
  /** Scenarios of the kit whose tasks the engine lacks. */
  private static final Set<String> OUT_OF_SCOPE =
      Set.of("Call OpenAPI With Content Output", "Call OpenAPI With Response Output");

  private static final int KIT = 21;
  private static final int LEAST_OF_SUITE = 200;

  /**
   * A scenario with tags that name a missing feature, or a deviation, must fail: whoever builds the
   * feature removes the tag.
   */
  @TestFactory
  Stream<DynamicTest> shouldPassTheOwnSuite() throws Exception {
    ConformanceReport report =
        new ConformanceRun(
                Clock.system(), ProtocolClients::unrestricted, (done, all) -> {})
            .run(FeatureLibrary.ownSuite());
    return report.results().stream()
        .map(each -> dynamicTest(name(each.scenario()), () -> checkAgainstTags(each)));
  }

  private static String name(Scenario scenario) {
    return scenario.source() + " " + scenario.name();
  }

  private static void checkAgainstTags(ScenarioResult result) {
    if (result.outcome() == ScenarioOutcome.SKIPPED) {
      abort("skipped: " + result.message());
    }
    assertFalse(
        result.isUnexpectedPass(),
        () -> "it passes: remove its tags " + result.scenario().tags() + " from the feature");
    assertFalse(result.outcome() == ScenarioOutcome.FAILED, result::message);
  }

  @Test
  void shouldNameTheSectionOfEachScenario() throws Exception {
    List<Scenario> scenarios = FeatureLibrary.ownSuite();

    assertTrue(scenarios.size() >= LEAST_OF_SUITE, () -> "scenarios: " + scenarios.size());
    assertEquals(
        List.of(),
        scenarios.stream()
            .filter(each -> !each.section().matches("dsl(-reference)?\\.md: \\w.*"))
            .map(Scenario::source)
            .toList());
  }

  @Test
  void shouldGiveScenariosDifferentNames() throws Exception {
    Set<String> names = new TreeSet<>();

    assertEquals(
        List.of(),
        FeatureLibrary.ownSuite().stream()
            .map(each -> each.feature() + ": " + each.name())
            .filter(each -> !names.add(each))
            .toList());
  }

  @TestFactory
  Stream<DynamicTest> shouldPassTheKit() throws Exception {
    List<Scenario> scenarios = kit();
    return Stream.of("fused:1", "fused:2", "pipelined:1+1+1")
        .flatMap(
            layout ->
                scenarios.stream()
                    .filter(each -> !OUT_OF_SCOPE.contains(each.name()))
                    .map(
                        each -> dynamicTest(layout + ": " + each.name(), () -> run(layout, each))));
  }

  private static void run(String layout, Scenario scenario) throws Exception {
    try (ScenarioRunner runner = new ScenarioRunner(StageLayout.parse(layout))) {
      ScenarioResult result = runner.run(scenario);

      assertEquals(ScenarioOutcome.PASSED, result.outcome(), result::message);
    }
  }

  @Test
  void shouldLeaveOutOnlyWhatTheEngineLacks() throws Exception {
    List<Scenario> all = kit();

    assertEquals(KIT, all.size());
    try (ScenarioRunner runner = new ScenarioRunner(new StageLayout.Fused(1))) {
      for (Scenario each : all) {
        if (OUT_OF_SCOPE.contains(each.name())) {
          ScenarioResult result = runner.run(each);
          assertEquals(
              ScenarioOutcome.FAILED,
              result.outcome(),
              () -> "it passes: remove it from OUT_OF_SCOPE: " + each.name());
        }
      }
    }
    assertTrue(
        all.stream().map(Scenario::name).collect(Collectors.toSet()).containsAll(OUT_OF_SCOPE));
  }

  private static List<Scenario> kit() throws Exception {
    Path folder =
        Path.of(System.getProperty("pinion.conformance", "conformance"), "ctk", "main-4d42471");
    assumeTrue(
        Files.isDirectory(folder),
        () -> "skipped: no conformance features at " + folder + " (pinion.conformance)");
    return FeatureLibrary.in(folder);
  }
}
