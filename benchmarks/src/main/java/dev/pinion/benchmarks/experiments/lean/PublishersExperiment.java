package dev.pinion.benchmarks.experiments.lean;

import dev.pinion.benchmarks.chart.Axis;
import dev.pinion.benchmarks.chart.Figure;
import dev.pinion.benchmarks.experiment.Comparison;
import dev.pinion.benchmarks.experiment.ComparisonResults;
import dev.pinion.benchmarks.experiment.ExperimentDescription;
import dev.pinion.benchmarks.experiment.ExperimentDescription.Extent;
import dev.pinion.benchmarks.experiment.Finding;
import dev.pinion.benchmarks.experiment.HardwareRequirement;
import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.benchmarks.experiment.Metric;
import dev.pinion.benchmarks.experiments.TestbedCommand;
import dev.pinion.benchmarks.experiments.TestbedOptions;
import dev.pinion.benchmarks.report.ResultFigures;
import dev.pinion.benchmarks.speedup.SpeedUpAnalysis;
import dev.pinion.benchmarks.testbed.CpuPlacement;
import dev.pinion.benchmarks.testbed.LoadSettings;
import dev.pinion.benchmarks.testbed.LoadVariant;
import dev.pinion.benchmarks.testbed.OneTaskWorkload;
import dev.pinion.benchmarks.testbed.ServerProcess;
import dev.pinion.benchmarks.testbed.Testbed;
import dev.pinion.bootstrap.topology.CpuSet;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code experiment publishers}: a rising number of event loops that receive requests and send
 * responses, or of threads that send results to subscribers.
 */
@Command(
    name = "publishers",
    description =
        "Speed-up by event loops that send answers, or by publishers of results, with the laws fitted to it.",
    mixinStandardHelpOptions = true)
public final class PublishersExperiment extends TestbedCommand {
  private static final int MAX_PUBLISHERS = 64;
  private static final int MAX_SUBSCRIBERS = 1_000;
  private static final int MAX_INSTANCES = 100_000; // none of their events is lost

  /** Kinds of publishers; spelt as users write them. */
  private enum Sender {
    loops,
    dispatcher
  }

  @Option(
      names = "--publishers",
      split = ",",
      description =
          "Event loops of the Request Handler, or threads of the dispatcher (1,2,3,4,5,6; --quick 1,3).")
  private @Nullable List<Integer> publishers;

  @Option(
      names = "--sent-by",
      defaultValue = "loops",
      description =
          "What publishers are: loops (pipelined:N+1+1, answers) or dispatcher (serve --publishers N,"
              + " results for subscribers) (${DEFAULT-VALUE}).")
  private Sender sender = Sender.loops;

  @Option(
      names = "--subscribers",
      description = "With the dispatcher: subscribers told of each instance (16).")
  private @Nullable Integer chosenSubscribers;

  @Option(
      names = "--instances",
      description = "With the dispatcher: instances of a round (2000; --quick 200).")
  private @Nullable Integer instances;

  @Option(
      names = "--clients",
      defaultValue = "64",
      description = "Clients without think time (${DEFAULT-VALUE}).")
  private int clients;

  @Override
  public String experiment() {
    return "publishers";
  }

  @Override
  public String question() {
    return switch (sender) {
      case loops -> "what more event loops for requests and answers gain";
      case dispatcher -> "what more threads gain that send results to subscribers";
    };
  }

  @Override
  public ExperimentDescription description() {
    return new ExperimentDescription(
        "Throughput of a process of one task against the event loops that take its requests and send"
            + " its answers (pipelined:N+1+1), or of results sent to subscribers against the threads"
            + " that send them (--sent-by dispatcher), with the serial shares and the law that explain"
            + " it.",
        "Lean business tier, Tables 1 to 6: 1 to 6 publishers on 3 cores gained up to 4 (1.73 times at"
            + " the 99th percentile) and lost beyond. The paper's serial shares hold with n = cores; its"
            + " Table 6 repeats Table 3 with digits changed.",
        new HardwareRequirement(8, 1),
        "Unlike the paper's, speed-ups are of throughput at saturation: percentiles at a rate contain"
            + " queueing. Amdahl and Gustafson take n = cores of the engine.");
  }

