package dev.pinion.benchmarks.experiments.dharch;

import dev.pinion.bootstrap.topology.CpuSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import net.openhft.affinity.Affinity;

/**
 * Pins each worker that calls it to a separate CPU, in turn. A system that places threads itself
 * sometimes wakes both workers of a stage on the same CPU and moves one milliseconds later, when a
 * handler of 2 ms has finished.
 */
public final class WorkerPinning implements Runnable {
  private final List<Integer> cpus;
  private final AtomicInteger next = new AtomicInteger();

  /** Places workers on the CPUs that the calling thread may use. */
  public WorkerPinning() {
    this.cpus = Affinity.getAffinity().stream().boxed().toList();
  }

  @Override
  public void run() {
    int turn = next.getAndIncrement();
    if (!cpus.isEmpty()) {
      Affinity.setAffinity(CpuSet.of(cpus.get(turn % cpus.size())).toBitSet());
    }
  }
}
