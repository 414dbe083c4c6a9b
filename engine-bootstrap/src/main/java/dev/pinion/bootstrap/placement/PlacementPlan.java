package dev.pinion.bootstrap.placement;

import dev.pinion.bootstrap.topology.CpuSet;
import java.util.List;

/**
 * Replicas to run, and the decisions behind the plan.
 *
 * @param replicas places for replicas; at least one
 * @param minReplicas fewest of them that run at any time; all of them unless a range was requested
 * @param system CPUs left to the system, on which no thread of the engine runs
 * @param decisions decisions and their reasons, one sentence each
 */
public record PlacementPlan(
    List<ReplicaSpec> replicas, int minReplicas, CpuSet system, List<String> decisions) {
  /** Copies the lists. */
  public PlacementPlan {
    replicas = List.copyOf(replicas);
    decisions = List.copyOf(decisions);
  }
}
