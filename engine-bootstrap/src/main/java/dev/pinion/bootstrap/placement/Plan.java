package dev.pinion.bootstrap.placement;

import dev.pinion.bootstrap.topology.CpuSet;
import java.util.List;

/**
 * Replicas to run, and how the plan came about.
 *
 * @param replicas places for replicas; at least one
 * @param minReplicas fewest of them that run at any time; as many as there are unless a range was
 *     asked for
 * @param system CPUs left to the system, on which nothing of the engine runs
 * @param decisions what was decided and why, one sentence each
 */
public record Plan(
    List<ReplicaSpec> replicas, int minReplicas, CpuSet system, List<String> decisions) {
  /** Copies the lists. */
  public Plan {
    replicas = List.copyOf(replicas);
    decisions = List.copyOf(decisions);
  }
}
