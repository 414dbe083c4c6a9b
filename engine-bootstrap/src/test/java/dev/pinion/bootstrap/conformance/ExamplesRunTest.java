package dev.pinion.bootstrap.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.pinion.bootstrap.client.ProtocolClients;
import dev.pinion.bootstrap.handlerhost.NatsProcess;
import dev.pinion.core.model.Clock;
import dev.pinion.core.settings.StageLayout;
import io.nats.client.Connection;
import io.nats.client.Message;
import io.nats.client.Nats;
import io.nats.client.Subscription;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs the examples of both editions of the specification through whole engines. */
class ExamplesRunTest {
  private static final String MAIN = "main-4d42471";
  private static final String RELEASE = "v1.0.3";
  private static final String OVER_NATS = "call-asyncapi-publish.yaml";
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  /** Examples that need a container engine. */
  private static final Set<String> LEFT_OUT =
      Set.of(
          "run-container-cleanup-always.yaml",
          "run-container-cleanup-eventually.yaml",
          "run-container-stdin-and-arguments.yaml",
          "run-container-with-name.yaml",
          "run-container-with-pull-policy.yaml",
          "run-container.yaml",
          "run-return-all.yaml",
          "run-return-code.yaml",
          "run-return-none.yaml",
          "run-return-stderr.yaml");

  @TempDir private static Path folder;
  private static ExamplePartners partners;

  @BeforeAll
  static void start() throws IOException, InterruptedException {
    partners = new ExamplePartners(folder);
  }

  @AfterAll
  static void stop() {
    partners.close();
  }

  private static Path examples(String edition) {
    Path examples =
        Path.of(System.getProperty("pinion.conformance", "conformance"), "examples", edition);
    assumeTrue(
        Files.isDirectory(examples),
        () -> "skipped: no examples at " + examples + " (pinion.conformance)");
    return examples;
  }

  /** The rows whose example the edition has. */
  private static List<Scenario> rows(Path examples) throws IOException, FeatureSyntaxException {
    return ExampleTable.rows().stream()
        .filter(row -> Files.exists(examples.resolve(ExampleTable.example(row))))
        .toList();
  }

  @ParameterizedTest
  @CsvSource({MAIN + ", 58", RELEASE + ", 56"})
  void shouldHaveARowForEachExampleWithoutContainers(String edition, int number) throws Exception {
    Path examples = examples(edition);
    Set<String> expected;
    try (Stream<Path> files = Files.list(examples)) {
      expected =
          files
              .map(file -> file.getFileName().toString())
              .filter(name -> name.endsWith(".yaml") && !LEFT_OUT.contains(name))
              .collect(Collectors.toCollection(TreeSet::new));
    }

    assertEquals(
        expected,
        rows(examples).stream()
            .map(ExampleTable::example)
            .collect(Collectors.toCollection(TreeSet::new)));
    assertEquals(number, expected.size());
  }

  @TestFactory
  Stream<DynamicTest> shouldRunExamplesOfTheMainBranch() throws Exception {
    return results(MAIN);
  }

  @TestFactory
  Stream<DynamicTest> shouldRunExamplesOfTheRelease() throws Exception {
    return results(RELEASE);
  }

  private static Stream<DynamicTest> results(String edition) throws Exception {
    Path examples = examples(edition);
    List<Scenario> scenarios = new ArrayList<>();
    for (Scenario row : rows(examples)) {
      if (!ExampleTable.example(row).equals(OVER_NATS)) {
        scenarios.add(ExampleTable.filled(row, examples, partners::resolved));
      }
    }
    List<ScenarioResult> results =
        new ConformanceRun(Clock.system(), ProtocolClients::unrestricted, (done, all) -> {})
            .run(scenarios)
            .results();
    return results.stream()
        .map(each -> dynamicTest(name(each.scenario()), () -> requirePassed(each)));
  }

  private static String name(Scenario scenario) {
    return scenario.source() + " " + scenario.name();
  }

  private static void requirePassed(ScenarioResult result) {
    if (result.outcome() == ScenarioOutcome.SKIPPED) {
      abort("skipped: " + result.message());
    }
    assertEquals(ScenarioOutcome.PASSED, result.outcome(), result::message);
  }

  @ParameterizedTest
  @ValueSource(strings = {MAIN, RELEASE})
  void shouldSendTheMessageOfAnExampleOverNats(String edition) throws Exception {
    Path examples = examples(edition);
    Scenario row =
        rows(examples).stream()
            .filter(each -> ExampleTable.example(each).equals(OVER_NATS))
            .findFirst()
            .orElseThrow();
    try (NatsProcess server = NatsProcess.start();
        ScenarioRunner runner =
            new ScenarioRunner(new StageLayout.Fused(1), ProtocolClients::unrestricted)) {
      Scenario scenario =
          ExampleTable.filled(
              row,
              examples,
              text -> partners.resolved(text).replace("nats://nats.example", server.url()));
      Connection connection = Nats.connect(server.url());
      try {
        Subscription pets = connection.subscribe("pets");
        connection.flush(PATIENCE);

        requirePassed(runner.run(scenario));

        Message message = Objects.requireNonNull(pets.nextMessage(PATIENCE), "no message");
        assertEquals(
            JsonExpectation.parse("petId: 7"),
            JsonExpectation.parse(new String(message.getData(), StandardCharsets.UTF_8)));
      } finally {
        connection.close();
      }
    }
  }
}
