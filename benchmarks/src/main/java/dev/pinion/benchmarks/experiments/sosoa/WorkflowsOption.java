package dev.pinion.benchmarks.experiments.sosoa;

import dev.pinion.benchmarks.experiments.TestbedOptions;
import dev.pinion.workloads.catalog.Workload;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Workloads of an experiment for which the SOSOA paper used four. */
final class WorkflowsOption {
  private static final List<String> FOUR = Workload.patterns().stream().map(Workload::id).toList();
  private static final List<String> ONE = List.of(Workload.SEQUENTIAL.id());

  @Option(
      names = "--workload",
      split = ",",
      description =
          "Workloads, separated by commas (sequential,for-each,parallel,loop; --quick sequential).")
  private @Nullable List<String> workloads;

  /**
   * The selected workloads, each once.
   *
   * @throws IllegalArgumentException when a name is unknown
   */
  List<Workload> chosen(TestbedOptions options) {
    return options.chosen(workloads, FOUR, ONE).stream().distinct().map(Workload::named).toList();
  }
}
