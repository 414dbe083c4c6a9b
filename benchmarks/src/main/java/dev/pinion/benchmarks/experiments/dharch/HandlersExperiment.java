package dev.pinion.benchmarks.experiments.dharch;

import dev.pinion.benchmarks.experiment.Comparison;
import dev.pinion.benchmarks.experiment.ComparisonResults;
import dev.pinion.benchmarks.experiment.Finding;
import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.benchmarks.experiment.SampleSummary;
import dev.pinion.benchmarks.experiments.Experiment;
import dev.pinion.benchmarks.experiments.ExperimentOption;
import dev.pinion.benchmarks.experiments.ExperimentRun;
import dev.pinion.benchmarks.experiments.TestbedOptions;
import dev.pinion.benchmarks.experiments.dharch.RoundTripVariant.Mode;
import dev.pinion.benchmarks.testbed.ServerProcess;
import dev.pinion.benchmarks.testbed.Testbed;
import dev.pinion.bootstrap.topology.CpuSet;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** {@code experiment handlers}: five handlers in six configurations, in three environments. */
public final class HandlersExperiment {
  private static final String LOCAL = "local";
  private static final String REMOTE = "remote, on this machine";
  private static final String ONE_CORE = "one core";
  private static final String CONVENTIONAL = "1 conventional";
  private static final String SEQUENTIAL = "2 sequential";
  private static final String FOURTH = "4 A+B C+D E";
  private static final String BARE = "bare";
  private static final String ONCE = "A B once, no chain";
  private static final String TWICE = "A B twice at once, no chain";
  private static final String TINY = "tiny handlers";
  private static final String TABLE_1 = "eventing and resource state";
  private static final Duration ROUND_TRIP = Duration.ofMillis(8);
  private static final int VARIANTS = 28;

  /** Variants of one server, which warm each other. */
  private static final int SHARED = 8;

  private static final double TARGET = 1.7;

  /**
   * Two CPUs are idle when two threads with a CPU each take at most this multiple of the time of
   * one.
   */
  private static final double IDLE = 1.1;

  private static final byte[] SMALL = new byte[16];

  private static final ExperimentOption<Integer> MESSAGES =
      ExperimentOption.of("--messages", 100)
          .quick(10)
          .from(1, 100_000)
          .help("Round trips of each variant and round");

  public static final Experiment EXPERIMENT =
      Experiment.named(
              "handlers", "Round trips of a message through five handlers, arranged in six ways.")
          .question("which arrangement of handlers answers soonest")
          .shows(
              "Round trips through five handlers in the six configurations of the paper, in one"
                  + " process, in two handler hosts behind a NATS server, and on one core; tiny"
                  + " handlers with auto; and the pair of its Table 1.")
          .source(
              "DHArch, Fig. 4 to 6 (in its captions 3 to 5): with enough cores all side by side"
                  + " is fastest, A beside C and B beside D gains next to nothing, distribution"
                  + " alone costs a little; on one core side by side gains nothing. Table 1: 161.2"
                  + " ms in the conventional chain, 171.6 sequential, 115.2 parallel: 28.6 % and"
                  + " 32.9 % less.")
          .reading(
              "One message is in flight. A inflates 2 ms and B decrypts 2 ms by the size of the"
                  + " message; C writes to a file 0.5 ms, D monitors 0.3 ms, E logs 0.2 ms by how"
                  + " much of it they take; sizes are found on this machine before the first round,"
                  + " \"handlers\" is what they then took. Configuration 4 can be at most 5.0/2.7 ="
                  + " 1.85 times as fast as 2, on two idle CPUs; whether they were is found in each"
                  + " round by A and B on two threads at once, without chain, against once: a host"
                  + " that gives both CPUs one core shows there. The pair of Table 1 takes about a"
                  + " tenth of the paper's times: resource state is forced to the disk, eventing"
                  + " and the service behind it are asked by HTTP, in as many writes and calls as"
                  + " take that long here.")
          .options(MESSAGES)
          .placement(TestbedOptions::placementOfReplicas)
          .unused("--seconds")
          .time(HandlersExperiment::time)
          .compares(HandlersExperiment::comparisons)
          .findings((run, one) -> findings(one))
          .figures(RoundTripVariant.MEAN)
          .caveats(run -> caveats())
          .programs(HandlersExperiment::versions);

