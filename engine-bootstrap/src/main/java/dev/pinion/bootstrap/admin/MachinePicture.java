package dev.pinion.bootstrap.admin;

import dev.pinion.bootstrap.placement.ReplicaSpec;
import dev.pinion.bootstrap.topology.CpuSet;
import java.util.List;
import java.util.function.Supplier;

/**
 * The machine, the plan made for it, and what has become of the plan.
 *
 * @param json the machine and the plan as a JSON object; asked for once for each answer
 * @param plan the places of replicas by their index
 * @param masks the CPUs that threads of replicas may use
 */
public record MachinePicture(Supplier<String> json, List<ReplicaSpec> plan, MaskSource masks) {
  /** Copies the plan. */
  public MachinePicture {
    plan = List.copyOf(plan);
  }

  /** The CPUs that the plan gives to a thread of a replica. */
  CpuSet planned(int index, String thread) {
    ReplicaSpec spec = plan.get(index);
    Integer pinned = spec.pins().get(thread);
    return pinned == null ? spec.cpus() : CpuSet.of(pinned);
  }
}
