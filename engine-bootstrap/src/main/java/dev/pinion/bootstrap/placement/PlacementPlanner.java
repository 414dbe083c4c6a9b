package dev.pinion.bootstrap.placement;

import dev.pinion.bootstrap.topology.CpuSet;
import dev.pinion.bootstrap.topology.Topology;
import java.util.ArrayList;
import java.util.List;

/**
 * Plans replicas: one per affinity group unless asked otherwise, each with its share of the heap
 * and its event loops. Pure: the same machine and settings give the same plan.
 *
 * <p>Affinity groups are split by NUMA node where a cache spans several, and those of a single core
 * are joined, because a replica per core wastes memory and shares nothing. What was done is told in
 * {@link Plan#decisions}.
 */
public final class PlacementPlanner {
  /** Least heap of one replica. */
  public static final long MIN_HEAP_BYTES = 128L << 20;

  /** Most heap for each affinity group unless a heap is asked for. */
  public static final long MAX_DEFAULT_HEAP_BYTES = 4L << 30;

  private final Topology topology;
  private final PlacementSettings settings;
  private final CpuOrder order;
  private final List<String> decisions = new ArrayList<>();

  private PlacementPlanner(Topology topology, PlacementSettings settings) {
    this.topology = topology;
    this.settings = settings;
    this.order = new CpuOrder(topology);
  }

  /**
   * A plan for a machine.
   *
   * @throws IllegalArgumentException when the settings do not fit the machine
   */
  public static Plan plan(Topology topology, PlacementSettings settings) {
    return new PlacementPlanner(topology, settings).plan();
  }

  private Plan plan() {
    Grouping grouping = new Grouping(topology, decisions);
    grouping.splitByNode();
    grouping.coarsenSingleCores();
    HeapShares heap =
        new HeapShares(
            settings.heapBytes(),
            topology.memory().allowedBytes(),
            grouping.groups().size(),
            decisions);
    SystemCpus system = new SystemCpus(order, groups(grouping, heap), decisions);
    leaveToSystem(system);
    List<CpuSet> groups = system.groups();
    long share = heap.share(groups.size());
    ReplicaPlanner replicas = new ReplicaPlanner(topology, settings, order, share, groups.size());
    List<ReplicaSpec> specs = new ArrayList<>();
    groups.forEach(cpus -> specs.add(replicas.replica(specs.size(), cpus)));
    int least =
        switch (settings.replicas()) {
          case ReplicaPolicy.Between between -> between.min();
          case ReplicaPolicy.Listed listed -> listed.min();
          default -> specs.size();
        };
    return new Plan(specs, least, system.taken(), decisions);
  }

  private List<CpuSet> groups(Grouping grouping, HeapShares heap) {
    switch (settings.replicas()) {
      case ReplicaPolicy.Auto _ -> joinUnaffordable(grouping, heap);
      case ReplicaPolicy.Between between -> grouping.makeExactly(between.max());
      case ReplicaPolicy.Sosoa sosoa -> grouping.makeExactly(sosoa.replicas());
      case ReplicaPolicy.ByNode _ -> {
        grouping.takeNodes();
        joinUnaffordable(grouping, heap);
      }
      case ReplicaPolicy.ByPackage _ -> {
        grouping.takePackages();
        joinUnaffordable(grouping, heap);
      }
      case ReplicaPolicy.Interleaved interleaved -> {
        joinUnaffordable(grouping, heap);
        Integer asked = interleaved.replicas();
        grouping.deal(asked == null ? Math.max(2, grouping.groups().size()) : asked);
      }
      case ReplicaPolicy.Listed listed -> {
        ListedCpus.require(listed.sets(), topology.allowed());
        share(ListedCpus.shared(listed.sets()));
        return listed.sets();
      }
    }
    return grouping.groups();
  }

  private void share(CpuSet shared) {
    if (shared.isEmpty()) {
      return;
    }
    Waiting waiting = settings.waiting();
    if (waiting != null && waiting.spins()) {
      throw new IllegalArgumentException(
          "expected CPUs of its own for each replica whose event loops or handlers spin, found "
              + shared
              + " in several lists: choose waiting park or yield, or other lists");
    }
    decisions.add("CPUs " + shared + " are in several lists: replicas compete for them");
  }

  private static void joinUnaffordable(Grouping grouping, HeapShares heap) {
    int found = grouping.groups().size();
    int affordable = heap.affordable(found);
    if (affordable < found) {
      grouping.makeExactly(affordable);
    }
  }

  /** Lists are taken as they are; the paper left no CPU to the system. */
  private void leaveToSystem(SystemCpus system) {
    switch (settings.replicas()) {
      case ReplicaPolicy.Listed _ ->
          decisions.add("CPU lists are taken as they are: none is left to the system");
      case ReplicaPolicy.Sosoa _ when settings.systemCpus() == null ->
          decisions.add("as in the paper, no CPU is left to the system");
      default -> system.take(settings.systemCpus());
    }
  }
}
