package dev.pinion.benchmarks.experiments;

import dev.pinion.benchmarks.chart.Figure;
import dev.pinion.benchmarks.experiment.Comparison;
import dev.pinion.benchmarks.experiment.ComparisonResults;
import dev.pinion.benchmarks.experiment.ExperimentDescription;
import dev.pinion.benchmarks.experiment.ExperimentDescription.Extent;
import dev.pinion.benchmarks.experiment.Finding;
import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.benchmarks.testbed.CpuPlacement;
import dev.pinion.benchmarks.testbed.Testbed;
import dev.pinion.bootstrap.topology.CpuSet;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** Runs an experiment by its description. */
public final class DescribedCommand extends TestbedCommand {
  private final Experiment experiment;
  private final ExperimentRun run;

  private DescribedCommand(Experiment experiment) {
    this.experiment = experiment;
    this.run = new ExperimentRun(options(), experiment.options);
  }

  /** The command of an experiment. */
  public static CommandLine of(Experiment experiment) {
    DescribedCommand command = new DescribedCommand(experiment);
    CommandSpec spec = CommandSpec.forAnnotatedObject(command).name(experiment.name);
    spec.mixinStandardHelpOptions(true);
    spec.usageMessage().description(experiment.help.toArray(String[]::new));
    command.run.arguments().forEach(spec::add);
    return new CommandLine(spec);
  }

  @Override
  public String experiment() {
    return experiment.name;
  }

  @Override
  public String question() {
    return experiment.question.apply(run);
  }

  @Override
  public ExperimentDescription description() {
    return experiment.description();
  }

  @Override
  public Extent extent() {
    return experiment.extent.apply(run);
  }

  @Override
  public Duration time() {
    return experiment.time.apply(run);
  }

  @Override
  public CpuPlacement placement(CpuSet allowed) {
    return experiment.placement.apply(options(), allowed);
  }

  @Override
  public void check(CpuPlacement placement) {
    run.place(placement);
    experiment.options.forEach(option -> option.check(run));
    experiment.check.accept(run);
    options().refuse(unused());
    run.load(1);
  }

  @Override
  public Set<String> unused() {
    return experiment.unused.apply(run);
  }

  @Override
  public List<Comparison> comparisons(Testbed testbed)
      throws MeasurementException, InterruptedException {
    run.place(engineCaches());
    return experiment.setup.comparisons(run, testbed);
  }

  @Override
  public List<Finding> findings(ComparisonResults one) {
    return experiment.findings.apply(run, one).toList();
  }

  @Override
  public List<Finding> overall(List<ComparisonResults> results) {
    return experiment.overall.apply(run, results).toList();
  }

  @Override
  public List<Figure> figures(List<ComparisonResults> results) {
    return experiment.figures.apply(run, results);
  }

  @Override
  public List<String> caveats() {
    return experiment.caveats.apply(run);
  }

  @Override
  public Map<String, String> versions() throws IOException {
    return experiment.programs.versions();
  }
}