  @Override
  public Extent extent() {
    return Extent.of(numbers().size(), numbers().size());
  }

  private List<Integer> numbers() {
    return options().chosen(publishers, List.of(1, 2, 3, 4, 5, 6), List.of(1, 3));
  }

  @Override
  public CpuPlacement placement(CpuSet allowed) {
    return options().placementOfReplicas(allowed);
  }

  @Override
  public void check(CpuPlacement placement) {
    options().load(clients, placement);
    numbers().forEach(n -> TestbedOptions.requireRange("--publishers", n, 1, MAX_PUBLISHERS));
    if (sender == Sender.loops && (chosenSubscribers != null || instances != null)) {
      throw new IllegalArgumentException(
          "expected --subscribers and --instances with --sent-by dispatcher, found loops");
    }
    TestbedOptions.requireRange("--subscribers", subscribers(), 1, MAX_SUBSCRIBERS);
    TestbedOptions.requireRange("--instances", instances(), 1, MAX_INSTANCES);
  }

  /** The dispatcher sends a number of results of fresh engines. */
  @Override
  public Set<String> unused() {
    return sender == Sender.loops ? Set.of() : Set.of("--seconds", "--warmup");
  }

  @Override
  public List<Comparison> comparisons(Testbed testbed)
      throws MeasurementException, InterruptedException {
    LoadSettings load = options().load(clients, testbed.placement());
    return switch (sender) {
      case loops -> answers(testbed, load);
      case dispatcher -> results(testbed, load);
    };
  }

  private int subscribers() {
    return chosenSubscribers == null ? 16 : chosenSubscribers;
  }

  private int instances() {
    return options().chosen(instances, 2_000, 200);
  }

  private List<Comparison> results(Testbed testbed, LoadSettings load) {
    PublishVariant.Burst burst = new PublishVariant.Burst(subscribers(), instances(), load);
    List<PublishVariant> variants = new ArrayList<>();
    for (int number : numbers()) {
      variants.add(new PublishVariant(name(number), testbed, number, burst));
    }
    String title = instances() + " instances, " + subscribers() + " subscribers";
    return List.of(new Comparison(title, variants, variants.getFirst().name()));
  }

  private List<Comparison> answers(Testbed testbed, LoadSettings load)
      throws MeasurementException, InterruptedException {
    List<LoadVariant> variants = new ArrayList<>();
    for (int number : numbers()) {
      ServerProcess engine =
          testbed.serve(
              name(number), List.of("--replicas", "1", "--layout", "pipelined:" + number + "+1+1"));
      OneTaskWorkload.deploy(testbed, engine);
      variants.add(testbed.load(engine, OneTaskWorkload.starts(engine.uri()), 0, load));
    }
    String title = "one task, " + clients + " clients";
    return List.of(new Comparison(title, variants, variants.getFirst().name()));
  }

  private static String name(int number) {
    return number == 1 ? "1 publisher" : number + " publishers";
  }

  private Map<String, Integer> byName() {
    return numbers().stream()
        .collect(
            Collectors.toMap(PublishersExperiment::name, n -> n, (a, b) -> a, LinkedHashMap::new));
  }

  @Override
  public List<Finding> overall(List<ComparisonResults> results) {
    return SpeedUpAnalysis.of(results.getFirst(), byName(), engineCpus()).findings("publishers");
  }

  @Override
  public List<Figure> figures(List<ComparisonResults> results) {
    Map<String, Double> places = new LinkedHashMap<>();
    byName().forEach((name, number) -> places.put(name, (double) number));
    Axis x = Axis.linear("publishers", "");
    List<Figure> figures = new ArrayList<>();
    Metric second = sender == Sender.loops ? Metric.P99 : PublishVariant.EVENTS;
    for (Metric metric : List.of(Metric.THROUGHPUT, second, Metric.CPU)) {
      figures.add(ResultFigures.acrossVariants(metric.name(), x, results, metric, places));
    }
    figures.addAll(
        SpeedUpAnalysis.of(results.getFirst(), byName(), engineCpus())
            .figures("Speed-up at saturation", "publishers"));
    return figures;
  }
}
