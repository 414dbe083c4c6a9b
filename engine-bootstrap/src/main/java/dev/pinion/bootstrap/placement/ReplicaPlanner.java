package dev.pinion.bootstrap.placement;

import dev.pinion.bootstrap.topology.CpuSet;
import dev.pinion.bootstrap.topology.Topology;
import dev.pinion.bootstrap.topology.Topology.NumaNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Plans one replica on its CPUs: event loops, what they are pinned to, and what is beside them. */
final class ReplicaPlanner {
  /** CPUs from which on one core is left to everything that is not critical. */
  private static final int CPUS_FOR_ANCILLARY_CORE = 4;

  /** The same for event loops and handlers that spin, which share their CPU with nothing. */
  private static final int CPUS_FOR_ANCILLARY_CORE_BESIDE_SPINNING = 2;

  private final Topology topology;
  private final PlacementSettings settings;
  private final CpuOrder order;
  private final long heapBytes;
  private final int replicas;
  private final Waiting waiting;

  ReplicaPlanner(
      Topology topology, PlacementSettings settings, CpuOrder order, long heapBytes, int replicas) {
    this.topology = topology;
    this.settings = settings;
    this.order = order;
    this.heapBytes = heapBytes;
    this.replicas = replicas;
    this.waiting = Objects.requireNonNullElse(settings.waiting(), Waiting.PARK);
  }

  /**
   * The replica of some CPUs.
   *
   * @throws IllegalArgumentException when layout or waiting do not fit them
   */
  ReplicaSpec replica(int index, CpuSet cpus) {
    CpuSet free = cpus.minus(ancillaryCore(cpus));
    Layout layout = layout(cpus, free);
    Map<String, Integer> pins = pins(layout, cpus, free);
    CpuSet critical =
        pins.isEmpty() ? cpus : CpuSet.of(pins.values().stream().mapToInt(cpu -> cpu));
    CpuSet ancillary = critical.equals(cpus) ? cpus : cpus.minus(critical);
    int processors = Math.min(cpus.size(), granted(cpus.size()));
    ReplicaSpec spec =
        new ReplicaSpec(
            index,
            cpus,
            critical,
            ancillary,
            pins,
            settings.pinning() == Pinning.NONE ? CpuSet.EMPTY : ancillary,
            settings.pinning() == Pinning.NONE ? null : memoryNode(cpus),
            heapBytes,
            processors,
            Math.min(ancillary.size(), processors),
            layout,
            waiting);
    requireWaiting(spec);
    return spec;
  }

  /** The core least worth having, if enough CPUs remain without it; otherwise none. */
  private CpuSet ancillaryCore(CpuSet cpus) {
    int enough =
        waiting.spins() ? CPUS_FOR_ANCILLARY_CORE_BESIDE_SPINNING : CPUS_FOR_ANCILLARY_CORE;
    CpuSet last = order.cores(cpus).getLast();
    return cpus.size() < enough || last.size() * 2 > cpus.size() ? CpuSet.EMPTY : last;
  }

  private Layout layout(CpuSet cpus, CpuSet free) {
    Layout asked = settings.layout();
    if (settings.replicas() instanceof ReplicaPolicy.Sosoa sosoa) {
      if (asked != null) {
        throw new IllegalArgumentException(
            "expected layout auto with replicas " + sosoa + ", which sets it, found " + asked);
      }
      int each =
          Math.min(Layout.MAX_LOOPS, Objects.requireNonNullElse(sosoa.threads(), cpus.size()));
      return new Layout.Pipelined(1, each, each);
    }
    return asked == null
        ? new Layout.Fused(
            Math.clamp(granted(free.size()) - waiting.spinningHandlers(), 1, Layout.MAX_LOOPS))
        : asked;
  }

  /** What the time granted to this replica allows of a number of CPUs. */
  private int granted(int cpus) {
    Double quota = topology.cpuQuota();
    return quota == null ? cpus : Math.clamp(Math.round(quota / replicas), 1, cpus);
  }

  private Map<String, Integer> pins(Layout layout, CpuSet cpus, CpuSet free) {
    Map<String, Integer> pins = new LinkedHashMap<>();
    List<String> threads = new ArrayList<>(layout.threads());
    threads.addAll(waiting.handlers());
    if (settings.pinning() != Pinning.THREADS || cpus.size() < 2 || threads.size() > cpus.size()) {
      return pins;
    }
    List<Integer> own = order.cpus(threads.size() <= free.size() ? free : cpus);
    threads.forEach(thread -> pins.put(thread, own.get(pins.size())));
    return pins;
  }

  /** The one node all CPUs lie in, where there are several. */
  private @Nullable Integer memoryNode(CpuSet cpus) {
    List<NumaNode> around =
        topology.nodes().stream().filter(node -> node.cpus().containsAll(cpus)).toList();
    return topology.nodes().size() > 1 && around.size() == 1 ? around.getFirst().id() : null;
  }

  private void requireWaiting(ReplicaSpec spec) {
    if (spec.layout() instanceof Layout.Fused && !waiting.uniform()) {
      throw new IllegalArgumentException(
          "expected one way of waiting for layout "
              + spec.layout()
              + ", whose loops host all stages, found "
              + waiting);
    }
    List<String> threads = new ArrayList<>(spec.layout().threads());
    threads.addAll(waiting.handlers());
    for (String thread : threads) {
      Integer cpu = spec.pins().get(thread);
      boolean alone = cpu != null && !spec.ancillary().contains(cpu);
      if (waiting.of(thread) == Waiting.Mode.SPIN && !alone) {
        throw new IllegalArgumentException(
            "expected a CPU of its own for each event loop and worker that spins, found none for "
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
