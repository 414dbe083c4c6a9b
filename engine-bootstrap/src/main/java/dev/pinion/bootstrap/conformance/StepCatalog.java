package dev.pinion.bootstrap.conformance;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** All sentences that steps may have: those of the specification's kit, and those added here. */
final class StepCatalog {
  /** Sentences that the kit has. */
  static final List<StepDefinition> OF_THE_KIT =
      Stream.concat(WorkflowSteps.OF_THE_KIT.stream(), OutcomeSteps.OF_THE_KIT.stream()).toList();

  /** Sentences added here. */
  static final List<StepDefinition> ADDED =
      Stream.of(WorkflowSteps.ADDED, OutcomeSteps.ADDED, LifecycleSteps.ADDED, ServiceSteps.ADDED)
          .flatMap(List::stream)
          .toList();

  private StepCatalog() {}

  /** Performs a step. */
  static void perform(ScenarioStep step, ScenarioRun run)
      throws ScenarioFailure, IOException, InterruptedException {
    String text = run.services().resolved(step.argument());
    for (StepDefinition each : Stream.concat(OF_THE_KIT.stream(), ADDED.stream()).toList()) {
      Optional<List<String>> words = each.match(step.text());
      if (words.isPresent()) {
        each.perform(run, words.get(), text);
        return;
      }
    }
    throw ScenarioFailure.expected("a known sentence (docs/conformance.md)", step.text());
  }
}
