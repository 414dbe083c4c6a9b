package dev.pinion.bootstrap.cli;

import dev.pinion.bootstrap.placement.Plan;
import dev.pinion.bootstrap.placement.ReplicaSpec;
import dev.pinion.bootstrap.topology.Topology;
import dev.pinion.bootstrap.topology.Topology.GroupsFrom;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A plan in words. */
final class PlanText {
  private PlanText() {}

  /** What is planned, a line for each replica. */
  static List<String> lines(Topology topology, Plan plan) {
    List<String> lines = new ArrayList<>();
    int groups = topology.allowedGroups().size();
    lines.add(
        "Plan: %s from %s of CPUs that share a %s"
            .formatted(
                counted(plan.replicas().size(), "replica"),
                counted(groups, "group"),
                topology.groupsFrom() == GroupsFrom.LLC ? "last-level cache" : "package"));
    if (plan.minReplicas() < plan.replicas().size()) {
      lines.add("  at least " + plan.minReplicas() + " of them run at any time");
    }
    plan.replicas().forEach(spec -> lines.add("  " + line(spec)));
    if (!plan.system().isEmpty()) {
      lines.add("  system  CPUs " + plan.system());
    }
    return lines;
  }

  private static String counted(int count, String what) {
    return count + " " + what + (count == 1 ? "" : "s");
  }

  /** One replica. */
  static String line(ReplicaSpec spec) {
    String where =
        spec.apart()
            ? "critical " + spec.critical() + "  ancillary " + spec.ancillary()
            : "critical and ancillary " + spec.cpus();
    String node = spec.memoryNode() == null ? "" : "  memory of node " + spec.memoryNode();
    return String.format(
        Locale.ROOT,
        "r%d  CPUs %s  %s  heap %s%s  %s %s, waits by %s",
        spec.index(),
        spec.cpus(),
        where,
        Sizes.of(spec.heapBytes()),
        node,
        spec.layout(),
        spec.pinned() ? "pinned" : spec.confined().isEmpty() ? "unconfined" : "confined",
        spec.waiting());
  }
}
