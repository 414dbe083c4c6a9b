package dev.pinion.bootstrap.cli.topology;

import dev.pinion.bootstrap.cli.ByteSizes;
import dev.pinion.bootstrap.placement.PlacementPlan;
import dev.pinion.bootstrap.placement.ReplicaSpec;
import dev.pinion.bootstrap.topology.Topology;
import dev.pinion.bootstrap.topology.Topology.GroupSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** A plan in words. */
public final class PlacementPlanText {
  private PlacementPlanText() {}

  /** The plan, a line for each replica. */
  public static List<String> lines(Topology topology, PlacementPlan placementPlan) {
    List<String> lines = new ArrayList<>();
    int groups = topology.allowedGroups().size();
    lines.add(
        "Plan: %s from %s of CPUs that share a %s"
            .formatted(
                counted(placementPlan.replicas().size(), "replica"),
                counted(groups, "group"),
                topology.groupsFrom() == GroupSource.LLC ? "last-level cache" : "package"));
    if (placementPlan.minReplicas() < placementPlan.replicas().size()) {
      lines.add("  at least " + placementPlan.minReplicas() + " of them run at any time");
    }
    lines.addAll(rows(placementPlan.replicas()));
    if (!placementPlan.system().isEmpty()) {
      lines.add("  system  CPUs " + placementPlan.system());
    }
    return lines;
  }

  private static String counted(int count, String what) {
    return count + " " + what + (count == 1 ? "" : "s");
  }

  /** A line for each replica, in columns. */
  private static List<String> rows(List<ReplicaSpec> replicas) {
    List<List<String>> cells = replicas.stream().map(PlacementPlanText::cells).toList();
    int[] widths =
        IntStream.range(0, cells.getFirst().size())
            .map(i -> cells.stream().mapToInt(row -> row.get(i).length()).max().orElse(0))
            .toArray();
    return cells.stream().map(row -> row(row, widths)).toList();
  }

  private static String row(List<String> cells, int[] widths) {
    StringBuilder row = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      if (widths[i] > 0) {
        String cell = cells.get(i);
        row.append("  ").append(cell).append(" ".repeat(widths[i] - cell.length()));
      }
    }
    return row.toString().stripTrailing();
  }

  private static List<String> cells(ReplicaSpec spec) {
    return List.of(
        "r" + spec.index(),
        "CPUs " + spec.cpus(),
        spec.apart() ? "critical " + spec.critical() : "critical and ancillary " + spec.cpus(),
        spec.apart() ? "ancillary " + spec.ancillary() : "",
        "heap " + ByteSizes.of(spec.heapBytes()),
        spec.memoryNode() == null ? "" : "memory of node " + spec.memoryNode(),
        String.format(
            Locale.ROOT,
            "%s %s, waits by %s",
            spec.layout(),
            spec.pinned() ? "pinned" : spec.confined().isEmpty() ? "unconfined" : "confined",
            spec.waiting()));
  }
}
