package dev.pinion.benchmarks.cli;

import dev.pinion.benchmarks.bench.CpuPlacement;
import dev.pinion.benchmarks.bench.Layout;
import dev.pinion.benchmarks.bench.LoadSettings;
import dev.pinion.benchmarks.bench.Testbed;
import dev.pinion.benchmarks.experiment.Comparison;
import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.benchmarks.experiment.Report;
import dev.pinion.workloads.catalog.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code experiment layout}: fused against pipelined, over workloads and numbers of clients. */
@Command(
    name = "layout",
    description = "Fused against pipelined: what self-configuration should choose on these CPUs.",
    mixinStandardHelpOptions = true)
public final class LayoutExperiment extends TestbedCommand {
  @Option(
      names = "--workload",
      split = ",",
      defaultValue = "sequential,parallel",
      description = "Workloads, separated by commas (${DEFAULT-VALUE}).")
  private List<String> workloads = List.of();

  @Option(
      names = "--clients",
      split = ",",
      defaultValue = "1,16,64",
      description = "Numbers of clients, separated by commas (${DEFAULT-VALUE}).")
  private List<Integer> clients = List.of();

  @Option(
      names = "--out",
      paramLabel = "FILE",
      defaultValue = "experiment-layout.json",
      description = "Where the JSON goes as well (${DEFAULT-VALUE}).")
  private Path out = Path.of("");

  @Override
  String experiment() {
    return "layout";
  }

  @Override
  String question() {
    return "which layout serves more on these CPUs, fused or pipelined";
  }

  @Override
  void check(CpuPlacement placement) {
    workloads.forEach(Workload::named);
    clients.forEach(number -> options().load(number, placement));
  }

  @Override
  List<Comparison> comparisons(Testbed testbed) throws MeasurementException, InterruptedException {
    List<Comparison> comparisons = new ArrayList<>();
    for (String workload : workloads) {
      for (int number : clients) {
        LoadSettings load = options().load(number, testbed.placement());
        comparisons.add(
            new Comparison(
                workload + ", " + number + (number == 1 ? " client" : " clients"),
                List.of(
                    testbed.engine(Layout.FUSED, Workload.named(workload), load),
                    testbed.engine(Layout.PIPELINED, Workload.named(workload), load)),
                Layout.FUSED.variant()));
      }
    }
    return comparisons;
  }

  @Override
  void keep(Report report) throws IOException {
    Files.writeString(out, report.json().toPrettyString() + "\n");
    spec().commandLine().getErr().println("wrote " + out.toAbsolutePath());
  }
}
