package dev.pinion.bootstrap.admin;

import dev.pinion.bootstrap.placement.ReplicaSpec;
import dev.pinion.bootstrap.process.ThreadMasks;
import dev.pinion.bootstrap.process.ThreadMasks.ThreadMask;
import dev.pinion.bootstrap.topology.FileTree;
import java.util.List;
import java.util.function.Supplier;

/**
 * The machine, the plan made for it, and the state of the plan.
 *
 * @param json the machine and the plan as a JSON object; read once for each response
 * @param plan the places of replicas by their index
 * @param files files in which the operating system reports the masks of threads
 */
public record MachineStatus(Supplier<String> json, List<ReplicaSpec> plan, FileTree files) {
  /** Copies the plan. */
  public MachineStatus {
    plan = List.copyOf(plan);
  }

  /** The threads of a replica with their masks, actual and planned; none when it has ended. */
  List<ThreadMask> threads(int index, long pid) {
    return new ThreadMasks(plan.get(index)).of(files, pid);
  }
}
