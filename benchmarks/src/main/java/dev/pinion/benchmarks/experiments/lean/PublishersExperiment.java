package dev.pinion.benchmarks.experiments.lean;

import dev.pinion.benchmarks.chart.Axis;
import dev.pinion.benchmarks.chart.Figure;
import dev.pinion.benchmarks.experiment.Comparison;
import dev.pinion.benchmarks.experiment.ComparisonResults;
import dev.pinion.benchmarks.experiment.ExperimentDescription.Extent;
import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.benchmarks.experiment.Metric;
import dev.pinion.benchmarks.experiments.CommonOptions;
import dev.pinion.benchmarks.experiments.Experiment;
import dev.pinion.benchmarks.experiments.ExperimentOption;
import dev.pinion.benchmarks.experiments.ExperimentRun;
import dev.pinion.benchmarks.experiments.TestbedOptions;
import dev.pinion.benchmarks.report.ResultFigures;
import dev.pinion.benchmarks.speedup.SpeedUpAnalysis;
import dev.pinion.benchmarks.testbed.LoadSettings;
import dev.pinion.benchmarks.testbed.LoadVariant;
import dev.pinion.benchmarks.testbed.OneTaskWorkload;
import dev.pinion.benchmarks.testbed.ServerProcess;
import dev.pinion.benchmarks.testbed.Testbed;
import dev.pinion.workloads.load.LoadRequest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * {@code experiment publishers}: a rising number of event loops that receive requests and send
 * responses, or of threads that send results to subscribers.
 */
public final class PublishersExperiment {
  /** Kinds of publishers; spelt as users write them. */
  private enum Sender {
    loops,
    dispatcher
  }

  private static final ExperimentOption<List<Integer>> PUBLISHERS =
      ExperimentOption.numbers("--publishers", 1, 2, 3, 4, 5, 6)
          .quick(List.of(1, 3))
          .from(1, 64)
          .help("Event loops of the Request Handler, or threads of the dispatcher");

  private static final ExperimentOption<Sender> SENDER =
      ExperimentOption.of("--sent-by", Sender.loops)
          .label("<sender>")
          .help(
              "What publishers are: loops (pipelined:N+1+1, answers) or dispatcher (serve"
                  + " --publishers N, results for subscribers)");

  private static final ExperimentOption<Integer> SUBSCRIBERS =
      ExperimentOption.of("--subscribers", 16)
          .from(1, 1_000)
          .label("<chosenSubscribers>")
          .help("With the dispatcher: subscribers told of each instance");

  private static final ExperimentOption<Integer> INSTANCES =
      ExperimentOption.of("--instances", 2_000)
          .quick(200)
          .from(1, 100_000) // none of their events is lost
          .help("With the dispatcher: instances of a round");

  public static final Experiment EXPERIMENT =
      Experiment.named(
              "publishers",
              "Speed-up by event loops that send answers, or by publishers of results, with the"
                  + " laws fitted to it.")
          .shows(
              "Throughput of a process of one task against the event loops that take its"
                  + " requests and send its answers (pipelined:N+1+1), or of results sent to"
                  + " subscribers against the threads that send them (--sent-by dispatcher), with"
                  + " the serial shares and the law that explain it.")
          .source(
              "Lean business tier, Tables 1 to 6: 1 to 6 publishers on 3 cores gained up to 4"
                  + " (1.73 times at the 99th percentile) and lost beyond. The paper's serial"
                  + " shares hold with n = cores; its Table 6 repeats Table 3 with digits changed.")
          .needs(8, 1)
          .reading(
              "Unlike the paper's, speed-ups are of throughput at saturation: percentiles at a"
                  + " rate contain queueing. Amdahl and Gustafson take n = cores of the engine.")
          .question(
              run ->
                  isOfLoops(run)
                      ? "what more event loops for requests and answers gain"
                      : "what more threads gain that send results to subscribers")
          .options(PUBLISHERS, SENDER, SUBSCRIBERS, INSTANCES, CommonOptions.CLIENTS)
          .extent(run -> Extent.each(run.get(PUBLISHERS).size()))
          .placement(TestbedOptions::placementOfReplicas)
          // The dispatcher sends a number of results of fresh engines.
          .unused(run -> isOfLoops(run) ? Set.of() : Set.of("--seconds", "--warmup"))
          .check(PublishersExperiment::check)
          .compares(
              (run, testbed) ->
                  List.of(isOfLoops(run) ? answers(run, testbed) : results(run, testbed)))
          .overall((run, all) -> speedUps(run, all).findings("publishers").stream())
          .figures(PublishersExperiment::figures);

  private PublishersExperiment() {}

  private static boolean isOfLoops(ExperimentRun run) {
    return run.get(SENDER) == Sender.loops;
  }

  private static void check(ExperimentRun run) {
    if (isOfLoops(run) && (run.isGiven(SUBSCRIBERS) || run.isGiven(INSTANCES))) {
      throw new IllegalArgumentException(
          "expected --subscribers and --instances with --sent-by dispatcher, found loops");
    }
  }

  private static Comparison results(ExperimentRun run, Testbed testbed) {
    int subscribers = run.get(SUBSCRIBERS);
    int instances = run.get(INSTANCES);
    LoadSettings load = run.load(run.get(CommonOptions.CLIENTS));
    PublishVariant.Burst burst = new PublishVariant.Burst(subscribers, instances, load);
    List<PublishVariant> variants =
        run.get(PUBLISHERS).stream()
            .map(number -> new PublishVariant(name(number), testbed, number, burst))
            .toList();
    String title = instances + " instances, " + subscribers + " subscribers";
    return new Comparison(title, variants, variants.getFirst().name());
  }

  private static Comparison answers(ExperimentRun run, Testbed testbed)
      throws MeasurementException, InterruptedException {
    int clients = run.get(CommonOptions.CLIENTS);
    List<LoadVariant> variants = new ArrayList<>();
    for (int number : run.get(PUBLISHERS)) {
      ServerProcess engine =
          testbed.serve(
              name(number), List.of("--replicas", "1", "--layout", "pipelined:" + number + "+1+1"));
      OneTaskWorkload.deploy(testbed, engine);
      List<LoadRequest> starts = OneTaskWorkload.starts(engine.uri());
      variants.add(testbed.load(engine, starts, 0, run.load(clients)));
    }
    String title = "one task, " + clients + " clients";
    return new Comparison(title, variants, variants.getFirst().name());
  }

  private static String name(int number) {
    return number == 1 ? "1 publisher" : number + " publishers";
  }

  private static Map<String, Integer> byName(ExperimentRun run) {
    Map<String, Integer> numbers = new LinkedHashMap<>();
    run.get(PUBLISHERS).forEach(number -> numbers.put(name(number), number));
    return numbers;
  }

  private static SpeedUpAnalysis speedUps(ExperimentRun run, List<ComparisonResults> all) {
    return SpeedUpAnalysis.of(all.getFirst(), byName(run), run.engineCpus());
  }

  private static List<Figure> figures(ExperimentRun run, List<ComparisonResults> all) {
    Axis x = Axis.linear("publishers", "");
    Metric second = isOfLoops(run) ? Metric.P99 : PublishVariant.EVENTS;
    List<Figure> figures = new ArrayList<>();
    for (Metric metric : List.of(Metric.THROUGHPUT, second, Metric.CPU)) {
      figures.add(ResultFigures.acrossVariants(metric.name(), x, all, metric, byName(run)));
    }
    figures.addAll(speedUps(run, all).figures("Speed-up at saturation", "publishers"));
    return figures;
  }
}
