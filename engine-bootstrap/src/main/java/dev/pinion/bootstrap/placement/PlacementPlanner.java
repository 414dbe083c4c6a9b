package dev.pinion.bootstrap.placement;

import dev.pinion.bootstrap.topology.CpuSet;
import dev.pinion.bootstrap.topology.Topology;
import dev.pinion.core.settings.StageLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Plans replicas: one per affinity group by default, each with its share of the heap and its event
 * loops. Pure: the same machine and settings give the same plan.
 *
 * <p>Affinity groups are split by NUMA node where a cache spans several, and those of a single core
 * are joined, because a replica per core wastes memory and shares nothing. {@link
 * PlacementPlan#decisions} explains the result.
 */
public final class PlacementPlanner {
  /** Minimum heap of one replica. */
  public static final long MIN_HEAP_BYTES = 128L << 20;

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
  public static PlacementPlan plan(Topology topology, PlacementSettings settings) {
    return new PlacementPlanner(topology, settings).plan();
  }

  private PlacementPlan plan() {
    HeapDivision heap = heap(decisions);
    SystemCpus system = new SystemCpus(order, groups(grouping(decisions), heap), decisions);
    leaveToSystem(system);
    List<CpuSet> groups = system.groups();
    List<ReplicaSpec> specs = replicas(groups, heap.share(groups.size()));
    int least =
        switch (settings.replicas()) {
          case ReplicaPolicy.Between between -> between.min();
          case ReplicaPolicy.Listed listed -> listed.min();
          default -> specs.size();
        };
    return new PlacementPlan(specs, least, system.reserved(), decisions);
  }

  private HeapDivision heap(List<String> told) {
    return new HeapDivision(settings.heapBytes(), topology.memory().allowedBytes(), told);
  }

  private CpuGrouping grouping(List<String> told) {
    CpuGrouping cpuGrouping = new CpuGrouping(topology, told);
    cpuGrouping.joinSplitCores();
    cpuGrouping.splitByNode();
    cpuGrouping.coarsenSingleCores();
    return cpuGrouping;
  }

  private List<ReplicaSpec> replicas(List<CpuSet> groups, long heapBytes) {
    IdleStrategies idleStrategies =
        Objects.requireNonNullElse(settings.waiting(), IdleStrategies.PARK);
    boolean spinning = idleStrategies.spins();
    AncillaryCores ancillary = new AncillaryCores(order, spinning);
    ThreadDivision shares = new ThreadDivision(ancillary, topology.cpuQuota(), spinning);
    List<Integer> loops = loops(shares, groups);
    List<Integer> processors = shares.processors(groups);
    ReplicaPlanner planner =
        new ReplicaPlanner(topology, settings, order, ancillary, heapBytes, decisions);
    List<ReplicaSpec> specs = new ArrayList<>();
    for (int i = 0; i < groups.size(); i++) {
      int own = Math.max(1, loops.get(i) - idleStrategies.spinningHandlers());
      specs.add(planner.replica(i, groups.get(i), own, processors.get(i)));
    }
    return specs;
  }

  /**
   * Event loops of replicas: lists are taken as they are; all others share the number of loops of
   * {@code auto}.
   */
  private List<Integer> loops(ThreadDivision shares, List<CpuSet> groups) {
    if (settings.replicas() instanceof ReplicaPolicy.Listed) {
      return shares.loops(groups, shares.loops(groups));
    }
    int total = shares.loops(groupsOfAuto());
    List<Integer> loops = shares.loops(groups, total);
    boolean chosen =
        settings.layout() != null || settings.replicas() instanceof ReplicaPolicy.Sosoa;
    if (!chosen && total != shares.loops(groups)) {
      decisions.add(shared(loops.stream().mapToInt(each -> each).sum(), total));
    }
    return loops;
  }

  private static String shared(int loops, int ofAuto) {
    String why =
        loops == ofAuto
            ? "the " + ofAuto + " of auto are shared out, whatever the number of replicas"
            : loops < ofAuto
                ? "these replicas have no room for all "
                    + ofAuto
                    + " of auto, as each has at most "
                    + StageLayout.MAX_LOOPS
                    + " and no more than its CPUs"
                : "more than the " + ofAuto + " of auto, as each replica has one at least";
    return "event loops are " + loops + " in all: " + why + " (--layout sets them)";
  }

  /** The CPUs of replicas under {@code auto}; their decisions are dropped. */
  private List<CpuSet> groupsOfAuto() {
    List<String> unsaid = new ArrayList<>();
    List<CpuSet> whole = wholeGroupsOfAuto(unsaid);
    SystemCpus system = new SystemCpus(order, whole, unsaid);
    Integer asked = settings.systemCpus();
    int spare = topology.allowed().size() - whole.size();
    system.reserve(asked == null ? null : Math.min(asked, spare));
    return system.groups();
  }

  /** The CPUs of replicas under {@code auto}, before any are left to the system. */
  private List<CpuSet> wholeGroupsOfAuto(List<String> told) {
    CpuGrouping cpuGrouping = grouping(told);
    joinUnaffordable(cpuGrouping, heap(told));
    return cpuGrouping.groups();
  }

  private List<CpuSet> groups(CpuGrouping cpuGrouping, HeapDivision heap) {
    switch (settings.replicas()) {
      case ReplicaPolicy.Auto _ -> joinUnaffordable(cpuGrouping, heap);
      case ReplicaPolicy.Between between -> cpuGrouping.makeExactly(between.max());
      case ReplicaPolicy.Sosoa sosoa -> cpuGrouping.makeExactly(sosoa.replicas());
      case ReplicaPolicy.ByNode _ -> {
        cpuGrouping.takeNodes();
        joinUnaffordable(cpuGrouping, heap);
      }
      case ReplicaPolicy.ByPackage _ -> {
        cpuGrouping.takePackages();
        joinUnaffordable(cpuGrouping, heap);
      }
      case ReplicaPolicy.Interleaved interleaved -> {
        joinUnaffordable(cpuGrouping, heap);
        Integer asked = interleaved.replicas();
        cpuGrouping.deal(asked == null ? Math.max(2, cpuGrouping.groups().size()) : asked);
      }
      case ReplicaPolicy.Listed listed -> {
        ListedCpus.require(listed.sets(), topology.allowed());
        share(ListedCpus.shared(listed.sets()));
        return listed.sets();
      }
    }
    return cpuGrouping.groups();
  }

  private void share(CpuSet shared) {
    if (shared.isEmpty()) {
      return;
    }
    IdleStrategies idleStrategies = settings.waiting();
    if (idleStrategies != null && idleStrategies.spins()) {
      throw new IllegalArgumentException(
          "expected separate CPUs for each replica whose event loops or handlers spin, found "
              + shared
              + " in several lists: choose waiting park or yield, or other lists");
    }
    decisions.add("CPUs " + shared + " are in several lists: replicas compete for them");
  }

  private static void joinUnaffordable(CpuGrouping cpuGrouping, HeapDivision heap) {
    int found = cpuGrouping.groups().size();
    int affordable = heap.affordable(found);
    if (affordable < found) {
      cpuGrouping.makeExactly(affordable);
    }
  }

  /**
   * Leaves CPUs to the system. Lists are taken as they are; the paper left no CPU to the system.
   * Where {@code auto} leaves none, no other number of replicas does, so that all of them have as
   * many CPUs.
   */
  private void leaveToSystem(SystemCpus system) {
    switch (settings.replicas()) {
      case ReplicaPolicy.Listed _ ->
          decisions.add("CPU lists are taken as they are: none is left to the system");
      case ReplicaPolicy.Sosoa _ when settings.systemCpus() == null ->
          decisions.add("as in the paper, no CPU is left to the system");
      case ReplicaPolicy _
          when settings.systemCpus() == null
              && topology.allowed().size() >= SystemCpus.CPUS_FOR_SYSTEM
              && SystemCpus.wouldHalve(wholeGroupsOfAuto(new ArrayList<>())) ->
          system.reserveNone();
      default -> system.reserve(settings.systemCpus());
    }
  }
}
