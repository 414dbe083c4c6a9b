package dev.pinion.bootstrap.placement;

import dev.pinion.bootstrap.topology.CpuSet;
import dev.pinion.bootstrap.topology.Topology;
import java.util.List;

/**
 * Chooses what idle event loops do where that is left to the plan: they spin where each owns a core
 * that nothing else of the plan uses, its replica has CPUs for all other threads, and a CPU is left
 * to the system; otherwise they park. All replicas wait the same way, so that none is better.
 */
final class WaitingChoice {
  /** CPUs allowed from which on event loops may spin. */
  private static final int CPUS_FOR_SPINNING = 4;

  private final Topology topology;
  private final CpuOrder order;
  private final List<String> decisions;

  WaitingChoice(Topology topology, CpuOrder order, List<String> decisions) {
    this.topology = topology;
    this.order = order;
    this.decisions = decisions;
  }

  /**
   * The replicas, spinning where they can.
   *
   * @param specs replicas that park
   * @param system CPUs left to the system
   */
  List<ReplicaSpec> chosen(List<ReplicaSpec> specs, CpuSet system) {
    boolean room =
        topology.allowed().size() >= CPUS_FOR_SPINNING
            && !system.isEmpty()
            && topology.cpuQuota() == null;
    if (!room || !specs.stream().allMatch(this::ownsItsCores)) {
      return specs;
    }
    decisions.add(
        "event loops spin: each owns a core, and CPUs are left to all other threads"
            + " (--waiting park lets them sleep)");
    Waiting spin = Waiting.all(Waiting.Mode.SPIN);
    return specs.stream().map(spec -> spec.withWaiting(spin)).toList();
  }

  private boolean ownsItsCores(ReplicaSpec spec) {
    return spec.pinned()
        && spec.apart()
        && order.cores(topology.allowed()).stream()
            .filter(core -> core.intersects(spec.critical()))
            .allMatch(core -> core.size() == 1);
  }
}
