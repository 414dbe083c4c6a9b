package dev.pinion.bootstrap.cli;

import dev.pinion.bootstrap.placement.Plan;
import dev.pinion.bootstrap.placement.ReplicaSpec;
import dev.pinion.bootstrap.topology.Topology;
import org.jspecify.annotations.Nullable;

/**
 * What a CPU is used for.
 *
 * @param use how
 * @param replica index of the replica it belongs to, or null when it belongs to none
 */
record CpuRole(Use use, @Nullable Integer replica) {
  /** How a CPU is used. */
  enum Use {
    /** Event loops, and handlers that spin, alone. */
    CRITICAL('c', "critical: event loops and spinning handlers"),
    /** Everything of a replica but its event loops. */
    ANCILLARY('a', "ancillary: all other threads"),
    /** Event loops and all other threads of a replica. */
    BOTH('b', "both"),
    /** Left to the system. */
    SYSTEM('s', "left to the system"),
    /** Allowed, but the plan leaves it out. */
    UNUSED('.', "not used"),
    /** Not allowed to this process. */
    BARRED('-', "not allowed");

    private final char letter;
    private final String meaning;

    Use(char letter, String meaning) {
      this.letter = letter;
      this.meaning = meaning;
    }

    /** The letter used in drawings. */
    char letter() {
      return letter;
    }

    /** What it means, for people. */
    String meaning() {
      return meaning;
    }
  }

  static CpuRole of(int cpu, Topology topology, Plan plan) {
    for (ReplicaSpec spec : plan.replicas()) {
      if (spec.cpus().contains(cpu)) {
        return new CpuRole(use(cpu, spec), spec.index());
      }
    }
    if (plan.system().contains(cpu)) {
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
