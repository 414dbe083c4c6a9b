package dev.pinion.bootstrap.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Steps that check how a workflow ended and what it ran. */
final class OutcomeSteps {
  private static final Pattern QUOTED = Pattern.compile("'([^']*)'");

  static final List<StepDefinition> OF_THE_KIT =
      List.of(
          new StepDefinition(
              "the workflow should complete", (run, words, text) -> run.requireState("COMPLETED")),
          new StepDefinition(
              "the workflow should fault", (run, words, text) -> run.requireState("FAULTED")),
          new StepDefinition(
              "the workflow should complete with output:",
              (run, words, text) ->
                  JsonExpectation.same("output", JsonExpectation.parse(text), run.output())),
          new StepDefinition(
              "the workflow should fault with error:", (run, words, text) -> faults(run, text)),
          new StepDefinition(
              "the workflow output should have properties {list}",
              (run, words, text) -> hasProperties(run, words.getFirst())),
          new StepDefinition(
              "the workflow output should have a '{path}' property with value:",
              (run, words, text) ->
                  JsonExpectation.same(
                      words.getFirst(), JsonExpectation.parse(text), at(run, words.getFirst()))),
          new StepDefinition(
              "the workflow output should have a '{path}' property containing {number} items",
              (run, words, text) -> hasItems(run, words)),
          new StepDefinition(
              "{name} should run first",
              (run, words, text) -> same(words.getFirst(), entered(run).getFirst())),
          new StepDefinition(
              "{name} should run last",
              (run, words, text) -> same(words.getFirst(), entered(run).getLast())),
          new StepDefinition(
              "{name} should run after {name}", (run, words, text) -> follows(run, words)));

  static final List<StepDefinition> ADDED =
      List.of(
          new StepDefinition(
              "the definition should be refused", (run, words, text) -> run.problems()),
          new StepDefinition(
              "{name} should have run {number} times", (run, words, text) -> hasRun(run, words)),
          new StepDefinition(
              "{name} should have run at least {number} times",
              (run, words, text) ->
                  WorkflowSteps.awaitTask(
                      run, words.getFirst(), Integer.parseInt(words.getLast()))),
          new StepDefinition(
              "the workflow should have taken at least {duration}",
              (run, words, text) -> hasTaken(run, words.getFirst())));

  private OutcomeSteps() {}

  private static void faults(ScenarioRun run, String text)
      throws ScenarioFailure, IOException, InterruptedException {
    run.requireState("FAULTED");
    JsonExpectation.sameError(JsonExpectation.parse(text), run.ended().path("error"));
  }

  private static void hasProperties(ScenarioRun run, String list)
      throws ScenarioFailure, IOException, InterruptedException {
    Matcher names = QUOTED.matcher(list);
    while (names.find()) {
      if (at(run, names.group(1)).isMissingNode()) {
        throw ScenarioFailure.expected("a property " + names.group(1), run.output());
      }
    }
  }

  private static void hasItems(ScenarioRun run, List<String> words)
      throws ScenarioFailure, IOException, InterruptedException {
    JsonNode value = at(run, words.getFirst());
    if (!value.isArray() || value.size() != Integer.parseInt(words.getLast())) {
      throw ScenarioFailure.expected(words.getLast() + " items in " + words.getFirst(), value);
    }
  }

  private static JsonNode at(ScenarioRun run, String path)
      throws ScenarioFailure, IOException, InterruptedException {
    return run.output().at("/" + path.replace('.', '/'));
  }

  /** Names of the tasks entered until the end. */
  private static List<String> entered(ScenarioRun run)
      throws ScenarioFailure, IOException, InterruptedException {
    run.ended();
    List<String> names = run.entered().names();
    if (names.isEmpty()) {
      throw ScenarioFailure.expected("a task that ran", "none");
    }
    return names;
  }

  private static void same(String expected, String found) throws ScenarioFailure {
    if (!expected.equals(found)) {
      throw ScenarioFailure.expected("task " + expected, found);
    }
  }

  private static void follows(ScenarioRun run, List<String> words)
      throws ScenarioFailure, IOException, InterruptedException {
    List<String> names = entered(run);
    int former = names.indexOf(words.getLast());
    if (former < 0 || former + 1 >= names.size()) {
      throw ScenarioFailure.expected(words.getFirst() + " after " + words.getLast(), names);
    }
    same(words.getFirst(), names.get(former + 1));
  }

  private static void hasRun(ScenarioRun run, List<String> words)
      throws ScenarioFailure, IOException, InterruptedException {
    run.ended();
    int found = run.entered().count(words.getFirst());
    if (found != Integer.parseInt(words.getLast())) {
      throw ScenarioFailure.expected(
          words.getLast() + " runs of " + words.getFirst(), run.entered().names());
    }
  }

  private static void hasTaken(ScenarioRun run, String least)
      throws ScenarioFailure, IOException, InterruptedException {
    run.ended();
    try {
      if (run.taken().compareTo(Duration.parse(least)) < 0) {
        throw ScenarioFailure.expected("at least " + least, run.taken());
      }
    } catch (DateTimeParseException e) {
      throw ScenarioFailure.expected("a duration such as PT0.1S", least);
    }
  }
}
