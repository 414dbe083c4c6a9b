package dev.pinion.bootstrap.placement;

import dev.pinion.bootstrap.topology.CpuSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.PrimitiveIterator;

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

  /** The CPU of each event loop by the name of its thread; none when they are not pinned. */
  public Map<String, Integer> pins() {
    Map<String, Integer> pins = new LinkedHashMap<>();
    if (pinned()) {
      PrimitiveIterator.OfInt cpu = critical.stream().iterator();
      layout.threads().forEach(thread -> pins.put(thread, cpu.nextInt()));
    }
    return pins;
  }
}
