package dev.pinion.bootstrap.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;

/** Steps that arrange workflows, run them and publish events. */
final class WorkflowSteps {
  static final List<StepDefinition> OF_THE_KIT =
      List.of(
          new StepDefinition("a workflow with definition:", (run, words, text) -> run.define(text)),
          new StepDefinition(
              "given the workflow input is:",
              (run, words, text) -> run.provideInput(JsonExpectation.parse(text))),
          new StepDefinition("the workflow is executed", (run, words, text) -> run.execute()));

  static final List<StepDefinition> ADDED =
      List.of(
          new StepDefinition(
              "given another workflow with definition:",
              (run, words, text) -> run.defineOther(text)),
          new StepDefinition(
              "given the secret '{secret}' is:",
              (run, words, text) ->
                  run.provideSecret(words.getFirst(), JsonExpectation.parse(text))),
          new StepDefinition("the workflow is deployed", (run, words, text) -> run.deploy()),
          new StepDefinition("the workflow is started", (run, words, text) -> run.start()),
          new StepDefinition(
              "the workflow waits in {name}",
              (run, words, text) -> awaitTask(run, words.getFirst(), 1)),
          new StepDefinition(
              "the workflow is suspended", (run, words, text) -> run.control("suspension")),
          new StepDefinition(
              "the workflow is resumed", (run, words, text) -> run.control("resumption")),
          new StepDefinition(
              "the workflow is cancelled", (run, words, text) -> run.control("cancellation")),
          new StepDefinition("the event is published:", (run, words, text) -> publish(run, text)));

  private WorkflowSteps() {}

  /** Waits until a task was entered so often. */
  static void awaitTask(ScenarioRun run, String name, int times)
      throws ScenarioFailure, InterruptedException {
    run.requireAccepted();
    int found = run.entered().await(name, times, ScenarioRun.PATIENCE);
    if (found < times) {
      throw ScenarioFailure.expected(
          "at least " + times + " runs of " + name, found + " of all " + run.entered().names());
    }
  }

  private static void publish(ScenarioRun run, String text)
      throws ScenarioFailure, IOException, InterruptedException {
    run.requireAccepted();
    JsonNode event = JsonExpectation.parse(text);
    if (!(event instanceof ObjectNode attributes)) {
      throw ScenarioFailure.expected("an object with the attributes of an event", event);
    }
    run.publish(attributes);
  }
}
