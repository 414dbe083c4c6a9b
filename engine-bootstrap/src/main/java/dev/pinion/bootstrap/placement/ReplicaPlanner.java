package dev.pinion.bootstrap.placement;

import dev.pinion.bootstrap.topology.CpuSet;
import dev.pinion.bootstrap.topology.Topology;
import dev.pinion.bootstrap.topology.Topology.NumaNode;
import dev.pinion.core.settings.StageLayout;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Plans one replica on its CPUs: event loops, their pinning, and other threads. */
final class ReplicaPlanner {
  /** Number of CPUs up to which each has a thread of garbage collection. */
  private static final int COLLECTING_CPUS = 8;

  private final Topology topology;
  private final PlacementSettings settings;
  private final CpuOrder order;
  private final AncillaryCores ancillaryCores;
  private final long heapBytes;
  private final List<String> decisions;
  private final IdleStrategies idleStrategies;

  ReplicaPlanner(
      Topology topology,
      PlacementSettings settings,
      CpuOrder order,
      AncillaryCores ancillaryCores,
      long heapBytes,
      List<String> decisions) {
    this.topology = topology;
    this.settings = settings;
    this.order = order;
    this.ancillaryCores = ancillaryCores;
    this.heapBytes = heapBytes;
    this.decisions = decisions;
    this.idleStrategies = Objects.requireNonNullElse(settings.waiting(), IdleStrategies.PARK);
  }

  /**
   * The replica of some CPUs.
   *
   * @param loops number of event loops unless its layout is given
   * @param processors number of CPUs for which its JVM sizes itself
   * @throws IllegalArgumentException when layout or waiting do not fit the CPUs
   */
  ReplicaSpec replica(int index, CpuSet cpus, int loops, int processors) {
    CpuSet free = ancillaryCores.free(cpus);
    StageLayout loopLayout = layout(cpus, loops);
    Map<String, Integer> pins = pins(loopLayout, cpus, free);
    CpuSet critical =
        pins.isEmpty() ? cpus : CpuSet.of(pins.values().stream().mapToInt(cpu -> cpu));
    CpuSet ancillary = critical.equals(cpus) ? cpus : cpus.minus(critical);
    ReplicaSpec spec =
        new ReplicaSpec(
            index,
            cpus,
            critical,
            ancillary,
            pins,
            settings.pinning() == Pinning.NONE ? CpuSet.EMPTY : ancillary,
            settings.pinning() == Pinning.NONE ? null : memoryNode(index, cpus),
            heapBytes,
            processors,
            collectors(processors),
            loopLayout,
            idleStrategies);
    requireWaiting(spec);
    return spec;
  }

  /**
   * Parallel threads of garbage collection on some CPUs: one each, fewer beyond {@link
   * #COLLECTING_CPUS}, as HotSpot does.
   */
  private static int collectors(int processors) {
    return processors <= COLLECTING_CPUS
        ? processors
        : COLLECTING_CPUS + (processors - COLLECTING_CPUS) * 5 / 8;
  }

  private StageLayout layout(CpuSet cpus, int loops) {
    StageLayout asked = settings.layout();
    if (settings.replicas() instanceof ReplicaPolicy.Sosoa sosoa) {
      if (asked != null) {
        throw new IllegalArgumentException(
            "expected layout auto with replicas " + sosoa + ", which sets it, found " + asked);
      }
      int each =
          Math.min(StageLayout.MAX_LOOPS, Objects.requireNonNullElse(sosoa.threads(), cpus.size()));
      return new StageLayout.Pipelined(1, each, each);
    }
    return asked == null ? new StageLayout.Fused(loops) : asked;
  }

  private Map<String, Integer> pins(StageLayout loopLayout, CpuSet cpus, CpuSet free) {
    Map<String, Integer> pins = new LinkedHashMap<>();
    List<String> threads = new ArrayList<>(loopLayout.threads());
    threads.addAll(idleStrategies.handlers());
    if (settings.pinning() != Pinning.THREADS || cpus.size() < 2) {
      return pins;
    }
    if (threads.size() > cpus.size()) {
      noteUnpinned(threads.size(), cpus.size());
      return pins;
    }
    List<Integer> own = order.cpus(threads.size() <= free.size() ? free : cpus);
    threads.forEach(thread -> pins.put(thread, own.get(pins.size())));
    return pins;
  }

  /** Adds the decision once for all replicas of a size. */
  private void noteUnpinned(int threads, int cpus) {
    String said =
        threads
            + " threads on "
            + cpus
            + (cpus == 1 ? " CPU" : " CPUs")
            + " are too many to pin: such a replica is confined as a whole";
    if (!decisions.contains(said)) {
      decisions.add(said);
    }
  }

  /** The node of all CPUs, where there are several nodes and its memory is allowed. */
  private @Nullable Integer memoryNode(int index, CpuSet cpus) {
    List<NumaNode> around =
        topology.nodes().stream().filter(node -> node.cpus().containsAll(cpus)).toList();
    if (topology.nodes().size() < 2 || around.size() != 1) {
      return null;
    }
    NumaNode node = around.getFirst();
    if (topology.memoryNodes().contains(node.id())) {
      return node.id();
    }
    decisions.add(
        "replica "
            + index
            + " lies in NUMA node "
            + node.id()
            + (node.memBytes() == 0
                ? ", of which no memory is known"
                : ", whose memory this process may not take (Mems_allowed, cpuset.mems)")
            + ": its memory comes from wherever the system takes it");
    return null;
  }

  private void requireWaiting(ReplicaSpec spec) {
    if (spec.layout() instanceof StageLayout.Fused && !idleStrategies.uniform()) {
      throw new IllegalArgumentException(
          "expected one way of waiting for layout "
              + spec.layout()
              + ", whose loops host all stages, found "
              + idleStrategies);
    }
    List<String> threads = new ArrayList<>(spec.layout().threads());
    threads.addAll(idleStrategies.handlers());
    for (String thread : threads) {
      Integer cpu = spec.pins().get(thread);
      boolean alone = cpu != null && !spec.ancillary().contains(cpu);
      if (idleStrategies.of(thread) == IdleStrategies.IdleMode.SPIN && !alone) {
        throw new IllegalArgumentException(
            "expected a separate CPU for each event loop and worker that spins, found none for "
                + thread
                + " of replica "
                + spec.index()
                + " ("
                + spec.layout()
                + " on CPUs "
                + spec.cpus()
                + "): choose waiting park or yield, pinning threads, or fewer of them");
      }
    }
  }
}
