package dev.pinion.benchmarks.experiments.dharch;

import dev.pinion.benchmarks.chart.Figure;
import dev.pinion.benchmarks.experiment.Comparison;
import dev.pinion.benchmarks.experiment.ComparisonResults;
import dev.pinion.benchmarks.experiment.ExperimentDescription;
import dev.pinion.benchmarks.experiment.ExperimentDescription.Extent;
import dev.pinion.benchmarks.experiment.Finding;
import dev.pinion.benchmarks.experiment.HardwareRequirement;
import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.benchmarks.experiment.SampleSummary;
import dev.pinion.benchmarks.experiments.TestbedCommand;
import dev.pinion.benchmarks.experiments.TestbedOptions;
import dev.pinion.benchmarks.experiments.dharch.RoundTripVariant.Mode;
import dev.pinion.benchmarks.report.ResultFigures;
import dev.pinion.benchmarks.testbed.CpuPlacement;
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
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code experiment handlers}: five handlers in six configurations, in three environments. */
@Command(
    name = "handlers",
    description = "Round trips of a message through five handlers, arranged in six ways.",
    mixinStandardHelpOptions = true)
public final class HandlersExperiment extends TestbedCommand {
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
  private static final int SHARED = 8;
  private static final double TARGET = 1.7;

  /**
   * Two CPUs are idle when two threads with a CPU each take at most this multiple of the time of
   * one.
   */
  private static final double IDLE = 1.1;

  private static final int MAX_MESSAGES = 100_000;

  @Option(
      names = "--messages",
      description = "Round trips of each variant and round (100; --quick 10).")
  private @Nullable Integer messages;

  @Override
  public String experiment() {
    return "handlers";
  }

  @Override
  public String question() {
    return "which arrangement of handlers answers soonest";
  }

  @Override
  public ExperimentDescription description() {
    return new ExperimentDescription(
        "Round trips through five handlers in the six configurations of the paper, in one process,"
            + " in two handler hosts behind a NATS server, and on one core; tiny handlers with"
            + " auto; and the pair of its Table 1.",
        "DHArch, Fig. 4 to 6 (in its captions 3 to 5): with enough cores all side by side is"
            + " fastest, A beside C and B beside D gains next to nothing, distribution alone costs"
            + " a little; on one core side by side gains nothing. Table 1: 161.2 ms in the"
            + " conventional chain, 171.6 sequential, 115.2 parallel: 28.6 % and 32.9 % less.",
        HardwareRequirement.ANY,
        "One message is in flight. A inflates 2 ms and B decrypts 2 ms by the size of the message;"
            + " C writes to a file 0.5 ms, D monitors 0.3 ms, E logs 0.2 ms by how much of it they"
            + " take; sizes are found on this machine before the first round, \"handlers\" is what"
            + " they then took. Configuration 4 can be at most 5.0/2.7 = 1.85 times as fast as 2,"
            + " on two idle CPUs; whether they were is found in each round by A and B on two"
            + " threads at once, without chain, against once: a host that gives both CPUs one core"
            + " shows there. The pair of Table 1 takes about a tenth of the paper's times: resource"
            + " state is forced to the disk, eventing and the service behind it are asked by HTTP,"
            + " in as many writes and calls as take that long here.");
  }

  @Override
  public Extent extent() {
    return Extent.of(3, 28);
  }

  @Override
  public Duration time() {
    return ROUND_TRIP
        .multipliedBy((long) messages() * extent().variants() * (options().rounds() + 1))
        .plus(warmUp().multipliedBy(extent().variants()))
        .plusSeconds(20);
  }

  /** For each variant; those of one server warm each other. */
  private Duration warmUp() {
    return options().warmUp().dividedBy(SHARED);
  }

  private int messages() {
    return options().chosen(messages, 100, 10);
  }

  @Override
  public CpuPlacement placement(CpuSet allowed) {
    return options().placementOfReplicas(allowed);
  }

  @Override
  public void check(CpuPlacement placement) {
    TestbedOptions.requireRange("--messages", messages(), 1, MAX_MESSAGES);
  }

  @Override
  public List<String> caveats() {
    return HandlerHostCluster.natsServer() == null
        ? List.of("Expected the command nats-server, found none: remote handlers are left out.")
        : List.of();
  }

