package dev.pinion.bootstrap.placement;

import dev.pinion.bootstrap.topology.CpuSet;

/**
 * One replica of a plan.
 *
 * @param index its place in the plan, from 0
 * @param cpus the CPUs it is confined to
 * @param critical the CPUs its event loops are pinned to
 * @param ancillary the CPUs meant for everything else; the same as {@code cpus} where there are too
 *     few to tell them apart
 * @param heapBytes size of its heap
 * @param layout its event loops
 */
public record ReplicaSpec(
    int index, CpuSet cpus, CpuSet critical, CpuSet ancillary, long heapBytes, Layout layout) {
  /**
   * Whether its event loops are pinned one by one: there are several CPUs to choose from and one
   * for each loop.
   */
  public boolean pinned() {
    return critical.size() >= 2 && layout.loops() <= critical.size();
  }
}