  private HandlersExperiment() {}

  private static Duration time(ExperimentRun run) {
    return ROUND_TRIP
        .multipliedBy((long) run.get(MESSAGES) * VARIANTS * (run.rounds() + 1))
        .plus(warmUp(run).multipliedBy(VARIANTS))
        .plusSeconds(20);
  }

  /** For each variant. */
  private static Duration warmUp(ExperimentRun run) {
    return run.warmUp().dividedBy(SHARED);
  }

  private static List<String> caveats() {
    return HandlerHostCluster.natsServer() == null
        ? List.of("Expected the command nats-server, found none: remote handlers are left out.")
        : List.of();
  }

  private static Map<String, String> versions() throws IOException {
    Path server = HandlerHostCluster.natsServer();
    return server == null ? Map.of() : Map.of("nats-server", HandlerHostCluster.version(server));
  }

  /** Stages by the name of the configuration. */
  private static Map<String, String> configurations() {
    Map<String, String> stages = new LinkedHashMap<>();
    stages.put(SEQUENTIAL, "[[a], [b], [c], [d], [e]]");
    stages.put("3 A+C B+D E", "[[a, c], [b, d], [e]]");
    stages.put(FOURTH, "[[a, b], [c, d], [e]]");
    stages.put("5 A+B+C+D E", "[[a, b, c, d], [e]]");
    stages.put("6 A+B+C+D+E", "[[a, b, c, d, e]]");
    return stages;
  }

  private static String chain(String configuration) {
    return "c" + configuration.charAt(0);
  }

  private static List<Comparison> comparisons(ExperimentRun run, Testbed testbed)
      throws MeasurementException, InterruptedException {
    FiveHandlersScenario handlers = FiveHandlersScenario.calibrated();
    ResourceEventingScenario pair =
        ResourceEventingScenario.calibrated(testbed.stub().uri().resolve("/svc/s1"));
    CpuSet all = testbed.placement().engine();
    CpuSet one = CpuSet.of(all.stream().limit(1));
    String here = ChainFiles.write(testbed, "here", document(handlers, LOCAL, pair.chains()));
    ServerProcess local = testbed.chains(LOCAL, all, List.of("--file", here));
    List<Comparison> comparisons = new ArrayList<>();
    comparisons.add(sixConfigurations(run, LOCAL, local, handlers));
    if (HandlerHostCluster.natsServer() != null) {
      String elsewhere =
          ChainFiles.write(testbed, "elsewhere", document(handlers, "remote", List.of()));
      String kinds = String.join(",", FiveHandlersScenario.HOSTED);
      List<String> options = List.of("--file", elsewhere, "--hosts", "2", "--kinds", kinds);
      ServerProcess remote = testbed.chains("remote", all, options);
      comparisons.add(sixConfigurations(run, REMOTE, remote, handlers));
    }
    // As many workers as in the other environments, which then share a core: so it was in the
    // paper.
    ServerProcess confined =
        testbed.chains(
            "one-core", one, List.of("--file", here, "--workers", Integer.toString(all.size())));
    comparisons.add(sixConfigurations(run, ONE_CORE, confined, handlers));
    comparisons.add(tiny(run, local));
    comparisons.add(pair(run, local));
    return comparisons;
  }

  private static String document(FiveHandlersScenario handlers, String place, List<String> pair) {
    List<String> chains = new ArrayList<>();
    configurations()
        .forEach(
            (name, stages) -> chains.add(handlers.chain(chain(name), stages, "always", place)));
    chains.add(handlers.chain("auto", "[[a, b, c, d, e]]", "auto", place));
    chains.add(handlers.chain(BARE, "[[a], [b]]", "never", place));
    for (String when : List.of("never", "always", "auto")) {
      ChainDocument tiny = new ChainDocument("tiny-" + when).sideBySide(when).stages("[[t1, t2]]");
      chains.add(tiny.step("t1", "bench-tiny", "").step("t2", "bench-tiny", "").toString());
    }
    chains.addAll(pair);
    return ChainDocument.document(chains);
  }

