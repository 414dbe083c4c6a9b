package dev.pinion.bootstrap.topology;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A machine according to its operating system. All sets of CPUs except {@link #offline} contain
 * online CPUs only.
 *
 * @param online CPUs that are running
 * @param offline CPUs that exist but are switched off
 * @param allowed online CPUs that this process may use, by its own mask and its cgroup
 * @param packages physical packages (sockets); empty when unknown
 * @param cores physical cores with their hardware threads
 * @param coreKinds kinds of cores, the most powerful first; empty where all are equal
 * @param nodes NUMA nodes; empty when the machine has no relevant ones
 * @param memoryNodes numbers of the NUMA nodes with memory that this process may use
 * @param caches every cache once
 * @param groups affinity groups of all online CPUs
 * @param allowedGroups affinity groups of the allowed CPUs
 * @param groupsFrom source of the groups
 * @param memory memory of the machine, and the part that this process may use
 * @param cpuQuota CPU time granted by the cgroup, in CPUs, or null without a bound
 * @param notes missing or contradictory data, and the fallbacks taken
 */
public record Topology(
    CpuSet online,
    CpuSet offline,
    CpuSet allowed,
    List<CpuPackage> packages,
    List<CpuSet> cores,
    List<CoreKind> coreKinds,
    List<NumaNode> nodes,
    CpuSet memoryNodes,
    List<Cache> caches,
    List<AffinityGroup> groups,
    List<AffinityGroup> allowedGroups,
    GroupSource groupsFrom,
    Memory memory,
    @Nullable Double cpuQuota,
    List<String> notes) {
  /** Copies the lists. */
  public Topology {
    packages = List.copyOf(packages);
    cores = List.copyOf(cores);
    coreKinds = List.copyOf(coreKinds);
    nodes = List.copyOf(nodes);
    caches = List.copyOf(caches);
    groups = List.copyOf(groups);
    allowedGroups = List.copyOf(allowedGroups);
    notes = List.copyOf(notes);
  }

  /** Source of affinity groups. */
  public enum GroupSource {
    /** Last-level caches. */
    LLC,
    /** Packages, for want of cache data; one group of all CPUs where packages are unknown too. */
    PACKAGE
  }

  /**
   * A physical package.
   *
   * @param id its number, or -1 when the operating system reports none
   * @param cpus its CPUs
   */
  public record CpuPackage(int id, CpuSet cpus) {}

  /**
   * Cores of about the same power on a machine that has several kinds.
   *
   * @param name the operating system's name of the kind, such as {@code cpu_atom}, or its greatest
   *     capacity, such as {@code capacity 718}, on the kernel's scale up to about 1,024
   * @param cpus their CPUs
   */
  public record CoreKind(String name, CpuSet cpus) {}

  /**
   * A NUMA node.
   *
   * @param id its number
   * @param cpus its CPUs; may be empty
   * @param memBytes its memory, 0 when unknown
   */
  public record NumaNode(int id, CpuSet cpus, long memBytes) {}

  /**
   * A cache.
   *
   * @param level its level; 1 is nearest to the core
   * @param type its content
   * @param sizeBytes its size, or null when unknown
   * @param cpus the CPUs that share it
   */
  public record Cache(int level, CacheType type, @Nullable Long sizeBytes, CpuSet cpus) {
    // Like the compiler's version, which generates code at run time; see SysfsCpuFiles.
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Cache cache
          && level == cache.level
          && type == cache.type
          && Objects.equals(sizeBytes, cache.sizeBytes)
          && cpus.equals(cache.cpus);
    }

    @Override
    public int hashCode() {
      return 31 * (31 * cpus.hashCode() + level) + type.hashCode();
    }

    /** Level and type in the usual notation, such as {@code L1d}; {@code u} means unified. */
    public String label() {
      return "L" + level + type.letter();
    }
  }

  /** Content of a cache. */
  public enum CacheType {
    /** Data only. */
    DATA('d'),
    /** Instructions only. */
    INSTRUCTION('i'),
    /** Both. */
    UNIFIED('u');

    private final char letter;

    CacheType(char letter) {
      this.letter = letter;
    }

    /** Letter in labels. */
    public char letter() {
      return letter;
    }
  }

  /**
   * CPUs that share a last-level cache, or a substitute for one.
   *
   * @param level level of the cache, 0 when the group is not based on a cache
   * @param sizeBytes size of the cache, or null when unknown
   * @param cpus the CPUs
   */
  public record AffinityGroup(int level, @Nullable Long sizeBytes, CpuSet cpus) {}

  /**
   * Memory.
   *
   * @param totalBytes memory of the machine, 0 when unknown
   * @param allowedBytes memory this process may use: the machine's or, if lower, its cgroup's
   */
  public record Memory(long totalBytes, long allowedBytes) {}
}
