package dev.pinion.bootstrap.placement;

import dev.pinion.bootstrap.topology.CpuSet;
import dev.pinion.bootstrap.topology.Topology;
import dev.pinion.bootstrap.topology.Topology.AffinityGroup;
import dev.pinion.bootstrap.topology.Topology.CpuPackage;
import dev.pinion.bootstrap.topology.Topology.NumaNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Turns the affinity groups of a machine into as many sets of CPUs as there shall be replicas,
 * keeping together what shares a cache, then a NUMA node, then a package.
 */
final class Grouping {
  private final Topology topology;
  private final List<CpuSet> cores;
  private final List<String> decisions;
  private List<CpuSet> groups;

  Grouping(Topology topology, List<String> decisions) {
    this.topology = topology;
    this.decisions = decisions;
    this.cores =
        topology.cores().stream()
            .map(core -> core.and(topology.allowed()))
            .filter(core -> !core.isEmpty())
            .toList();
    this.groups = topology.allowedGroups().stream().map(AffinityGroup::cpus).toList();
  }

  List<CpuSet> groups() {
    return groups;
  }

  /** Splits groups that span several NUMA nodes (sub-NUMA clustering). */
  void splitByNode() {
    List<CpuSet> split = new ArrayList<>();
    for (CpuSet group : groups) {
      split.addAll(byNode(group));
    }
    if (split.size() > groups.size()) {
      decisions.add("a cache spans several NUMA nodes: its CPUs are split by node");
    }
    groups = split;
  }

  private List<CpuSet> byNode(CpuSet group) {
    List<CpuSet> parts = new ArrayList<>();
    for (NumaNode node : topology.nodes()) {
      CpuSet part = node.cpus().and(group);
      if (!part.isEmpty()) {
        parts.add(part);
      }
    }
    boolean partition =
        CpuSet.union(parts).equals(group)
            && parts.stream().mapToInt(CpuSet::size).sum() == group.size();
    return partition ? parts : List.of(group);
  }

  /** Joins groups of a single core: by NUMA node, else by package, else all of them. */
  void coarsenSingleCores() {
    if (groups.size() == 1 || groups.stream().noneMatch(this::singleCore)) {
      return;
    }
    joinSingles(topology.nodes().stream().map(NumaNode::cpus).toList());
    joinSingles(topology.packages().stream().map(CpuPackage::cpus).toList());
    joinSingles(List.of(topology.allowed()));
    adoptLastSingle();
    decisions.add(
        "caches of a single core share nothing: such cores are joined by NUMA node, else by package, "
            + "else all");
  }

  private void joinSingles(List<CpuSet> areas) {
    List<CpuSet> joined = new ArrayList<>(groups);
    for (CpuSet area : areas) {
      List<CpuSet> singles =
          joined.stream().filter(this::singleCore).filter(area::containsAll).toList();
      if (singles.size() > 1) {
        joined.removeAll(singles);
        joined.add(CpuSet.union(singles));
      }
    }
    groups = ordered(joined);
  }

  /** A single core that found no partner joins the smallest group of its package, else of all. */
  private void adoptLastSingle() {
    CpuSet single = groups.stream().filter(this::singleCore).findFirst().orElse(CpuSet.EMPTY);
    if (groups.size() == 1 || single.isEmpty()) {
      return;
    }
    int home = packageOf(single);
    CpuSet host =
        groups.stream()
            .filter(group -> !group.equals(single))
            .min(
                Comparator.<CpuSet>comparingInt(group -> packageOf(group) == home ? 0 : 1)
                    .thenComparingInt(CpuSet::size))
            .orElseThrow();
    List<CpuSet> joined = new ArrayList<>(groups);
    joined.remove(single);
    joined.set(joined.indexOf(host), host.or(single));
    groups = ordered(joined);
  }

  private boolean singleCore(CpuSet group) {
    return cores.stream().anyMatch(core -> core.containsAll(group));
  }

  /**
   * Makes exactly a number of groups: joins neighbours when there are too many, splits the largest
   * when there are too few.
   *
   * @throws IllegalArgumentException when there are fewer CPUs than that
   */
  void makeExactly(int count) {
    if (count > topology.allowed().size()) {
      throw new IllegalArgumentException(
          "expected at most one replica for each of the "
              + topology.allowed().size()
              + " CPUs allowed, found "
              + count);
    }
    if (count < groups.size()) {
      joinNeighbours(count);
    } else {
      while (groups.size() < count) {
        splitLargest();
      }
    }
  }

  private void joinNeighbours(int count) {
    List<CpuSet> neighbours = ordered(groups);
    List<CpuSet> joined = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int from = i * neighbours.size() / count;
      int to = (i + 1) * neighbours.size() / count;
      joined.add(CpuSet.union(neighbours.subList(from, to)));
    }
    groups = joined;
  }

  private void splitLargest() {
    CpuSet largest = groups.stream().max(Comparator.comparingInt(CpuSet::size)).orElseThrow();
    List<CpuSet> parts = new ArrayList<>(groups);
    CpuSet half = half(largest);
    parts.set(parts.indexOf(largest), half);
    parts.add(largest.minus(half));
    groups = ordered(parts);
  }

  /** About half of the CPUs, whole cores where there are several. */
  private CpuSet half(CpuSet group) {
    List<CpuSet> own =
        cores.stream().map(core -> core.and(group)).filter(core -> !core.isEmpty()).toList();
    return own.size() > 1
        ? CpuSet.union(own.subList(0, (own.size() + 1) / 2))
        : CpuSet.of(group.stream().limit((group.size() + 1) / 2));
  }

  private List<CpuSet> ordered(List<CpuSet> sets) {
    return sets.stream()
        .sorted(
            Comparator.comparingInt(this::packageOf)
                .thenComparingInt(this::nodeOf)
                .thenComparingInt(CpuSet::first))
        .toList();
  }

  private int packageOf(CpuSet group) {
    List<CpuSet> packages = topology.packages().stream().map(CpuPackage::cpus).toList();
    return indexOfFirst(group, packages);
  }

  private int nodeOf(CpuSet group) {
    return indexOfFirst(group, topology.nodes().stream().map(NumaNode::cpus).toList());
  }

  private static int indexOfFirst(CpuSet group, List<CpuSet> areas) {
    for (int i = 0; i < areas.size(); i++) {
      if (areas.get(i).contains(group.first())) {
        return i;
      }
    }
    return areas.size();
  }
}
