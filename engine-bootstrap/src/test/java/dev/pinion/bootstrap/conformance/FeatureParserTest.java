package dev.pinion.bootstrap.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class FeatureParserTest {
  private static List<Scenario> parse(String text) throws FeatureSyntaxException {
    return FeatureParser.parse("some.feature", text);
  }

  @Test
  void shouldReadStepsWithTheirTextBlocks() throws Exception {
    List<Scenario> scenarios =
        parse(
            """
            Feature: Set
              Scenario: One
                Given a workflow with definition:
                  \"""yaml
                  do: []
                    more: 1
                  \"""
                When the workflow is executed
            """);

    assertEquals(
        List.of(
            new ScenarioStep("a workflow with definition:", "do: []\n  more: 1"),
            new ScenarioStep("the workflow is executed", "")),
        scenarios.getFirst().steps());
    assertEquals("some.feature:2", scenarios.getFirst().source());
    assertEquals("Set", scenarios.getFirst().feature());
  }

  @Test
  void shouldTakeTheSectionFromTheCommentBeforeTheScenario() throws Exception {
    List<Scenario> scenarios =
        parse(
            """
            # dsl.md: Not of the second
            Feature: Flow
              # dsl-reference.md: Switch
              # another comment
              @tagged
              Scenario: One
                When the workflow is executed

              Scenario: Two
                When the workflow is executed

              # dsl.md: Task Flow
              Scenario: Three
                When the workflow is executed
            """);

    assertEquals(
        List.of("dsl-reference.md: Switch", "Flow", "dsl.md: Task Flow"),
        scenarios.stream().map(Scenario::section).toList());
  }

  @Test
  void shouldFillOutlinesAndRepeatBackgrounds() throws Exception {
    List<Scenario> scenarios =
        parse(
            """
            Feature: Set
              Background:
                Given a workflow with definition:
                  \"""
                  x
                  \"""
              # dsl.md: A
              Scenario Outline: Value <v>
                Then <v> should run first

                Examples:
                  | v   |
                  | one |
                  | two |
            """);

    assertEquals(
        List.of("Value one", "Value two"), scenarios.stream().map(Scenario::name).toList());
    assertEquals(
        List.of("a workflow with definition:", "two should run first"),
        scenarios.getLast().steps().stream().map(ScenarioStep::text).toList());
    assertEquals("dsl.md: A", scenarios.getLast().section());
  }

  @Test
  void shouldFindScenariosOfRules() throws Exception {
    List<Scenario> scenarios =
        parse(
            """
            Feature: Set
              Rule: Some
                # dsl.md: Rules
                Scenario: One
                  When the workflow is executed
            """);

    assertEquals("dsl.md: Rules", scenarios.getFirst().section());
  }

  @Test
  void shouldTellFeaturesDeviationsAndProgramsByTags() throws Exception {
    Scenario scenario =
        parse(
                """
                @events
                Feature: Listen
                  @deviation @auth @requires:docker|podman
                  Scenario: One
                    When the workflow is executed
                """)
            .getFirst();

    assertEquals(List.of("@events", "@auth"), scenario.missingFeatures());
    assertTrue(scenario.isDeviation());
    assertEquals(List.of(List.of("docker", "podman")), scenario.requiredPrograms());
  }

  @Test
  void shouldTellWhereAFileIsNoGherkin() {
    FeatureSyntaxException e =
        assertThrows(
            FeatureSyntaxException.class,
            () -> parse("Feature: A\n  Scenario: B\n    Given x\n    Wen y\n"));

    assertTrue(String.valueOf(e.getMessage()).startsWith("some.feature: (4:5)"), e.getMessage());
  }

  @Test
  void shouldFindNothingInFilesWithoutFeature() throws Exception {
    assertEquals(List.of(), parse("# nothing but a comment\n"));
  }
}
