package dev.pinion.bootstrap.topology;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A machine as its operating system describes it. All sets of CPUs but {@link #offline} hold online
 * CPUs only.
 *
 * @param online CPUs that are running
 * @param offline CPUs that exist but are switched off
 * @param allowed online CPUs that this process may use, by its own mask and its cgroup
 * @param packages physical packages (sockets); empty when nothing tells them
 * @param cores physical cores with their hardware threads
 * @param coreKinds kinds of cores, the most powerful first; empty where all are alike
 * @param nodes NUMA nodes; empty when the machine has none to speak of
 * @param memoryNodes numbers of the NUMA nodes that have memory which this process may take
 * @param caches every cache once
 * @param groups affinity groups of all online CPUs
 * @param allowedGroups affinity groups of the allowed CPUs
 * @param groupsFrom what the groups are made from
 * @param memory memory of the machine and what of it this process may use
 * @param cpuQuota CPUs' worth of time the cgroup grants, or null when it sets no bound
 * @param notes what was missing or contradictory, and what was done about it
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
    GroupsFrom groupsFrom,
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

  /** What affinity groups are made from. */
  public enum GroupsFrom {
    /** Last-level caches. */
    LLC,
    /** Packages, for want of cache data; one group of all where packages are unknown too. */
    PACKAGE
  }

  /**
   * A physical package.
   *
   * @param id its number, or -1 when the operating system gives none
   * @param cpus its CPUs
   */
  public record CpuPackage(int id, CpuSet cpus) {}

  /**
   * Cores of about the same power on a machine that has several kinds.
   *
   * @param name what the operating system calls the kind, such as {@code cpu_atom}, or its greatest
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
   * @param level 1 is nearest to the core
   * @param type what it holds
   * @param sizeBytes its size, or null when unknown
   * @param cpus the CPUs that share it
   */
  public record Cache(int level, CacheType type, @Nullable Long sizeBytes, CpuSet cpus) {
    // As the compiler would, which generates code at run time; see CpuFiles.
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

    /** Level and kind as people write them, such as {@code L1d}; {@code u} stands for unified. */
    public String label() {
      return "L" + level + type.letter();
    }
  }

  /** What a cache holds. */
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

    /** The letter used in labels. */
    public char letter() {
      return letter;
    }
  }

  /**
   * CPUs that share a last-level cache, or what stands in for one.
   *
   * @param level level of the cache, 0 when the group is not made from a cache
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
