package dev.pinion.bootstrap.topology;

import dev.pinion.bootstrap.topology.Topology.AffinityGroup;
import dev.pinion.bootstrap.topology.Topology.Cache;
import dev.pinion.bootstrap.topology.Topology.CpuPackage;
import dev.pinion.bootstrap.topology.Topology.GroupSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Forms affinity groups: CPUs whose highest-level data or unified cache is the same.
 *
 * <p>A cache is identified only by the set of CPUs that share it: not by its number, which some
 * machines omit or repeat, nor by level and size, which may be missing for one of its CPUs. A CPU
 * joins the CPUs that report exactly the same set, so the groups are a partition even where sets
 * contradict each other. CPUs without cache data are grouped by package, and all together where
 * packages are unknown too.
 */
final class AffinityGroupRule {
  private final Map<Integer, Cache> lastLevels;
  private final List<CpuPackage> packages;
  private final List<String> notes;

  AffinityGroupRule(Map<Integer, Cache> lastLevels, List<CpuPackage> packages, List<String> notes) {
    this.lastLevels = lastLevels;
    this.packages = packages;
    this.notes = notes;
  }

  GroupSource from() {
    return lastLevels.isEmpty() ? GroupSource.PACKAGE : GroupSource.LLC;
  }

  /** The groups of some CPUs, ordered by their first CPU. */
  List<AffinityGroup> groups(CpuSet cpus) {
    Map<CpuSet, CpuSet> members = new LinkedHashMap<>();
    for (int cpu = cpus.first(); cpu >= 0; cpu = cpus.next(cpu)) {
      members.merge(sharers(cpu, cpus), CpuSet.of(cpu), CpuSet::or);
    }
    List<AffinityGroup> groups = new ArrayList<>();
    members.forEach(
        (sharers, group) -> {
          if (!sharers.equals(group)) {
            note("CPUs contradict each other about the cache they share: " + sharers);
          }
          groups.add(described(group));
        });
    requirePartition(cpus, groups);
    return groups;
  }

  /** The CPUs with which a CPU reports to share its cache, or their substitute. */
  private CpuSet sharers(int cpu, CpuSet within) {
    Cache cache = lastLevels.get(cpu);
    if (cache != null) {
      return cache.cpus().and(within);
    }
    CpuSet uncached = within.where(other -> !lastLevels.containsKey(other));
    for (CpuPackage each : packages) {
      if (each.cpus().contains(cpu)) {
        note("no cache data for some CPUs: they are grouped by package");
        return each.cpus().and(uncached);
      }
    }
    note("neither cache nor package data for some CPUs: they are one group");
    return uncached;
  }

  /** A group with the highest level and the first size that its CPUs report for their cache. */
  private AffinityGroup described(CpuSet group) {
    int level = 0;
    Long size = null;
    boolean alike = true;
    for (int cpu = group.first(); cpu >= 0; cpu = group.next(cpu)) {
      Cache cache = lastLevels.get(cpu);
      if (cache != null) {
        alike &= level == 0 || level == cache.level();
        alike &= size == null || cache.sizeBytes() == null || size.equals(cache.sizeBytes());
        level = Math.max(level, cache.level());
        size = size == null ? cache.sizeBytes() : size;
      }
    }
    if (!alike) {
      note("CPUs contradict each other about level or size of the cache they share: " + group);
    }
    return new AffinityGroup(level, size, group);
  }

  private void note(String text) {
    if (!notes.contains(text)) {
      notes.add(text);
    }
  }

  private static void requirePartition(CpuSet cpus, List<AffinityGroup> groups) {
    int sum = 0;
    CpuSet union = CpuSet.EMPTY;
    for (AffinityGroup group : groups) {
      sum += group.cpus().size();
      union = union.or(group.cpus());
    }
    if (sum != cpus.size() || !union.equals(cpus)) {
      throw new IllegalStateException(
          "expected a partition of CPUs " + cpus + ", found groups " + groups);
    }
  }
}
