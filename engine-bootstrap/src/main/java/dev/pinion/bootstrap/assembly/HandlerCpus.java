package dev.pinion.bootstrap.assembly;

import dev.pinion.bootstrap.placement.IdleStrategies;
import dev.pinion.bootstrap.settings.EffectiveSettings;
import dev.pinion.bootstrap.settings.ReplicaKey;
import dev.pinion.bootstrap.topology.CpuSet;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.stage.ThreadSetup;
import dev.pinion.handlers.run.WorkerSettings;
import java.util.Set;
import java.util.TreeSet;

/**
 * CPUs of handlers, according to the plan.
 *
 * @param own names of the workers with an exclusive CPU, on which they spin; empty when workers
 *     share the CPUs of ancillary threads and park
 * @param ancillary CPUs of ancillary threads, as a list; empty for any
 */
record HandlerCpus(Set<String> own, String ancillary) {
  /** Copies the names. */
  HandlerCpus {
    own = Set.copyOf(own);
  }

  /** The CPUs in a replica's settings. */
  static HandlerCpus of(EffectiveSettings settings) {
    Set<String> own = new TreeSet<>(settings.get(ReplicaKey.PINS).keySet());
    own.removeIf(thread -> !IdleStrategies.isHandlers(thread));
    return new HandlerCpus(own, settings.get(ReplicaKey.ANCILLARY_CPUS));
  }

  /**
   * The workers.
   *
   * @param limits limits with the number of workers, or 0 for one on each CPU, the number that may
   *     hang and be replaced, and the time for which those with an exclusive CPU spin
   * @throws IllegalArgumentException when more or fewer are required than have an exclusive CPU
   */
  WorkerSettings workers(EngineLimits limits, ThreadSetup threads) {
    int said = limits.handlers().workers();
    if (!own.isEmpty() && said > 0 && said != own.size()) {
      throw new IllegalArgumentException(
          "expected handlers.workers to be 0 or "
              + own.size()
              + ", the handlers that spin (waiting), found "
              + said);
    }
    return new WorkerSettings(
        own.isEmpty() ? shared(said) : own.size(),
        own.isEmpty() ? 0 : limits.loop().spinMillis(),
        limits.handlers().maxStuckWorkers(),
        () -> prepare(Thread.currentThread().getName(), threads));
  }

  private int shared(int said) {
    if (said > 0) {
      return said;
    }
    return ancillary.isEmpty()
        ? Runtime.getRuntime().availableProcessors()
        : Math.max(1, CpuSet.parse(ancillary).size());
  }

  private void prepare(String worker, ThreadSetup threads) {
    if (own.contains(worker)) {
      threads.prepare(worker, ThreadSetup.ThreadKind.CRITICAL);
    } else {
      threads.prepare("handlers", ThreadSetup.ThreadKind.ANCILLARY);
    }
  }
}
