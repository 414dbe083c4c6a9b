package dev.pinion.bootstrap.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.invoker.ProtocolClient;
import dev.pinion.core.model.Clock;
import dev.pinion.core.settings.StageLayout;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScenarioRunnerTest {
  private static final String DEFINITION =
      """
      document: {dsl: '1.0.3', namespace: suite, name: runner, version: '1.0.0'}
      do:
        - first:
            set: {n: '${ .n + 1 }', list: [1, 2]}
        - second:
            set: '${ . + {b: 2} }'
      """;

  private final ScenarioRunner runner = new ScenarioRunner(new StageLayout.Fused(1));

  @AfterEach
  void close() {
    runner.close();
  }

  private ScenarioResult run(List<String> tags, String definition, String... steps)
      throws InterruptedException {
    List<ScenarioStep> all =
        new ArrayList<>(
            List.of(
                new ScenarioStep("a workflow with definition:", definition),
                new ScenarioStep("given the workflow input is:", "n: 1"),
                new ScenarioStep("the workflow is executed", "")));
    for (String step : steps) {
      String[] parts = step.split("\n", 2);
      all.add(new ScenarioStep(parts[0], parts.length > 1 ? parts[1] : ""));
    }
    return runner.run(new Scenario("Feature", "Name", "Section", "x.feature:1", tags, all));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "the workflow should complete",
        "the workflow should complete with output:\n{n: 2, list: [1, 2], b: 2}",
        "the workflow output should have properties 'n', 'list', 'list.1'",
        "the workflow output should have a 'list' property containing 2 items",
        "the workflow output should have a 'list.1' property with value:\n2",
        "first should run first",
        "second should run last",
        "second should run after first",
        "first should have run 1 times",
        "second should have run at least 1 times",
        "the workflow should have taken at least PT0S",
        "the service 'GET /a' should have received 0 requests"
      })
  void shouldPassWhatHolds(String step) throws Exception {
    ScenarioResult result = run(List.of(), DEFINITION, step);

    assertEquals(ScenarioOutcome.PASSED, result.outcome(), result.message());
    assertEquals("", result.message());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "the workflow should fault",
        "the workflow should fault with error:\nstatus: 400",
        "the workflow should complete with output:\n{n: 3}",
        "the workflow output should have properties 'n', 'missing'",
        "the workflow output should have a 'list' property containing 3 items",
        "the workflow output should have a 'n' property containing 1 items",
        "second should run first",
        "first should run last",
        "first should run after second",
        "other should run after first",
        "first should have run 2 times",
        "the definition should be refused",
        "the workflow should have taken at least PT1H",
        "the workflow should have taken at least soon",
        "the service 'GET /a' should have received 1 requests",
        "something nobody knows"
      })
  void shouldFailWhatDoesNotHold(String step) throws Exception {
    ScenarioResult result = run(List.of(), DEFINITION, step);

    assertEquals(ScenarioOutcome.FAILED, result.outcome());
    assertTrue(result.message().startsWith(step.lines().findFirst().orElseThrow() + " expected "));
  }

  @Test
  void shouldTellAFaultWhereAnEndIsExpected() throws Exception {
    String definition = DEFINITION.replace(".n + 1", ".n + {}");

    ScenarioResult result = run(List.of(), definition, "the workflow should complete");

    assertTrue(
        result
            .message()
            .startsWith("the workflow should complete expected COMPLETED, found FAULTED {"),
        result.message());
  }

  @Test
  void shouldTellProblemsOfDefinitions() throws Exception {
    String definition = DEFINITION.replace("set:", "sot:");

    assertEquals(
        ScenarioOutcome.PASSED,
        run(List.of(), definition, "the definition should be refused").outcome());
    assertTrue(
        run(List.of(), definition, "the workflow should complete")
            .message()
            .contains("expected a valid definition, found ["));
  }

  @Test
  void shouldNotTakeAMissingFeatureForAMistake() throws Exception {
    String definition =
        DEFINITION
            + "use: {catalogs: {c: {endpoint: {uri: 'https://localhost/', authentication: {basic:"
            + " {username: a, password: b}}}}}}\n";

    ScenarioResult result =
        run(List.of("@catalogs"), definition, "the definition should be refused");

    assertEquals(ScenarioOutcome.UNSUPPORTED, result.outcome());
  }

  @Test
  void shouldTellApartWhyScenariosFail() throws Exception {
    String fails = "the workflow should fault";
    String passes = "the workflow should complete";

    assertEquals(ScenarioOutcome.UNSUPPORTED, run(List.of("@events"), DEFINITION, fails).outcome());
    assertEquals(ScenarioOutcome.DEVIATES, run(List.of("@deviation"), DEFINITION, fails).outcome());
    assertEquals(ScenarioOutcome.FAILED, run(List.of("@requires:sh"), DEFINITION, fails).outcome());
    assertTrue(run(List.of("@events"), DEFINITION, passes).isUnexpectedPass());
    assertTrue(run(List.of("@deviation"), DEFINITION, passes).isUnexpectedPass());
    assertFalse(run(List.of(), DEFINITION, passes).isUnexpectedPass());
  }

  @Test
  void shouldSkipWhatNeedsMissingPrograms() throws Exception {
    ScenarioResult result =
        run(List.of("@requires:no-such-program|nor-this"), DEFINITION, "nothing");

    assertEquals(ScenarioOutcome.SKIPPED, result.outcome());
    assertEquals("expected no-such-program or nor-this on PATH, found none", result.message());
  }

  @Test
  void shouldFindProgramsInFolders(@TempDir Path folder) throws Exception {
    Path program = Files.createFile(folder.resolve("tool"));
    InstalledPrograms programs = new InstalledPrograms(List.of(folder));
    Scenario scenario = new Scenario("", "", "", "", List.of("@requires:other|tool"), List.of());

    assertEquals(Optional.of("other or tool"), programs.missing(scenario));
    assertTrue(program.toFile().setExecutable(true));
    assertEquals(Optional.empty(), programs.missing(scenario));
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void shouldAskContainerEnginesWhetherTheyRun(@TempDir Path folder) throws Exception {
    Path docker = folder.resolve("docker");
    Scenario scenario = new Scenario("", "", "", "", List.of("@requires:docker"), List.of());
    InstalledPrograms programs = new InstalledPrograms(List.of(folder));

    Files.writeString(docker, "#!/bin/sh\nexit 1\n");
    assertTrue(docker.toFile().setExecutable(true));
    assertEquals(Optional.of("docker"), programs.missing(scenario));
    Files.writeString(docker, "#!/bin/sh\n[ \"$1\" = info ]\n");
    assertEquals(Optional.empty(), programs.missing(scenario));
  }

  @Test
  void shouldStartWithoutWaitingAndWaitForTasks() throws Exception {
    ScenarioResult result =
        runner.run(
            started(
                new ScenarioStep("the workflow waits in pause", ""),
                new ScenarioStep("the workflow should complete with output:", "done: true"),
                new ScenarioStep("the workflow should have taken at least PT0.05S", "")));

    assertEquals(ScenarioOutcome.PASSED, result.outcome(), result.message());
  }

  @Test
  void shouldPublishEvents() throws Exception {
    ScenarioResult result =
        runner.run(
            started(
                new ScenarioStep("the event is published:", "{type: a.b, data: {n: 1}}"),
                new ScenarioStep("the workflow should complete", "")));

    assertEquals(ScenarioOutcome.PASSED, result.outcome(), result.message());
  }

  @Test
  void shouldTellEventsThatTheEngineDoesNotTake() throws Exception {
    ScenarioResult result =
        runner.run(
            started(new ScenarioStep("the event is published:", "{type: a.b, source: 'a b'}")));

    assertTrue(
        result.message().startsWith("the event is published: expected an event that is taken"),
        result.message());
  }

  @Test
  void shouldTellWhatIsNoEvent() throws Exception {
    ScenarioResult result = runner.run(started(new ScenarioStep("the event is published:", "[1]")));

    assertTrue(result.message().contains("expected an object"), result.message());
  }

  private static Scenario started(ScenarioStep... steps) {
    String definition =
        """
        document: {dsl: '1.0.3', namespace: suite, name: waits, version: '1.0.0'}
        do:
          - pause:
              wait: PT0.05S
          - done:
              set: {done: true}
        """;
    List<ScenarioStep> all =
        new ArrayList<>(
            List.of(
                new ScenarioStep("a workflow with definition:", definition),
                new ScenarioStep("the workflow is started", "")));
    all.addAll(List.of(steps));
    return new Scenario("Feature", "Name", "Section", "x.feature:1", List.of(), all);
  }

  @Test
  void shouldUseAnEngineAgainOnlyWhenNothingIsLeftInIt() throws Exception {
    Clock clock = Clock.system();
    try (HttpClient client = HttpClient.newHttpClient();
        EnginePool pool =
            new EnginePool(new StageLayout.Fused(1), () -> ProtocolClient.NONE, client, clock)) {
      ConformanceEngine first = pool.take();
      assertTrue(first.deploy(DEFINITION).ok());
      pool.giveBack(first, true);
      ConformanceEngine second = pool.take();
      assertSame(first, second);
      assertEquals(201, second.deploy(DEFINITION.replace("b: 2", "b: 3")).status());
      pool.giveBack(second, false);
      ConformanceEngine third = pool.take();
      assertNotSame(second, third);
      String sleeper =
          """
          document: {dsl: '1.0.3', namespace: suite, name: sleeper, version: '1.0.0'}
          do:
            - sleep:
                wait: PT1H
          """;
      ConformanceEngine.Response deployed = third.deploy(sleeper);
      third.start(deployed.body(), JsonExpectation.parse("{}"), Duration.ZERO);
      pool.giveBack(third, true);
      assertNotSame(third, pool.take());
    }
  }
}
