package dev.pinion.benchmarks.experiments.moses;

import dev.pinion.benchmarks.experiment.Comparison;
import dev.pinion.benchmarks.experiment.ComparisonResults;
import dev.pinion.benchmarks.experiment.ExperimentDescription;
import dev.pinion.benchmarks.experiment.ExperimentDescription.Extent;
import dev.pinion.benchmarks.experiment.Finding;
import dev.pinion.benchmarks.experiment.HardwareRequirement;
import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.benchmarks.experiment.Metric;
import dev.pinion.benchmarks.testbed.CpuPlacement;
import dev.pinion.benchmarks.testbed.LoadSettings;
import dev.pinion.benchmarks.testbed.Testbed;
import dev.pinion.bootstrap.topology.CpuSet;
import dev.pinion.workloads.catalog.Workload;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code experiment broker-placement}: where calls are bound, and by how many replicas. */
@Command(
    name = "broker-placement",
    description = "Binding in process against a binding service; two replicas against one.",
    mixinStandardHelpOptions = true)
public final class BrokerPlacementExperiment extends BrokerExperiment {
  private static final String IN_PROCESS = "in process";
  private static final String SERVICE = "binding service";
  private static final String ONE = "1 replica";
  private static final String TWO = "2 replicas";

  private static final int REPLICAS = 2;

  private boolean shared;

  @Option(
      names = "--clients",
      defaultValue = "64",
      description = "Clients without think time (${DEFAULT-VALUE}).")
  private int clients;

  @Override
  public String experiment() {
    return "broker-placement";
  }

  @Override
  public String question() {
    return "what it gains to bind calls in process, and to bind them in two replicas";
  }

  @Override
  public ExperimentDescription description() {
    return new ExperimentDescription(
        "Six calls in sequence with concrete services, bound in process, and by a service that each"
            + " call asks over HTTP first; and two replicas that bind in process against one.",
        "MOSES, section 3 and Fig. 7: a manager that was a service of its own cost a non-negligible"
            + " overhead for each call, so it became a class within the engine; a second engine almost"
            + " doubled the throughput, and halved response times from 50 requests/s on.",
        new HardwareRequirement(4, 1),
        "The binding service chooses by the same code and runs on the CPUs of the load: its own time is"
            + " in no figure, so what it costs the engine is the least that it can cost. Two replicas"
            + " say nothing about throughput where they share their CPUs with the load.");
  }

  @Override
  public Extent extent() {
    return Extent.of(4, 5).withWarm(1);
  }

  /** Two replicas need a CPU each, even if they share it with the load. */
  @Override
  public CpuPlacement placement(CpuSet allowed) {
    return options().placementOfReplicas(allowed);
  }

  @Override
  public void check(CpuPlacement placement) {
    options().load(clients, placement);
    if (placement.engine().size() < REPLICAS) {
      throw new IllegalArgumentException(
          "expected a CPU for each of " + REPLICAS + " replicas, found " + placement.engine());
    }
    shared = placement.shared();
  }

  @Override
  public List<Comparison> comparisons(Testbed testbed)
      throws MeasurementException, InterruptedException {
    LoadSettings load = options().load(clients, testbed.placement());
    BindingService bindings = BindingService.start(testbed.stub().uri());
    testbed.atEnd(bindings::close);
    Workload workload = Workload.SEQUENTIAL;
    BrokerEngine plain = BrokerEngine.plain(testbed, UNBROKERED, workload);
    BrokerEngine one = BrokerEngine.brokered(testbed, IN_PROCESS, 1, workload);
    BrokerEngine two = BrokerEngine.brokered(testbed, TWO, REPLICAS, workload);
    return List.of(
        new Comparison(
            "where calls are bound",
            List.of(
                plain.under(UNBROKERED, load),
                one.under(IN_PROCESS, load),
                plain.withLookup(SERVICE, bindings, load)),
            UNBROKERED),
        new Comparison(
            "by how many replicas",
            List.of(one.under(ONE, load.warm()), two.under(TWO, load)),
            ONE));
  }

  @Override
  public List<Finding> findings(ComparisonResults comparisonResults) {
    List<Finding> findings = new ArrayList<>();
    if (comparisonResults.baseline().equals(ONE)) {
      comparisonResults
          .ratio(TWO, ONE, Metric.CPU)
          .map(ratio -> new Finding("processor time, two replicas to one", ratio, ""))
          .ifPresent(findings::add);
      comparisonResults
          .ratio(TWO, ONE, Metric.THROUGHPUT)
          .map(ratio -> new Finding("throughput, two replicas to one", ratio, claim()))
          .ifPresent(findings::add);
      return findings;
    }
    for (String variant : List.of(IN_PROCESS, SERVICE)) {
      comparisonResults
          .ratio(variant, UNBROKERED, Metric.CPU)
          .map(ratio -> new Finding("processor time, " + variant, ratio, ""))
          .ifPresent(findings::add);
    }
    return findings;
  }

  private String claim() {
    return shared ? "no claim: the replicas share their CPUs with the load" : "";
  }
}
