package dev.pinion.benchmarks.cli;

import dev.pinion.benchmarks.experiments.Experiment;
import dev.pinion.benchmarks.experiments.TestbedCommand;
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
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code experiment}: a subcommand for each experiment. A new one is a description like that of
 * {@link LayoutExperiment} and an entry here.
 */
@Command(
    name = "experiment",
    description = "Compares variants in interleaved rounds to settle a question.",
    mixinStandardHelpOptions = true)
public final class ExperimentCommand implements Runnable {
  private static final List<Experiment> EXPERIMENTS =
      List.of(
          LayoutExperiment.EXPERIMENT,
          HostileExperiment.EXPERIMENT,
          RestartExperiment.EXPERIMENT,
          DispatchExperiment.EXPERIMENT,
          HandoverExperiment.EXPERIMENT,
          PlacementExperiment.EXPERIMENT,
          WaitingExperiment.EXPERIMENT,
          DurabilityExperiment.EXPERIMENT,
          RecoveryExperiment.EXPERIMENT,
          ThreadsExperiment.EXPERIMENT,
          ScalingExperiment.EXPERIMENT,
          GainExperiment.EXPERIMENT,
          TailExperiment.EXPERIMENT,
          JournalExperiment.EXPERIMENT,
          PublishersExperiment.EXPERIMENT,
          FirstCallExperiment.EXPERIMENT,
          ProfileCostExperiment.EXPERIMENT,
          HandlersExperiment.EXPERIMENT,
          HandlersRateExperiment.EXPERIMENT,
          HandlersWindowExperiment.EXPERIMENT,
          HandlersPipelineExperiment.EXPERIMENT,
          BrokerOverheadExperiment.EXPERIMENT,
          BrokerClosedExperiment.EXPERIMENT,
          BrokerOpenExperiment.EXPERIMENT,
          BrokerPlacementExperiment.EXPERIMENT);

  @Spec private CommandSpec spec = CommandSpec.create();

  /** The command with its subcommands. */
  public static CommandLine withExperiments() {
    CommandLine command = new CommandLine(new ExperimentCommand());
    EXPERIMENTS.forEach(each -> command.addSubcommand(TestbedCommand.of(each)));
    return command
        .addSubcommand(new QueueingExperiment())
        .addSubcommand(new ListCommand())
        .addSubcommand(new CompareCommand());
  }

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
