package dev.pinion.benchmarks.experiments.moses;

import dev.pinion.benchmarks.experiment.Comparison;
import dev.pinion.benchmarks.experiment.ComparisonResults;
import dev.pinion.benchmarks.experiment.ExperimentDescription.Extent;
import dev.pinion.benchmarks.experiment.Finding;
import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.benchmarks.experiment.Metric;
import dev.pinion.benchmarks.experiments.CommonOptions;
import dev.pinion.benchmarks.experiments.Experiment;
import dev.pinion.benchmarks.experiments.ExperimentRun;
import dev.pinion.benchmarks.experiments.TestbedOptions;
import dev.pinion.benchmarks.testbed.LoadSettings;
import dev.pinion.benchmarks.testbed.Testbed;
import dev.pinion.workloads.catalog.Workload;
import java.util.List;
import java.util.stream.Stream;

/** {@code experiment broker-placement}: where calls are bound, and by how many replicas. */
public final class BrokerPlacementExperiment {
  private static final String IN_PROCESS = "in process";
  private static final String SERVICE = "binding service";
  private static final String ONE = "1 replica";
  private static final String TWO = "2 replicas";
  private static final int REPLICAS = 2;

  public static final Experiment EXPERIMENT =
      Experiment.named(
              "broker-placement",
              "Binding in process against a binding service; two replicas against one.")
          .question("what it gains to bind calls in process, and to bind them in two replicas")
          .shows(
              "Six calls in sequence with concrete services, bound in process, and by a service"
                  + " that each call asks over HTTP first; and two replicas that bind in process"
                  + " against one.")
          .source(
              "MOSES, section 3 and Fig. 7: a manager that was a service of its own cost a"
                  + " non-negligible overhead for each call, so it became a class within the"
                  + " engine; a second engine almost doubled the throughput, and halved response"
                  + " times from 50 requests/s on.")
          .needs(4, 1)
          .reading(
              "The binding service chooses by the same code and runs on the CPUs of the load:"
                  + " its own time is in no figure, so what it costs the engine is the least that"
                  + " it can cost. Two replicas say nothing about throughput where they share their"
                  + " CPUs with the load.")
          .options(CommonOptions.CLIENTS)
          .extent(run -> Extent.of(4, 5).withWarm(1))
          // Two replicas need a CPU each, even if they share it with the load.
          .placement(TestbedOptions::placementOfReplicas)
          .check(BrokerPlacementExperiment::check)
          .compares(BrokerPlacementExperiment::comparisons)
          .findings(BrokerPlacementExperiment::findings);

  private BrokerPlacementExperiment() {}

  private static void check(ExperimentRun run) {
    if (run.engineCpus() < REPLICAS) {
      throw new IllegalArgumentException(
          "expected a CPU for each of "
              + REPLICAS
              + " replicas, found "
              + run.placement().engine());
    }
  }

  private static List<Comparison> comparisons(ExperimentRun run, Testbed testbed)
      throws MeasurementException, InterruptedException {
    LoadSettings load = run.load(run.get(CommonOptions.CLIENTS));
    BindingService bindings = BindingService.start(testbed.stub().uri());
    testbed.atEnd(bindings::close);
    Workload workload = Workload.SEQUENTIAL;
    BrokerEngine plain = BrokerEngine.plain(testbed, BrokerExperiment.UNBROKERED, workload);
    BrokerEngine one = BrokerEngine.brokered(testbed, IN_PROCESS, 1, workload);
    BrokerEngine two = BrokerEngine.brokered(testbed, TWO, REPLICAS, workload);
    return List.of(
        new Comparison(
            "where calls are bound",
            List.of(
                plain.under(BrokerExperiment.UNBROKERED, load),
                one.under(IN_PROCESS, load),
                plain.withLookup(SERVICE, bindings, load)),
            BrokerExperiment.UNBROKERED),
        new Comparison(
            "by how many replicas",
            List.of(one.under(ONE, load.warm()), two.under(TWO, load)),
            ONE));
  }

  private static Stream<Finding> findings(ExperimentRun run, ComparisonResults one) {
    if (one.baseline().equals(ONE)) {
      String claim =
          run.placement().shared() ? "no claim: the replicas share their CPUs with the load" : "";
      return Stream.concat(
          one.finding("processor time, two replicas to one", TWO, ONE, Metric.CPU, ""),
          one.finding("throughput, two replicas to one", TWO, ONE, Metric.THROUGHPUT, claim));
    }
    return Stream.of(IN_PROCESS, SERVICE)
        .flatMap(
            each ->
                one.finding(
                    "processor time, " + each, each, BrokerExperiment.UNBROKERED, Metric.CPU, ""));
  }
}