  private static Comparison sixConfigurations(
      ExperimentRun run, String title, ServerProcess server, FiveHandlersScenario handlers) {
    List<RoundTripVariant> variants = new ArrayList<>();
    byte[] body = handlers.body();
    variants.add(variant(run, CONVENTIONAL, server, chain(SEQUENTIAL), Mode.SERIAL, body));
    for (String each : configurations().keySet()) {
      variants.add(variant(run, each, server, chain(each), Mode.CHAIN, body));
    }
    if (!title.equals(REMOTE)) {
      variants.add(variant(run, "auto", server, "auto", Mode.CHAIN, body));
    }
    if (title.equals(LOCAL)) {
      variants.add(variant(run, ONCE, server, BARE, Mode.SERIAL, body));
      variants.add(variant(run, TWICE, server, BARE, Mode.TWICE, body));
    }
    return new Comparison(title, variants, SEQUENTIAL);
  }

  private static RoundTripVariant variant(
      ExperimentRun run, String name, ServerProcess server, String chain, Mode mode, byte[] body) {
    int messages = run.get(MESSAGES);
    return new RoundTripVariant(name, server, chain, mode, body, messages, warmUp(run));
  }

  private static Comparison tiny(ExperimentRun run, ServerProcess server) {
    int messages = 10 * run.get(MESSAGES);
    List<RoundTripVariant> variants =
        Stream.of("never", "always", "auto")
            .map(
                when ->
                    new RoundTripVariant(
                        when, server, "tiny-" + when, Mode.CHAIN, SMALL, messages, warmUp(run)))
            .toList();
    return new Comparison(TINY, variants, "never");
  }

  private static Comparison pair(ExperimentRun run, ServerProcess server) {
    return new Comparison(
        TABLE_1,
        List.of(
            variant(run, CONVENTIONAL, server, "pair-sequential", Mode.SERIAL, SMALL),
            variant(run, SEQUENTIAL, server, "pair-sequential", Mode.CHAIN, SMALL),
            variant(run, "parallel", server, "pair-parallel", Mode.CHAIN, SMALL)),
        SEQUENTIAL);
  }

  static Stream<Finding> findings(ComparisonResults one) {
    if (one.samples().containsKey(FOURTH)) {
      String name = "speed-up of configuration 4, " + one.title();
      return Stream.concat(
          one.finding(name, SEQUENTIAL, FOURTH, RoundTripVariant.MEAN, ""),
          one.samples().containsKey(TWICE) ? onIdleCpus(one) : Stream.of());
    }
    if (one.title().equals(TINY)) {
      double workers = one.summary("auto", RoundTripVariant.WORKERS).max();
      String chosen = workers == 1 ? "auto chose sequential" : "auto did not choose sequential";
      String name = "tiny, auto to sequential";
      return one.finding(name, "auto", "never", RoundTripVariant.MEAN, chosen);
    }
    String name = TABLE_1 + ", parallel to sequential";
    return one.finding(name, "parallel", SEQUENTIAL, RoundTripVariant.MEAN, "the paper: 0.671");
  }

  /** Speed-up in the rounds in which the machine had two idle CPUs; none if it never had. */
  private static Stream<Finding> onIdleCpus(ComparisonResults one) {
    List<Double> speedUps = one.ratios(SEQUENTIAL, FOURTH, RoundTripVariant.MEAN);
    List<Double> doubled = one.ratios(TWICE, ONCE, RoundTripVariant.MEAN);
    List<Double> idle = new ArrayList<>();
    for (int round = 0; round < speedUps.size(); round++) {
      if (doubled.get(round) <= IDLE) {
        idle.add(speedUps.get(round));
      }
    }
    if (idle.isEmpty()) {
      return Stream.of();
    }
    SampleSummary ratio = SampleSummary.of(idle);
    String note =
        String.format(
            Locale.ROOT,
            "%d of %d rounds, in which twice at once took at most %.1f times as long as once;"
                + " target %.1f %s, ideal 1.85",
            idle.size(),
            speedUps.size(),
            IDLE,
            TARGET,
            ratio.median() >= TARGET ? "reached" : "not reached");
    return Stream.of(new Finding("speed-up of configuration 4, local, two idle CPUs", ratio, note));
  }
}
