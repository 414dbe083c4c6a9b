package dev.pinion.bootstrap.placement;

import dev.pinion.bootstrap.topology.CpuSet;
import dev.pinion.core.settings.StageLayout;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One replica of a plan.
 *
 * @param index its place in the plan, from 0
 * @param cpus its CPUs
 * @param critical the CPUs of its event loops, and of its handlers that spin
 * @param ancillary the CPUs of all other threads; the same as {@code cpus} where there are too few
 *     to separate them
 * @param pins the CPU of each event loop that is pinned and of each worker of handlers that spins,
 *     by the name of its thread; empty if there are none
 * @param confined the CPUs to which its process is confined; empty when it is not confined
 * @param memoryNode the NUMA node of its memory, or null where it does not matter: there is only
 *     one node, or the CPUs lie in several
 * @param heapBytes size of its heap
 * @param processors number of CPUs for which its JVM sizes itself; at least 1
 * @param gcThreads parallel threads of garbage collection; at least 1
 * @param layout its event loops
 * @param waiting behaviour of idle event loops and workers of handlers
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
    StageLayout layout,
    IdleStrategies waiting) {
  /** Copies the map, in its order. */
  public ReplicaSpec {
    pins = Collections.unmodifiableMap(new LinkedHashMap<>(pins));
  }

  /** The most event loops of a stage. */
  public int loopsOfAStage() {
    return layout.loopsOfAStage();
  }

  /**
   * The CPUs of threads that collect garbage while all others stand still: also those of event
   * loops; empty when it is not confined.
   */
  public CpuSet collecting() {
    return confined.isEmpty() ? confined : cpus;
  }

  /** Whether its event loops are pinned one by one. */
  public boolean pinned() {
    return !pins.isEmpty();
  }

  /** Whether its event loops have CPUs on which no other thread of the engine runs. */
  public boolean apart() {
    return !critical.intersects(ancillary);
  }
}
