package dev.pinion.benchmarks.cli;

import dev.pinion.workloads.catalog.Workload;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The workloads of an experiment that the SOSOA paper made with four of them. */
final class PatternsOption {
  private static final List<String> FOUR = Workload.patterns().stream().map(Workload::id).toList();
  private static final List<String> ONE = List.of(Workload.SEQUENTIAL.id());

  @Option(
      names = "--workload",
      split = ",",
      description =
          "Workloads, separated by commas (sequential,for-each,parallel,loop; --quick sequential).")
  private @Nullable List<String> workloads;

  /**
   * Those that were asked for, each once.
   *
   * @throws IllegalArgumentException when there is none of such a name
   */
  List<Workload> chosen(HarnessOptions options) {
    return options.chosen(workloads, FOUR, ONE).stream().distinct().map(Workload::named).toList();
  }
}
