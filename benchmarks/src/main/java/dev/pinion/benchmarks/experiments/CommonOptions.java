package dev.pinion.benchmarks.experiments;

import dev.pinion.benchmarks.testbed.EngineLayout;
import dev.pinion.workloads.catalog.Workload;
import java.util.List;

/** Options that several experiments have. */
public final class CommonOptions {
  /** The workload of an experiment with one. */
  public static final ExperimentOption<String> WORKLOAD =
      ExperimentOption.of("--workload", "sequential").checked(Workload::named).help("The workload");

  /** Workloads of an experiment for which the SOSOA paper used four. */
  public static final ExperimentOption<List<String>> WORKFLOWS =
      ExperimentOption.words(
              "--workload", Workload.patterns().stream().map(Workload::id).toArray(String[]::new))
          .quick(List.of(Workload.SEQUENTIAL.id()))
          .label("<workloads>")
          .checked(names -> names.forEach(Workload::named))
          .help("Workloads, separated by commas");

  private static final int MAX_CLIENTS = 100_000;

  /** Clients of an experiment in the closed model. */
  public static final ExperimentOption<Integer> CLIENTS = clients(64, "Clients without think time");

  /** Clients of an experiment in the open model. */
  public static final ExperimentOption<Integer> CAPACITY_CLIENTS =
      clients(
          64,
          "Clients that find out what the engine can do; eight times as many requests may be under"
              + " way");

  /** Layouts of the engine, for which one is enough in quick runs. */
  public static final ExperimentOption<LayoutChoice> LAYOUT =
      ExperimentOption.of("--layout", LayoutChoice.both)
          .quick(LayoutChoice.fused)
          .help("${COMPLETION-CANDIDATES}");

  private CommonOptions() {}

  /** The workload of {@link #WORKLOAD}. */
  public static Workload workload(ExperimentRun run) {
    return Workload.named(run.get(WORKLOAD));
  }

  /** The layouts of {@link #LAYOUT}. */
  public static List<EngineLayout> layouts(ExperimentRun run) {
    return run.get(LAYOUT).layouts();
  }

  /** A number of clients in a title. */
  public static String inWords(int clients) {
    return clients + (clients == 1 ? " client" : " clients");
  }

  /** The workloads of {@link #WORKFLOWS}, each once. */
  public static List<Workload> workflows(ExperimentRun run) {
    return run.get(WORKFLOWS).stream().distinct().map(Workload::named).toList();
  }

  /** A number of clients. */
  public static ExperimentOption<Integer> clients(int usual, String help) {
    return ExperimentOption.of("--clients", usual).from(1, MAX_CLIENTS).help(help);
  }

  /** Numbers of clients, from which help and the default with {@code --quick} follow. */
  public static ExperimentOption<List<Integer>> numbersOfClients(int... usual) {
    return ExperimentOption.numbers("--clients", usual).from(1, MAX_CLIENTS);
  }

  /** Mean think time of a client. */
  public static ExperimentOption<Integer> think(int usualMillis, String help) {
    return ExperimentOption.of("--think", usualMillis).from(0, 60_000).label("MS").help(help);
  }

  /** Rates as shares of what an engine can do, above 0 and up to 2. */
  public static ExperimentOption<List<Double>> shares(double... usual) {
    return ExperimentOption.fractions("--fractions", usual)
        .checked(all -> all.forEach(each -> OfferedRate.requireShare("--fractions", each)));
  }
}
