package dev.pinion.bootstrap.cli;

import dev.pinion.bootstrap.placement.Plan;
import dev.pinion.bootstrap.placement.ReplicaSpec;
import dev.pinion.bootstrap.topology.CpuSet;
import dev.pinion.bootstrap.topology.Topology;
import dev.pinion.bootstrap.topology.Topology.AffinityGroup;
import dev.pinion.bootstrap.topology.Topology.CpuPackage;
import dev.pinion.bootstrap.topology.Topology.GroupsFrom;
import dev.pinion.bootstrap.topology.Topology.NumaNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Draws a machine as text: packages, in them NUMA nodes, in them caches, in them cores. */
final class TopologyDrawing {
  private static final int CORES_PER_LINE = 8;

  private final Topology topology;
  private final Plan plan;
  private final StringBuilder text = new StringBuilder();

  TopologyDrawing(Topology topology, Plan plan) {
    this.topology = topology;
    this.plan = plan;
  }

  /**
   * The drawing.
   *
   * @param name what the machine is called
   * @param disagreements what sources disagree about
   */
  String draw(String name, List<String> disagreements) {
    line(name);
    line(
        "%d CPUs online (%s), %d allowed (%s), %s of memory, %s allowed"
            .formatted(
                topology.online().size(),
                topology.online(),
                topology.allowed().size(),
                topology.allowed(),
                size(topology.memory().totalBytes()),
                size(topology.memory().allowedBytes())));
    if (topology.cpuQuota() != null) {
      line(
          String.format(
              Locale.ROOT, "CPU time is limited to that of %.2f CPUs", topology.cpuQuota()));
    }
    line("");
    packages().forEach(this::drawPackage);
    drawPlan();
    drawNotes("Notes", topology.notes());
    drawNotes("Decisions", plan.decisions());
    drawNotes("Cross-check", disagreements);
    return text.toString();
  }

  private List<CpuPackage> packages() {
    return topology.packages().isEmpty()
        ? List.of(new CpuPackage(-1, topology.online()))
        : topology.packages();
  }

  private void drawPackage(CpuPackage each) {
    line("Package%s  CPUs %s".formatted(each.id() < 0 ? "" : " " + each.id(), each.cpus()));
    List<NumaNode> nodes =
        topology.nodes().stream().filter(node -> node.cpus().intersects(each.cpus())).toList();
    for (NumaNode node : nodes) {
      line(
          "  NUMA node %d  %s"
              .formatted(node.id(), node.memBytes() == 0 ? "" : size(node.memBytes())));
      drawGroups(node.cpus().and(each.cpus()));
    }
    CpuSet covered = CpuSet.union(nodes.stream().map(NumaNode::cpus).toList());
    drawGroups(each.cpus().minus(covered));
  }

  private void drawGroups(CpuSet within) {
    for (AffinityGroup group : topology.groups()) {
      CpuSet part = group.cpus().and(within);
      if (!part.isEmpty()) {
        line("    %s".formatted(cache(group, part)));
        drawCores(part);
      }
    }
  }

  private String cache(AffinityGroup group, CpuSet part) {
    String what =
        group.level() == 0
            ? "no cache data"
            : "L"
                + group.level()
                + " cache"
                + (group.sizeBytes() == null ? "" : " " + size(group.sizeBytes()));
    String whole = part.equals(group.cpus()) ? "" : ", part of " + group.cpus();
    return what + "  CPUs " + part + whole;
  }

  private void drawCores(CpuSet part) {
    List<String> cores = new ArrayList<>();
    for (CpuSet core : topology.cores()) {
      CpuSet own = core.and(part);
      if (!own.isEmpty()) {
        cores.add("[" + own.stream().mapToObj(this::cpu).collect(Collectors.joining(" ")) + "]");
      }
    }
    for (int i = 0; i < cores.size(); i += CORES_PER_LINE) {
      List<String> row = cores.subList(i, Math.min(i + CORES_PER_LINE, cores.size()));
      line("      %s".formatted(String.join(" ", row)));
    }
  }

  /** A CPU with its replica: {@code c} critical, {@code a} ancillary, {@code -} not allowed. */
  private String cpu(int cpu) {
    ReplicaSpec owner = owner(cpu);
    if (owner == null) {
      return cpu + ":-";
    }
    String use = owner.critical().contains(cpu) ? "c" : "a";
    return cpu + ":r" + owner.index() + use;
  }

  private @Nullable ReplicaSpec owner(int cpu) {
    return plan.replicas().stream()
        .filter(spec -> spec.cpus().contains(cpu))
        .findFirst()
        .orElse(null);
  }

  private void drawPlan() {
    line("");
    line(
        "Plan: %d %s from %d %s of CPUs that share a %s"
            .formatted(
                plan.replicas().size(),
                plan.replicas().size() == 1 ? "replica" : "replicas",
                topology.allowedGroups().size(),
                topology.allowedGroups().size() == 1 ? "group" : "groups",
                topology.groupsFrom() == GroupsFrom.LLC ? "last-level cache" : "package"));
    for (ReplicaSpec spec : plan.replicas()) {
      line(
          "  r%d  CPUs %s  critical %s  ancillary %s  heap %s  %s%s"
              .formatted(
                  spec.index(),
                  spec.cpus(),
                  spec.critical(),
                  spec.ancillary(),
                  size(spec.heapBytes()),
                  spec.layout(),
                  spec.pinned() ? ", pinned" : ""));
    }
    line("A CPU reads NUMBER:REPLICA and c for critical, a for ancillary; - is not allowed.");
  }

  private void drawNotes(String title, List<String> notes) {
    if (!notes.isEmpty()) {
      line("");
      line(title);
      notes.forEach(note -> line("  - " + note));
    }
  }

  private void line(String line) {
    text.append(line.stripTrailing()).append('\n');
  }

  private static String size(long bytes) {
    if (bytes == 0) {
      return "unknown size";
    }
    if (bytes >= 1L << 30) {
      return String.format(Locale.ROOT, "%.1f GB", bytes / (double) (1L << 30));
    }
    return bytes >= 1 << 20 ? (bytes >> 20) + " MB" : (bytes >> 10) + " KB";
  }
}
