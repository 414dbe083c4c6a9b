package dev.pinion.benchmarks.experiments.sosoa;

import dev.pinion.benchmarks.chart.Axis;
import dev.pinion.benchmarks.chart.Figure;
import dev.pinion.benchmarks.experiment.Comparison;
import dev.pinion.benchmarks.experiment.ComparisonResults;
import dev.pinion.benchmarks.experiment.ExperimentDescription;
import dev.pinion.benchmarks.experiment.HardwareRequirement;
import dev.pinion.benchmarks.experiment.InterleavedRun;
import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.benchmarks.experiments.ExperimentProgressBar;
import dev.pinion.benchmarks.experiments.ListedExperiment;
import dev.pinion.benchmarks.experiments.ReportOutput;
import dev.pinion.benchmarks.experiments.TestbedOptions;
import dev.pinion.benchmarks.report.EnvironmentReport;
import dev.pinion.benchmarks.report.Report;
import dev.pinion.benchmarks.report.ReportSubject;
import dev.pinion.benchmarks.report.ResultFigures;
import dev.pinion.benchmarks.testbed.BenchmarkJvm;
import dev.pinion.benchmarks.testbed.CpuPlacement;
import dev.pinion.benchmarks.testbed.PinionScript;
import dev.pinion.benchmarks.testbed.UnconfinedMachine;
import dev.pinion.bootstrap.topology.CpuSet;
import dev.pinion.bootstrap.topology.Topology;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code experiment queueing}: simulated placements on machines that are not available. */
@Command(
    name = "queueing",
    description = "Simulates placements of replicas on captured machines: no measurement.",
    mixinStandardHelpOptions = true)
public final class QueueingExperiment implements Callable<Integer>, ListedExperiment {
  private static final String ONE = "one replica";
  private static final int QUICK_INSTANCES = 5_000;
  private static final int INSTANCES = 50_000;
  private static final double MAX_FACTOR = 100;
  private static final Duration SIMULATION = Duration.ofMillis(500);

