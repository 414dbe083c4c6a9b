package dev.pinion.bootstrap.placement;

import dev.pinion.bootstrap.topology.CpuSet;
import dev.pinion.bootstrap.topology.Topology;
import java.util.ArrayList;
import java.util.List;

/**
 * Plans replicas: one per affinity group unless asked otherwise, each with its share of the heap
 * and its event loops. Pure: the same machine and settings give the same plan.
 */
public final class PlacementPlanner {
  /** Least heap of one replica. */
  public static final long MIN_HEAP_BYTES = 128L << 20;

  /** Most heap of one replica unless a heap is asked for. */
  public static final long MAX_DEFAULT_HEAP_BYTES = 4L << 30;

  /** Memory assumed where none is known. */
  private static final long ASSUMED_MEMORY_BYTES = 2L << 30;

  /** CPUs from which on one core is left to everything that is not critical. */
  private static final int CPUS_FOR_ANCILLARY_CORE = 4;

  private final Topology topology;
  private final PlacementSettings settings;
  private final List<String> decisions = new ArrayList<>();

  private PlacementPlanner(Topology topology, PlacementSettings settings) {
    this.topology = topology;
    this.settings = settings;
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
    long heap = totalHeap();
    List<CpuSet> groups = groups(heap);
    long share = heapShare(heap, groups.size());
    List<ReplicaSpec> replicas = new ArrayList<>();
    for (CpuSet cpus : groups) {
      replicas.add(replica(replicas.size(), cpus, share, groups.size()));
    }
    return new Plan(replicas, decisions);
  }

  private List<CpuSet> groups(long heap) {
    Grouping grouping = new Grouping(topology, decisions);
    grouping.splitByNode();
    grouping.coarsenSingleCores();
    Integer asked = settings.replicas();
    if (asked != null) {
      grouping.makeExactly(asked);
      return grouping.groups();
    }
    int affordable = Math.clamp(heap / MIN_HEAP_BYTES, 1, grouping.groups().size());
    if (affordable < grouping.groups().size()) {
      decisions.add(
          "memory allows "
              + affordable
              + " replicas of at least "
              + (MIN_HEAP_BYTES >> 20)
              + " MB of heap: neighbouring groups are joined");
      grouping.makeExactly(affordable);
    }
    return grouping.groups();
  }

  private long totalHeap() {
    Long asked = settings.heapBytes();
    if (asked != null) {
      return asked;
    }
    long allowed = topology.memory().allowedBytes();
    if (allowed == 0) {
      decisions.add("the size of memory is unknown: 2 GB are assumed");
      allowed = ASSUMED_MEMORY_BYTES;
    }
    return allowed / 4;
  }

  private long heapShare(long total, int replicas) {
    long share = total / replicas;
    if (settings.heapBytes() != null) {
      if (share < MIN_HEAP_BYTES) {
        throw new IllegalArgumentException(
            "expected a heap of at least "
                + (MIN_HEAP_BYTES >> 20)
                + " MB for each of "
                + replicas
                + " replicas, found "
                + (total >> 20)
                + " MB in all");
      }
      return share;
    }
    return Math.clamp(share, MIN_HEAP_BYTES, MAX_DEFAULT_HEAP_BYTES);
  }

  private ReplicaSpec replica(int index, CpuSet cpus, long heap, int replicas) {
    CpuSet ancillary = ancillary(cpus);
    CpuSet critical = ancillary.equals(cpus) ? cpus : cpus.minus(ancillary);
    Layout asked = settings.layout();
    Layout layout = asked == null ? new Layout.Fused(loops(critical, replicas)) : asked;
    if (settings.spin() && layout.loops() > critical.size()) {
      throw new IllegalArgumentException(
          "expected a CPU for each event loop that spins, found "
              + layout.loops()
              + " loops on "
              + critical.size()
              + " CPUs: choose waiting park, or fewer loops");
    }
    return new ReplicaSpec(index, cpus, critical, ancillary, heap, layout);
  }

  /** The last core, if enough CPUs remain without it; otherwise all CPUs. */
  private CpuSet ancillary(CpuSet cpus) {
    if (cpus.size() < CPUS_FOR_ANCILLARY_CORE) {
      return cpus;
    }
    CpuSet last =
        topology.cores().stream()
            .map(core -> core.and(cpus))
            .filter(core -> !core.isEmpty())
            .reduce((a, b) -> b.first() > a.first() ? b : a)
            .orElse(cpus);
    return last.size() * 2 > cpus.size() ? cpus : last;
  }

  private int loops(CpuSet critical, int replicas) {
    Double quota = topology.cpuQuota();
    int granted = quota == null ? critical.size() : (int) Math.max(1, Math.round(quota / replicas));
    return Math.min(Math.min(critical.size(), granted), Layout.MAX_LOOPS);
  }
}
