package dev.pinion.bootstrap.cli.topology;

import dev.pinion.bootstrap.cli.ByteSizes;
import dev.pinion.bootstrap.topology.CpuSet;
import dev.pinion.bootstrap.topology.Topology;
import dev.pinion.bootstrap.topology.Topology.AffinityGroup;
import dev.pinion.bootstrap.topology.Topology.CoreKind;
import dev.pinion.bootstrap.topology.Topology.CpuPackage;
import dev.pinion.bootstrap.topology.Topology.NumaNode;
import java.util.ArrayList;
import java.util.List;

/**
 * A part of a machine for display: packages, which contain NUMA nodes, which contain caches, which
 * contain cores. A part that crosses others, such as a cache of several nodes, appears in each of
 * them.
 *
 * @param kind its kind
 * @param title its name and size, for people
 * @param cpus its online CPUs
 * @param parts its parts; empty for cores
 */
record TopologyNode(NodeKind kind, String title, CpuSet cpus, List<TopologyNode> parts) {
  TopologyNode {
    parts = List.copyOf(parts);
  }

  /** Kinds of parts. */
  enum NodeKind {
    /** A socket. */
    PACKAGE,
    /** A NUMA node. */
    NODE,
    /** A last-level cache. */
    CACHE,
    /** A core of the most powerful kind. */
    CORE,
    /** A core of a less powerful kind. */
    LITTLE_CORE
  }

  /** The packages of a machine; one of all CPUs when it reports none. */
  static List<TopologyNode> packages(Topology topology) {
    if (topology.packages().isEmpty()) {
      return List.of(packagePart(topology, new CpuPackage(-1, topology.online())));
    }
    return topology.packages().stream().map(each -> packagePart(topology, each)).toList();
  }

  private static TopologyNode packagePart(Topology topology, CpuPackage each) {
    List<TopologyNode> parts = new ArrayList<>();
    CpuSet left = each.cpus();
    for (NumaNode node : topology.nodes()) {
      CpuSet own = node.cpus().and(left);
      if (!own.isEmpty()) {
        String title = "NUMA node " + node.id() + memory(node.memBytes());
        parts.add(new TopologyNode(NodeKind.NODE, title, own, caches(topology, own)));
        left = left.minus(own);
      }
    }
    parts.addAll(caches(topology, left));
    String title = each.id() < 0 ? "Package" : "Package " + each.id();
    return new TopologyNode(NodeKind.PACKAGE, title, each.cpus(), parts);
  }

  private static String memory(long bytes) {
    return bytes == 0 ? "" : ", " + ByteSizes.of(bytes);
  }

  private static List<TopologyNode> caches(Topology topology, CpuSet within) {
    List<TopologyNode> parts = new ArrayList<>();
    for (AffinityGroup group : topology.groups()) {
      CpuSet own = group.cpus().and(within);
      if (!own.isEmpty()) {
        String part = own.equals(group.cpus()) ? "" : ", part of CPUs " + group.cpus();
        parts.add(new TopologyNode(NodeKind.CACHE, cache(group) + part, own, cores(topology, own)));
      }
    }
    return parts;
  }

  private static String cache(AffinityGroup group) {
    if (group.level() == 0) {
      return "no cache data";
    }
    Long size = group.sizeBytes();
    return "L" + group.level() + (size == null ? "" : " " + ByteSizes.of(size));
  }

  private static List<TopologyNode> cores(Topology topology, CpuSet within) {
    return topology.cores().stream()
        .map(core -> core.and(within))
        .filter(core -> !core.isEmpty())
        .map(core -> core(topology, core))
        .toList();
  }

  private static TopologyNode core(Topology topology, CpuSet cpus) {
    List<CoreKind> kinds = topology.coreKinds();
    for (CoreKind kind : kinds) {
      if (kind.cpus().contains(cpus.first())) {
        NodeKind size = kind.equals(kinds.getFirst()) ? NodeKind.CORE : NodeKind.LITTLE_CORE;
        return new TopologyNode(size, kind.name(), cpus, List.of());
      }
    }
    return new TopologyNode(NodeKind.CORE, "", cpus, List.of());
  }
}
