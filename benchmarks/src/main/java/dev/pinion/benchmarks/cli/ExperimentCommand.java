package dev.pinion.benchmarks.cli;

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
