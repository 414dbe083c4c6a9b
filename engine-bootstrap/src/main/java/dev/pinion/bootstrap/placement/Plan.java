package dev.pinion.bootstrap.placement;

import java.util.List;

/**
 * Replicas to run, and how the plan came about.
 *
 * @param replicas the replicas; at least one
 * @param decisions what was done to the affinity groups and why, one sentence each
 */
public record Plan(List<ReplicaSpec> replicas, List<String> decisions) {
  /** Copies the lists. */
  public Plan {
    replicas = List.copyOf(replicas);
    decisions = List.copyOf(decisions);
  }
}
