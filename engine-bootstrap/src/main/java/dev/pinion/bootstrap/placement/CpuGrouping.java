package dev.pinion.bootstrap.placement;

import dev.pinion.bootstrap.topology.CpuSet;
import dev.pinion.bootstrap.topology.Topology;
import dev.pinion.bootstrap.topology.Topology.AffinityGroup;
import dev.pinion.bootstrap.topology.Topology.CpuPackage;
import dev.pinion.bootstrap.topology.Topology.NumaNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;

/**
 * Turns the affinity groups of a machine into a wanted number of CPU sets, and keeps CPUs together
 * that share a cache, then a NUMA node, then a package.
 */
final class CpuGrouping {
  private final Topology topology;
  private final List<CpuSet> cores;
  private final List<String> decisions;
  private List<CpuSet> groups;

  CpuGrouping(Topology topology, List<String> decisions) {
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

  /**
   * Joins groups that share a core: its hardware threads share all of its caches, whatever is
   * reported for each.
   */
  void joinSplitCores() {
    List<CpuSet> joined = new ArrayList<>(groups);
    for (CpuSet core : cores) {
      List<CpuSet> across = joined.stream().filter(core::intersects).toList();
      if (across.size() > 1) {
        joined.removeAll(across);
        joined.add(CpuSet.union(across));
      }
    }
    if (joined.size() < groups.size()) {
      decisions.add("caches are reported for each hardware thread: those of a core are joined");
      groups = ordered(joined);
    }
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
        "caches of a single core share nothing: such cores are joined by NUMA node, else by"
            + " package, else all");
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

  /** One group for each NUMA node, and one of the CPUs in none. */
  void takeNodes() {
    takeAreas(topology.nodes().stream().map(NumaNode::cpus).toList(), "NUMA node");
  }

  /** One group for each package, and one of the CPUs in none. */
  void takePackages() {
    takeAreas(topology.packages().stream().map(CpuPackage::cpus).toList(), "package");
  }

  private void takeAreas(List<CpuSet> areas, String what) {
    List<CpuSet> taken = new ArrayList<>();
    CpuSet left = topology.allowed();
    for (CpuSet area : areas) {
      if (area.intersects(left)) {
        taken.add(area.and(left));
        left = left.minus(area);
      }
    }
    if (!left.isEmpty()) {
      decisions.add("CPUs " + left + " are in no " + what + " known: they are one group");
      taken.add(left);
    }
    groups = taken;
  }

  /**
   * Deals the CPUs of all groups in turn, group by group, so that each set has some of every group.
   *
   * @throws IllegalArgumentException when there are fewer CPUs than sets
   */
  void deal(int count) {
    requireCpus(count);
    List<Integer> cpus = groups.stream().flatMap(group -> group.stream().boxed()).toList();
    List<CpuSet> dealt = new ArrayList<>();
    for (int set = 0; set < count; set++) {
      int first = set;
      dealt.add(
          CpuSet.of(
              IntStream.range(0, cpus.size()).filter(i -> i % count == first).map(cpus::get)));
    }
    decisions.add(
        "CPUs are dealt in turn over replicas: wrong on purpose, they share caches with each"
            + " other");
    groups = dealt;
  }

  private boolean singleCore(CpuSet group) {
    return cores.stream().anyMatch(core -> core.containsAll(group));
  }

  /**
   * Forms an exact number of groups: joins neighbours when there are too many, by package, then by
   * node; splits groups evenly when there are too few.
   *
   * @throws IllegalArgumentException when there are fewer CPUs than groups
   */
  void makeExactly(int count) {
    requireCpus(count);
    if (count < groups.size()) {
      joinNeighbours(count);
    } else {
      split(count);
    }
  }

  private void requireCpus(int count) {
    if (count > topology.allowed().size()) {
      throw new IllegalArgumentException(
          "expected at most one replica for each of the "
              + topology.allowed().size()
              + " CPUs allowed, found "
              + count);
    }
  }

  /** Joins within nodes and packages; across them only where there are more of them than sets. */
  private void joinNeighbours(int count) {
    groups = joined(ordered(groups), count, List.of(this::packageOf, this::nodeOf));
  }

  private static List<CpuSet> joined(
      List<CpuSet> sets, int count, List<ToIntFunction<CpuSet>> areas) {
    if (areas.isEmpty()) {
      return inRuns(sets, count);
    }
    Map<Integer, List<CpuSet>> byArea = new TreeMap<>();
    for (CpuSet set : sets) {
      byArea.computeIfAbsent(areas.getFirst().applyAsInt(set), area -> new ArrayList<>()).add(set);
    }
    List<List<CpuSet>> members = List.copyOf(byArea.values());
    List<CpuSet> wholes = members.stream().map(CpuSet::union).toList();
    if (count < wholes.size()) {
      return inRuns(wholes, count);
    }
    int[] parts = parts(wholes, members.stream().map(List::size).toList(), count);
    List<CpuSet> joined = new ArrayList<>();
    for (int i = 0; i < parts.length; i++) {
      joined.addAll(joined(members.get(i), parts[i], areas.subList(1, areas.size())));
    }
    return joined;
  }

  /** Unions of neighbours, of about equal numbers. */
  private static List<CpuSet> inRuns(List<CpuSet> sets, int count) {
    return IntStream.range(0, count)
        .mapToObj(
            i -> CpuSet.union(sets.subList(i * sets.size() / count, (i + 1) * sets.size() / count)))
        .toList();
  }

  /** Splits each group into equal parts, such that parts are about equal over all groups. */
  private void split(int count) {
    int[] parts = parts(groups, groups.stream().map(CpuSet::size).toList(), count);
    List<CpuSet> split = new ArrayList<>();
    for (int i = 0; i < parts.length; i++) {
      split.addAll(inParts(groups.get(i), parts[i]));
    }
    groups = ordered(split);
  }

  /**
   * Numbers of parts of sets for a total: at least one each, and such that parts have about equally
   * many CPUs everywhere.
   */
  private static int[] parts(List<CpuSet> sets, List<Integer> most, int count) {
    int[] parts = new int[sets.size()];
    Arrays.fill(parts, 1);
    for (int sum = sets.size(); sum < count; sum++) {
      parts[largestParts(sets, most, parts)]++;
    }
    return parts;
  }

  /** The first of the sets whose parts have most CPUs and that can have one more part. */
  private static int largestParts(List<CpuSet> sets, List<Integer> most, int[] parts) {
    int largest = -1;
    for (int i = 0; i < parts.length; i++) {
      boolean larger =
          largest < 0 || sets.get(i).size() * parts[largest] > sets.get(largest).size() * parts[i];
      if (parts[i] < most.get(i) && larger) {
        largest = i;
      }
    }
    return largest;
  }

  /** Parts of whole cores where there are enough. */
  private List<CpuSet> inParts(CpuSet group, int count) {
    List<CpuSet> own =
        cores.stream().map(core -> core.and(group)).filter(core -> !core.isEmpty()).toList();
    List<CpuSet> pieces = own.size() >= count ? own : group.stream().mapToObj(CpuSet::of).toList();
    return inRuns(pieces, count);
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
