package dev.pinion.bootstrap.placement;

import dev.pinion.bootstrap.topology.CpuSet;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One replica of a plan.
 *
 * @param index its place in the plan, from 0
 * @param cpus the CPUs it is made for
 * @param critical the CPUs of its event loops, and of its handlers that spin
 * @param ancillary the CPUs meant for everything else; the same as {@code cpus} where there are too
 *     few to tell them apart
 * @param pins the CPU of each event loop that is pinned and of each worker of handlers that spins,
 *     by the name of its thread; empty when none is
 * @param confined the CPUs its process is confined to; empty when it is not confined
 * @param memoryNode the NUMA node its memory shall come from, or null where that is of no matter:
 *     there is one node only, or the CPUs lie in several
 * @param heapBytes size of its heap
 * @param processors CPUs' worth of time that its JVM sizes itself for; at least 1
 * @param gcThreads threads that collect garbage at the same time; at least 1
 * @param layout its event loops
 * @param waiting what idle event loops and workers of handlers do
 */
public record ReplicaSpec(
    int index,
    CpuSet cpus,
    CpuSet critical,
    CpuSet ancillary,
    Map<String, Integer> pins,
    CpuSet confined,
    @Nullable Integer memoryNode,
    long heapBytes,
    int processors,
    int gcThreads,
    Layout layout,
    Waiting waiting) {
  /** Copies the map, in its order. */
  public ReplicaSpec {
    pins = Collections.unmodifiableMap(new LinkedHashMap<>(pins));
  }

  /** Whether its event loops are pinned one by one. */
  public boolean pinned() {
    return !pins.isEmpty();
  }

  /** Whether its event loops have CPUs that no other thread of the engine runs on. */
  public boolean apart() {
    return !critical.intersects(ancillary);
  }
}
