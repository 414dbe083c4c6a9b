package dev.pinion.benchmarks.cli;

import dev.pinion.benchmarks.experiments.dharch.HandlersExperiment;
import dev.pinion.benchmarks.experiments.dharch.HandlersPipelineExperiment;
import dev.pinion.benchmarks.experiments.dharch.HandlersRateExperiment;
import dev.pinion.benchmarks.experiments.dharch.HandlersWindowExperiment;
import dev.pinion.benchmarks.experiments.globus.FirstCallExperiment;
import dev.pinion.benchmarks.experiments.globus.ProfileCostExperiment;
import dev.pinion.benchmarks.experiments.hostile.HostileExperiment;
import dev.pinion.benchmarks.experiments.lean.DurabilityExperiment;
import dev.pinion.benchmarks.experiments.lean.JournalExperiment;
import dev.pinion.benchmarks.experiments.lean.PublishersExperiment;
import dev.pinion.benchmarks.experiments.lean.TailExperiment;
import dev.pinion.benchmarks.experiments.lean.WaitingExperiment;
import dev.pinion.benchmarks.experiments.moses.BrokerClosedExperiment;
import dev.pinion.benchmarks.experiments.moses.BrokerOpenExperiment;
import dev.pinion.benchmarks.experiments.moses.BrokerOverheadExperiment;
import dev.pinion.benchmarks.experiments.moses.BrokerPlacementExperiment;
import dev.pinion.benchmarks.experiments.recovery.RecoveryExperiment;
import dev.pinion.benchmarks.experiments.recovery.RestartExperiment;
import dev.pinion.benchmarks.experiments.sosoa.DispatchExperiment;
import dev.pinion.benchmarks.experiments.sosoa.GainExperiment;
import dev.pinion.benchmarks.experiments.sosoa.HandoverExperiment;
import dev.pinion.benchmarks.experiments.sosoa.LayoutExperiment;
import dev.pinion.benchmarks.experiments.sosoa.PlacementExperiment;
import dev.pinion.benchmarks.experiments.sosoa.QueueingExperiment;
import dev.pinion.benchmarks.experiments.sosoa.ScalingExperiment;
import dev.pinion.benchmarks.experiments.sosoa.ThreadsExperiment;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code experiment}: a subcommand for each experiment. A new one is a class like {@link
 * LayoutExperiment} and an entry here.
 */
@Command(
    name = "experiment",
    description = "Compares variants in interleaved rounds to settle a question.",
    mixinStandardHelpOptions = true,
    subcommands = {
      LayoutExperiment.class,
      HostileExperiment.class,
      RestartExperiment.class,
      DispatchExperiment.class,
      HandoverExperiment.class,
      PlacementExperiment.class,
      WaitingExperiment.class,
      DurabilityExperiment.class,
      RecoveryExperiment.class,
      ThreadsExperiment.class,
      ScalingExperiment.class,
      GainExperiment.class,
      TailExperiment.class,
      JournalExperiment.class,
      PublishersExperiment.class,
      FirstCallExperiment.class,
      ProfileCostExperiment.class,
      HandlersExperiment.class,
      HandlersRateExperiment.class,
      HandlersWindowExperiment.class,
      HandlersPipelineExperiment.class,
      BrokerOverheadExperiment.class,
      BrokerClosedExperiment.class,
      BrokerOpenExperiment.class,
      BrokerPlacementExperiment.class,
      QueueingExperiment.class,
      ListCommand.class,
      CompareCommand.class
    })
public final class ExperimentCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), expectedName("none"));
  }

  /** A sentence for an unknown experiment name. */
  public String expectedName(String found) {
    return "expected the name of an experiment, one of "
        + spec.subcommands().keySet()
        + ", found "
        + found;
  }
}
