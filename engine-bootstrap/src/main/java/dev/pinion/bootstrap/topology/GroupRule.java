package dev.pinion.bootstrap.topology;

import dev.pinion.bootstrap.topology.Topology.AffinityGroup;
import dev.pinion.bootstrap.topology.Topology.Cache;
import dev.pinion.bootstrap.topology.Topology.CpuPackage;
import dev.pinion.bootstrap.topology.Topology.GroupsFrom;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Makes affinity groups: CPUs whose highest-level data or unified cache is the same.
 *
 * <p>A cache is known by the set of CPUs that share it, not by its number, which some machines
 * leave out or repeat. A CPU joins the CPUs that name exactly the same set, so the groups are a
 * partition even where sets contradict each other. CPUs without cache data are grouped by package,
 * and all together where packages are unknown too.
 */
final class GroupRule {
  private final Map<Integer, Cache> lastLevels;
  private final List<CpuPackage> packages;
  private final List<String> notes;

  GroupRule(Map<Integer, Cache> lastLevels, List<CpuPackage> packages, List<String> notes) {
    this.lastLevels = lastLevels;
    this.packages = packages;
    this.notes = notes;
  }

  GroupsFrom from() {
    return lastLevels.isEmpty() ? GroupsFrom.PACKAGE : GroupsFrom.LLC;
  }

  /** The groups of some CPUs, ordered by their first CPU. */
  List<AffinityGroup> groups(CpuSet cpus) {
    Map<Key, CpuSet> members = new LinkedHashMap<>();
    for (int cpu = cpus.first(); cpu >= 0; cpu = cpus.next(cpu)) {
      members.merge(key(cpu, cpus), CpuSet.of(cpu), CpuSet::or);
    }
    List<AffinityGroup> groups = new ArrayList<>();
    members.forEach(
        (key, group) -> {
          if (!key.cpus.equals(group)) {
            note("CPUs contradict each other about the cache they share: " + key.cpus);
          }
          groups.add(new AffinityGroup(key.level, key.sizeBytes, group));
        });
    requirePartition(cpus, groups);
    return groups;
  }

  private Key key(int cpu, CpuSet within) {
    Cache cache = lastLevels.get(cpu);
    if (cache != null) {
      return new Key(cache.level(), cache.sizeBytes(), cache.cpus().and(within));
    }
    CpuSet uncached = within.where(other -> !lastLevels.containsKey(other));
    for (CpuPackage each : packages) {
      if (each.cpus().contains(cpu)) {
        note("no cache data for some CPUs: they are grouped by package");
        return new Key(0, null, each.cpus().and(uncached));
      }
    }
    note("neither cache nor package data for some CPUs: they are one group");
    return new Key(0, null, uncached);
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

  private record Key(int level, @Nullable Long sizeBytes, CpuSet cpus) {
    // As the compiler would, which generates code at run time; see CpuFiles.
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Key key
          && level == key.level
          && Objects.equals(sizeBytes, key.sizeBytes)
          && cpus.equals(key.cpus);
    }

    @Override
    public int hashCode() {
      return 31 * cpus.hashCode() + level;
    }
  }
}
