package dev.pinion.benchmarks.experiments.sosoa;

import dev.pinion.benchmarks.experiment.Metric;
import dev.pinion.benchmarks.experiment.Sample;
import dev.pinion.benchmarks.experiment.Variant;
import dev.pinion.bootstrap.placement.PlacementPlanner;
import dev.pinion.bootstrap.placement.PlacementSettings;
import dev.pinion.bootstrap.placement.ReplicaSpec;
import dev.pinion.bootstrap.topology.CpuSet;
import dev.pinion.bootstrap.topology.Topology;
import dev.pinion.bootstrap.topology.Topology.AffinityGroup;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A simulated placement of replicas on a machine; each round has a separate seed. */
public final class SimulatedPlacement implements Variant {
  /** Simulated instances per 1,000 mean times of a step. */
  public static final Metric THROUGHPUT =
      new Metric("simulated throughput", "instances/1000 steps", 2);

  private static final Metric CPU = new Metric(Metric.CPU.name(), "steps/instance", 2);
  private static final Metric MOVED = new Metric("steps under another cache", "%", 1);

  private final String name;
  private final List<List<Integer>> caches;
  private final double factor;
  private final int clientsPerCpu;
  private final long instances;
  private long seed;

  /**
   * A variant.
   *
   * @param replicas value of {@code serve --replicas}
   * @param factor see {@link QueueingNetwork}
   * @param clientsPerCpu instances under way for each CPU
   * @param instances instances of each round
   */
  public SimulatedPlacement(
      String name,
      Topology topology,
      String replicas,
      double factor,
      int clientsPerCpu,
      long instances) {
    this.name = name;
    this.caches = caches(topology, replicas);
    this.factor = factor;
    this.clientsPerCpu = clientsPerCpu;
    this.instances = instances;
  }

  @Override
  public String name() {
    return name;
  }

  /** A simulation omits its own beginning. */
  @Override
  public void warmUp() {}

  @Override
  public Sample measure() {
    seed++;
    int cpus = caches.stream().mapToInt(List::size).sum();
    QueueingNetwork.Outcome outcome =
        new QueueingNetwork(caches, factor, seed).run(clientsPerCpu * cpus, instances);
    Map<Metric, Double> values = new LinkedHashMap<>();
    values.put(THROUGHPUT, outcome.throughput());
    values.put(CPU, outcome.stepTime());
    values.put(Metric.ERRORS, 0.0); // nothing can fail
    values.put(MOVED, 100 * outcome.moved());
    return new Sample(values);
  }

  private static List<List<Integer>> caches(Topology topology, String replicas) {
    PlacementSettings settings = PlacementSettings.AUTO.withReplicas(replicas).withSystemCpus(0);
    List<List<Integer>> caches = new ArrayList<>();
    for (ReplicaSpec spec : PlacementPlanner.plan(topology, settings).replicas()) {
      caches.add(spec.cpus().stream().map(cpu -> cache(topology, cpu)).boxed().toList());
    }
    return caches;
  }

  private static int cache(Topology topology, int cpu) {
    List<CpuSet> groups = topology.allowedGroups().stream().map(AffinityGroup::cpus).toList();
    for (int i = 0; i < groups.size(); i++) {
      if (groups.get(i).contains(cpu)) {
        return i;
      }
    }
    throw new IllegalStateException("expected CPU " + cpu + " in one of " + groups);
  }
}
