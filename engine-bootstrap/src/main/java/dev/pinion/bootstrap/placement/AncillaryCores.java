package dev.pinion.bootstrap.placement;

import dev.pinion.bootstrap.topology.CpuSet;

/** Chooses the core of a replica for all work that is not critical. */
final class AncillaryCores {
  /** Least number of CPUs at which one core is left to work that is not critical. */
  private static final int CPUS_FOR_ANCILLARY_CORE = 4;

  /** The same number for event loops that spin, which share their CPU with nothing. */
  private static final int CPUS_FOR_ANCILLARY_CORE_BESIDE_SPINNING = 2;

  private final CpuOrder order;
  private final int enough;

  /**
   * Creates a choice.
   *
   * @param spinning whether event loops spin
   */
  AncillaryCores(CpuOrder order, boolean spinning) {
    this.order = order;
    this.enough = spinning ? CPUS_FOR_ANCILLARY_CORE_BESIDE_SPINNING : CPUS_FOR_ANCILLARY_CORE;
  }

  /** The CPUs of a replica without its least valuable core, if enough remain; else all. */
  CpuSet free(CpuSet cpus) {
    CpuSet last = order.cores(cpus).getLast();
    return cpus.size() < enough || last.size() * 2 > cpus.size() ? cpus : cpus.minus(last);
  }
}