  /** Factors to sweep where none was measured. */
  private static final List<Double> FACTORS = List.of(1.0, 1.1, 1.25, 1.5, 2.0);

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--machine",
      paramLabel = "FILE",
      description = "A captured machine; may be repeated. Without it the machine at hand.")
  private List<Path> machines = List.of();

  @Option(
      names = "--factor",
      description =
          "How many times as long a step takes after one under another cache, as measured; without"
              + " it factors from 1 to 2.")
  private @Nullable Double factor;

  @Option(
      names = "--clients-per-cpu",
      paramLabel = "N",
      defaultValue = "32",
      description =
          "Instances under way for each CPU; beyond 11 they keep it busy (${DEFAULT-VALUE}).")
  private int clientsPerCpu;

  @Option(
      names = "--repeat",
      paramLabel = "ROUNDS",
      defaultValue = "10",
      description = "Rounds, each with a seed of its own (${DEFAULT-VALUE}).")
  private int rounds;

  @Option(names = "--quick", description = "Shorter rounds.")
  private boolean quick;

  @Option(names = "--full", description = "Rounds as long as without it: simulated ones suffice.")
  private boolean full;

  @Option(names = "--out", paramLabel = "DIR", description = "Write the files of a report there.")
  private @Nullable Path out;

  @Option(names = "--json", description = "Results as JSON on standard output.")
  private boolean json;

  @Override
  public ExperimentDescription description() {
    return new ExperimentDescription(
        "Simulated, not measured: throughput of placements of replicas on captured machines, as"
            + " queues with a server for each CPU.",
        "SOSOA, Fig. 5 and 7; the captured machines may be the paper's.",
        HardwareRequirement.NONE,
        "A step takes the same time everywhere, times a factor after a step under another cache:"
            + " --factor, which must have been measured, or each of several, which shows from which"
            + " factor on a placement gains. Nothing else of a cache is in the model. Compare with"
            + " no measurement.");
  }

  @Override
  public Duration time() {
    long simulations = rounds * 4L * Math.max(1, machines.size()) * factors().size();
    return SIMULATION
        .multipliedBy(simulations * (quick ? QUICK_INSTANCES : INSTANCES))
        .dividedBy(INSTANCES);
  }

  @Override
  public CpuPlacement placement(CpuSet allowed) {
    return new CpuPlacement(allowed, allowed);
  }

  @Override
  public Integer call() throws IOException, MeasurementException, InterruptedException {
    check();
    ReportOutput output = new ReportOutput(out, json);
    output.prepare();
    Map<String, Topology> topologies = topologies();
    List<Comparison> comparisons = new ArrayList<>();
    topologies.forEach(
        (name, topology) ->
            factorsOf(topology).forEach(each -> comparisons.add(comparison(name, topology, each))));
    Report report;
    try (ExperimentProgressBar progress = new ExperimentProgressBar("queueing")) {
      progress.begin(comparisons.stream().mapToInt(each -> each.steps(rounds)).sum());
      report = report(topologies, InterleavedRun.of(comparisons, rounds, progress));
    }
    Map<String, UnconfinedMachine> drawn = new LinkedHashMap<>();
    topologies.forEach((name, topology) -> drawn.put(name, new UnconfinedMachine(topology)));
    output.accept(report, drawn, spec.commandLine());
    return ExitCode.OK;
  }

  private List<Double> factors() {
    return factor == null ? FACTORS : List.of(factor);
  }

  /** With a single cache the factor makes no difference. */
  private List<Double> factorsOf(Topology topology) {
    return caches(topology) == 1 ? List.of(1.0) : factors();
  }

  private static int caches(Topology topology) {
    return topology.allowedGroups().size();
  }

  /** Simulated machines, by name. */
  private Map<String, Topology> topologies() throws IOException {
    Map<String, Topology> topologies = new LinkedHashMap<>();
    if (machines.isEmpty()) {
      topologies.put("this machine", UnconfinedMachine.read(BenchmarkJvm.allowedCpus()).topology());
    }
    for (Path file : machines) {
      CapturedMachine machine = CapturedMachine.read(file);
      if (topologies.putIfAbsent(machine.name(), machine.topology()) != null) {
        throw new IllegalArgumentException(
            "expected machines of different names, found two of " + machine.name());
      }
    }
    return topologies;
  }

  private void check() {
    TestbedOptions.requireRange("--repeat", rounds, 1, Comparison.MAX_ROUNDS);
    TestbedOptions.requireRange("--clients-per-cpu", clientsPerCpu, 1, 1_000);
    if (factor != null && !(factor >= 1 && factor <= MAX_FACTOR)) {
      throw new IllegalArgumentException(
          "expected --factor from 1 to " + (int) MAX_FACTOR + ", found " + factor);
    }
    if (quick && full) {
      throw new IllegalArgumentException("expected --quick or --full, found both");
    }
  }

  private Comparison comparison(String machine, Topology topology, double each) {
    int caches = caches(topology);
    List<SimulatedPlacement> variants = new ArrayList<>();
    variants.add(variant(ONE, topology, "1", each));
    variants.add(variant("one for each cache", topology, "auto", each));
    if (topology.allowed().size() > 1) {
      variants.add(variant("interleaved", topology, "interleaved", each));
    }
    if (2 * caches <= topology.allowed().size()) {
      variants.add(variant("two for each cache", topology, Integer.toString(2 * caches), each));
    }
    String title =
        "simulated: "
            + machine
            + ", "
            + (topology.allowed().size() == 1 ? "1 CPU, " : topology.allowed().size() + " CPUs, ")
            + (caches == 1 ? "1 cache" : caches + " caches, factor " + each);
    return new Comparison(title, variants, ONE);
  }

  private SimulatedPlacement variant(String name, Topology topology, String replicas, double each) {
    return new SimulatedPlacement(
        name, topology, replicas, each, clientsPerCpu, quick ? QUICK_INSTANCES : INSTANCES);
  }

  private Report report(Map<String, Topology> topologies, List<ComparisonResults> results) {
    List<String> caveats = new ArrayList<>(List.of("Simulated: nothing here was measured."));
    if (factor == null) {
      caveats.add(
          "No --factor was given: factors from 1 to 2 are tried, none of them is measured.");
    }
    List<Figure> figures = new ArrayList<>();
    int from = 0;
    for (Map.Entry<String, Topology> machine : topologies.entrySet()) {
      List<Double> factors = factorsOf(machine.getValue());
      List<ComparisonResults> own = results.subList(from, from + factors.size());
      from += factors.size();
      if (caches(machine.getValue()) == 1) {
        caveats.add(
            machine.getKey()
                + " has one cache: its placements differ in nothing, so none is drawn.");
      } else {
        figures.add(figure(machine.getKey(), factors, own));
      }
    }
    EnvironmentReport environment =
        EnvironmentReport.take(PinionScript.checkout())
            .with(
                "command",
                String.join(" ", spec.root().commandLine().getParseResult().originalArgs()))
            .with(
                "factor",
                factor == null ? "from 1 to 2" : String.format(Locale.ROOT, "%.3f", factor))
            .with("clients per CPU", Integer.toString(clientsPerCpu))
            .with("rounds", Integer.toString(rounds));
    return new Report(
        new ReportSubject(
            "queueing",
            "what placements would gain on machines that are not at hand",
            description()),
        caveats,
        environment,
        results,
        List.of(),
        figures);
  }

  /** Throughput of each placement, over the factors if there are several. */
  private static Figure figure(
      String machine, List<Double> factors, List<ComparisonResults> results) {
    return ResultFigures.lines(
        "simulated: " + machine + ", " + SimulatedPlacement.THROUGHPUT.name(),
        Axis.linear("a step after one under another cache takes", "times as long"),
        factors,
        results,
        SimulatedPlacement.THROUGHPUT);
  }
}
