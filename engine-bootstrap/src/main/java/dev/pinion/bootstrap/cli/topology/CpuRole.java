package dev.pinion.bootstrap.cli.topology;

import dev.pinion.bootstrap.placement.PlacementPlan;
import dev.pinion.bootstrap.placement.ReplicaSpec;
import dev.pinion.bootstrap.topology.Topology;
import org.jspecify.annotations.Nullable;

/**
 * Role of a CPU.
 *
 * @param use its use
 * @param replica index of its replica, or null for none
 */
record CpuRole(Use use, @Nullable Integer replica) {
  /** Use of a CPU. */
  enum Use {
    /** Event loops, and handlers that spin, alone. */
    CRITICAL('c', "critical: event loops and spinning handlers"),
    /** All threads of a replica except its event loops. */
    ANCILLARY('a', "ancillary: all other threads"),
    /** Event loops and all other threads of a replica. */
    BOTH('b', "both"),
    /** Left to the system. */
    SYSTEM('s', "left to the system"),
    /** Allowed, but not in the plan. */
    UNUSED('.', "not used"),
    /** Not allowed to this process. */
    BARRED('-', "not allowed");

    private final char letter;
    private final String meaning;

    Use(char letter, String meaning) {
      this.letter = letter;
      this.meaning = meaning;
    }

    /** Letter in drawings. */
    char letter() {
      return letter;
    }

    /** Meaning for people. */
    String meaning() {
      return meaning;
    }
  }

  static CpuRole of(int cpu, Topology topology, PlacementPlan placementPlan) {
    for (ReplicaSpec spec : placementPlan.replicas()) {
      if (spec.cpus().contains(cpu)) {
        return new CpuRole(use(cpu, spec), spec.index());
      }
    }
    if (placementPlan.system().contains(cpu)) {
      return new CpuRole(Use.SYSTEM, null);
    }
    return new CpuRole(topology.allowed().contains(cpu) ? Use.UNUSED : Use.BARRED, null);
  }

  private static Use use(int cpu, ReplicaSpec spec) {
    if (!spec.critical().contains(cpu)) {
      return Use.ANCILLARY;
    }
    return spec.ancillary().contains(cpu) ? Use.BOTH : Use.CRITICAL;
  }

  /** Letters of a drawing, such as {@code r0c}. */
  String label() {
    return (replica == null ? "" : "r" + replica) + use.letter();
  }
}
