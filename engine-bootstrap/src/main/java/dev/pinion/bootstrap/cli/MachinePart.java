package dev.pinion.bootstrap.cli;

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
record MachinePart(Kind kind, String title, CpuSet cpus, List<MachinePart> parts) {
  MachinePart {
    parts = List.copyOf(parts);
  }

  /** Kinds of parts. */
  enum Kind {
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
  static List<MachinePart> packages(Topology topology) {
    if (topology.packages().isEmpty()) {
      return List.of(packagePart(topology, new CpuPackage(-1, topology.online())));
    }
    return topology.packages().stream().map(each -> packagePart(topology, each)).toList();
  }

  private static MachinePart packagePart(Topology topology, CpuPackage each) {
    List<MachinePart> parts = new ArrayList<>();
    CpuSet left = each.cpus();
    for (NumaNode node : topology.nodes()) {
      CpuSet own = node.cpus().and(left);
      if (!own.isEmpty()) {
        String title = "NUMA node " + node.id() + memory(node.memBytes());
        parts.add(new MachinePart(Kind.NODE, title, own, caches(topology, own)));
        left = left.minus(own);
      }
    }
    parts.addAll(caches(topology, left));
    String title = each.id() < 0 ? "Package" : "Package " + each.id();
    return new MachinePart(Kind.PACKAGE, title, each.cpus(), parts);
  }

  private static String memory(long bytes) {
    return bytes == 0 ? "" : ", " + Sizes.of(bytes);
  }

  private static List<MachinePart> caches(Topology topology, CpuSet within) {
    List<MachinePart> parts = new ArrayList<>();
    for (AffinityGroup group : topology.groups()) {
      CpuSet own = group.cpus().and(within);
      if (!own.isEmpty()) {
        String part = own.equals(group.cpus()) ? "" : ", part of CPUs " + group.cpus();
        parts.add(new MachinePart(Kind.CACHE, cache(group) + part, own, cores(topology, own)));
      }
    }
    return parts;
  }

  private static String cache(AffinityGroup group) {
    if (group.level() == 0) {
      return "no cache data";
    }
    Long size = group.sizeBytes();
    return "L" + group.level() + (size == null ? "" : " " + Sizes.of(size));
  }

  private static List<MachinePart> cores(Topology topology, CpuSet within) {
    return topology.cores().stream()
        .map(core -> core.and(within))
        .filter(core -> !core.isEmpty())
        .map(core -> core(topology, core))
        .toList();
  }

  private static MachinePart core(Topology topology, CpuSet cpus) {
    List<CoreKind> kinds = topology.coreKinds();
    for (CoreKind kind : kinds) {
      if (kind.cpus().contains(cpus.first())) {
        Kind size = kind.equals(kinds.getFirst()) ? Kind.CORE : Kind.LITTLE_CORE;
        return new MachinePart(size, kind.name(), cpus, List.of());
      }
    }
    return new MachinePart(Kind.CORE, "", cpus, List.of());
  }
}