  @Override
  public Map<String, String> versions() throws IOException {
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

  @Override
  public Set<String> unused() {
    return Set.of("--seconds");
  }

  @Override
  public List<Comparison> comparisons(Testbed testbed)
      throws MeasurementException, InterruptedException {
    FiveHandlersScenario handlers = FiveHandlersScenario.calibrated();
    ResourceEventingScenario pair =
        ResourceEventingScenario.calibrated(testbed.stub().uri().resolve("/svc/s1"));
    CpuSet all = testbed.placement().engine();
    CpuSet one = CpuSet.of(all.stream().limit(1));
    String here = ChainFiles.write(testbed, "here", document(handlers, LOCAL, pair.chains()));
    ServerProcess local = testbed.chains(LOCAL, all, List.of("--file", here));
    List<Comparison> comparisons = new ArrayList<>();
    comparisons.add(sixConfigurations(LOCAL, local, handlers));
    if (HandlerHostCluster.natsServer() != null) {
      String elsewhere =
          ChainFiles.write(testbed, "elsewhere", document(handlers, "remote", List.of()));
      List<String> hosts =
          List.of("--hosts", "2", "--kinds", String.join(",", FiveHandlersScenario.HOSTED));
      List<String> options = new ArrayList<>(List.of("--file", elsewhere));
      options.addAll(hosts);
      ServerProcess remote = testbed.chains("remote", all, options);
      comparisons.add(sixConfigurations(REMOTE, remote, handlers));
    }
    // As many workers as in the other environments, which then share a core: so it was in the
    // paper.
    ServerProcess confined =
        testbed.chains(
            "one-core", one, List.of("--file", here, "--workers", Integer.toString(all.size())));
    comparisons.add(sixConfigurations(ONE_CORE, confined, handlers));
    comparisons.add(tiny(local));
    comparisons.add(pair(local));
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

  private Comparison sixConfigurations(
      String title, ServerProcess server, FiveHandlersScenario handlers) {
    List<RoundTripVariant> variants = new ArrayList<>();
    byte[] body = handlers.body();
    variants.add(variant(CONVENTIONAL, server, chain(SEQUENTIAL), Mode.SERIAL, body));
    for (String each : configurations().keySet()) {
      variants.add(variant(each, server, chain(each), Mode.CHAIN, body));
    }
    if (!title.equals(REMOTE)) {
      variants.add(variant("auto", server, "auto", Mode.CHAIN, body));
    }
    if (title.equals(LOCAL)) {
      variants.add(variant(ONCE, server, BARE, Mode.SERIAL, body));
      variants.add(variant(TWICE, server, BARE, Mode.TWICE, body));
    }
    return new Comparison(title, variants, SEQUENTIAL);
  }

  private RoundTripVariant variant(
      String name, ServerProcess server, String chain, Mode mode, byte[] body) {
    return new RoundTripVariant(name, server, chain, mode, body, messages(), warmUp());
  }

  private Comparison tiny(ServerProcess server) {
    List<RoundTripVariant> variants =
        List.of("never", "always", "auto").stream()
            .map(
                when ->
                    new RoundTripVariant(
                        when,
                        server,
                        "tiny-" + when,
                        Mode.CHAIN,
                        new byte[16],
                        10 * messages(),
                        warmUp()))
            .toList();
    return new Comparison(TINY, variants, "never");
  }

  private Comparison pair(ServerProcess server) {
    byte[] none = new byte[16];
    return new Comparison(
        TABLE_1,
        List.of(
            variant(CONVENTIONAL, server, "pair-sequential", Mode.SERIAL, none),
            variant(SEQUENTIAL, server, "pair-sequential", Mode.CHAIN, none),
            variant("parallel", server, "pair-parallel", Mode.CHAIN, none)),
        SEQUENTIAL);
  }

  @Override
  public List<Finding> findings(ComparisonResults comparisonResults) {
    List<Finding> findings = new ArrayList<>();
    if (comparisonResults.samples().containsKey(FOURTH)) {
      comparisonResults
          .ratio(SEQUENTIAL, FOURTH, RoundTripVariant.MEAN)
          .ifPresent(
              ratio ->
                  findings.add(
                      new Finding(
                          "speed-up of configuration 4, " + comparisonResults.title(), ratio, "")));
      if (comparisonResults.samples().containsKey(TWICE)) {
        onIdleCpus(comparisonResults).ifPresent(findings::add);
      }
    } else if (comparisonResults.title().equals(TINY)) {
      SampleSummary workers = comparisonResults.summary("auto", RoundTripVariant.WORKERS);
      String chosen =
          workers.max() == 1 ? "auto chose sequential" : "auto did not choose sequential";
      comparisonResults
          .ratio("auto", "never", RoundTripVariant.MEAN)
          .ifPresent(ratio -> findings.add(new Finding("tiny, auto to sequential", ratio, chosen)));
    } else {
      comparisonResults
          .ratio("parallel", SEQUENTIAL, RoundTripVariant.MEAN)
          .ifPresent(
              ratio ->
                  findings.add(
                      new Finding(
                          TABLE_1 + ", parallel to sequential", ratio, "the paper: 0.671")));
    }
    return findings;
  }

  /** Speed-up in the rounds in which the machine had two idle CPUs; none if it never had. */
  private static Optional<Finding> onIdleCpus(ComparisonResults comparisonResults) {
    List<Double> speedUps = comparisonResults.ratios(SEQUENTIAL, FOURTH, RoundTripVariant.MEAN);
    List<Double> doubled = comparisonResults.ratios(TWICE, ONCE, RoundTripVariant.MEAN);
    List<Double> idle = new ArrayList<>();
    for (int round = 0; round < speedUps.size(); round++) {
      if (doubled.get(round) <= IDLE) {
        idle.add(speedUps.get(round));
      }
    }
    if (idle.isEmpty()) {
      return Optional.empty();
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
    return Optional.of(
        new Finding("speed-up of configuration 4, local, two idle CPUs", ratio, note));
  }

  @Override
  public List<Figure> figures(List<ComparisonResults> results) {
    List<Figure> figures = new ArrayList<>();
    results.forEach(
        one -> figures.addAll(ResultFigures.sideBySide(one, List.of(RoundTripVariant.MEAN))));
    return figures;
  }
}
