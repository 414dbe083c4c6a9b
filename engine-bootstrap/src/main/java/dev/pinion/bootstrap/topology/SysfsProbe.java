package dev.pinion.bootstrap.topology;

import dev.pinion.bootstrap.topology.Topology.CpuPackage;
import dev.pinion.bootstrap.topology.Topology.NumaNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads a machine from sysfs, procfs and cgroups of Linux.
 *
 * <p>Missing and contradictory files are the normal case on some architectures: every step has a
 * fallback, and {@link Topology#notes} lists the fallbacks taken.
 */
public final class SysfsProbe {
  private final FileTree tree;
  private final SysfsCpuFiles files;
  private final SiblingFiles siblings;
  private final List<String> notes = new ArrayList<>();

  private SysfsProbe(FileTree tree) {
    this.tree = tree;
    this.files = new SysfsCpuFiles(tree, notes);
    this.siblings = new SiblingFiles(files);
  }

  /**
   * The machine of a file tree.
   *
   * @throws IllegalStateException when the tree has no CPU
   */
  public static Topology probe(FileTree tree) {
    return new SysfsProbe(tree).topology();
  }

  private Topology topology() {
    CpuSet present = files.numbered(SysfsCpuFiles.CPU, "cpu");
    Cgroups cgroups = new Cgroups(tree, notes);
    ProcessCpuMasks masks = new ProcessCpuMasks(tree, notes);
    UsableCpus usable = UsableCpus.of(online(present), masks.cpus(), cgroups.cpus(), notes);
    CpuSet online = usable.online();
    if (online.isEmpty()) {
      throw new IllegalStateException(
          "expected CPUs under "
              + tree.describe(SysfsCpuFiles.CPU)
              + ", found none: is that a sysfs, or a copy of one?");
    }
    CpuSet allowed = usable.allowed();
    List<NumaNode> nodes = nodes(online);
    List<CpuPackage> packages = packages(online);
    CacheReader caches = new CacheReader(files, online, notes);
    AffinityGroupRule rule = new AffinityGroupRule(caches.lastLevels(), packages, notes);
    return new Topology(
        online,
        usable.renumbered() ? CpuSet.EMPTY : present.minus(online),
        allowed,
        packages,
        cores(online),
        new CoreKindReader(files, online).kinds(),
        nodes,
        memoryNodes(nodes, masks, cgroups),
        caches.all(),
        rule.groups(online),
        rule.groups(allowed),
        rule.from(),
        new MemoryReader(tree, cgroups).memory(),
        cgroups.cpuQuota(),
        notes);
  }

  private CpuSet online(CpuSet present) {
    CpuSet listed = files.list(SysfsCpuFiles.CPU + "/online");
    if (listed != null && !listed.isEmpty()) {
      return listed;
    }
    notes.add("nothing lists the CPUs online: all count that are not switched off by themselves");
    return present.where(
        cpu -> !Objects.equals(files.number(SysfsCpuFiles.CPU + "/cpu" + cpu + "/online"), 0));
  }

  /** Nodes with memory that this process may use; with a single node there is no choice. */
  private CpuSet memoryNodes(List<NumaNode> nodes, ProcessCpuMasks masks, Cgroups cgroups) {
    CpuSet usable = CpuSet.EMPTY;
    for (NumaNode node : nodes) {
      if (node.memBytes() > 0) {
        usable = usable.or(CpuSet.of(node.id()));
      }
    }
    if (nodes.size() < 2) {
      return usable;
    }
    CpuSet mask = masks.memoryNodes();
    CpuSet cpuset = cgroups.memoryNodes();
    usable = mask == null ? usable : usable.and(mask);
    return cpuset == null ? usable : usable.and(cpuset);
  }

  private List<CpuSet> cores(CpuSet online) {
    Set<CpuSet> cores = new LinkedHashSet<>();
    for (int cpu = online.first(); cpu >= 0; cpu = online.next(cpu)) {
      CpuSet threads = siblings.ofCore(cpu);
      if (threads == null) {
        note("some CPUs do not name the other threads of their core: each of these is a core");
      }
      cores.add(threads == null ? CpuSet.of(cpu) : threads.and(online));
    }
    return List.copyOf(cores);
  }

  private List<CpuPackage> packages(CpuSet online) {
    Map<CpuSet, Integer> found = new LinkedHashMap<>();
    boolean known = false;
    CpuSet left = online;
    while (!left.isEmpty()) {
      int cpu = left.first();
      Integer id = siblings.packageId(cpu);
      boolean named = siblings.ofPackage(cpu) != null;
      CpuSet members = named || id == null ? reachedFrom(cpu, id, left) : sameId(id, left);
      known |= named || id != null;
      found.put(members, id == null ? -1 : id);
      left = left.minus(members);
    }
    if (!known) {
      notes.add("no file reports which CPUs share a package");
      return List.of();
    }
    List<CpuPackage> packages = new ArrayList<>();
    found.forEach((cpus, id) -> packages.add(new CpuPackage(id, cpus)));
    return packages;
  }

  /**
   * The CPUs that a CPU reports as siblings, and those with its package id that any of them report.
   */
  private CpuSet reachedFrom(int cpu, @Nullable Integer id, CpuSet left) {
    CpuSet members = CpuSet.of(cpu);
    CpuSet reached = members;
    while (!reached.isEmpty()) {
      CpuSet named = CpuSet.EMPTY;
      for (int c = reached.first(); c >= 0; c = reached.next(c)) {
        CpuSet others = siblings.ofPackage(c);
        named = others == null ? named : named.or(others);
      }
      reached = named.and(left).minus(members);
      if (id != null) {
        reached = reached.where(c -> Objects.equals(siblings.packageId(c), id));
      }
      members = members.or(reached);
    }
    return members;
  }

  private CpuSet sameId(Integer id, CpuSet left) {
    note("some CPUs do not name the others of their package: those of one package id are one");
    return left.where(cpu -> id.equals(siblings.packageId(cpu)));
  }

  private void note(String text) {
    if (!notes.contains(text)) {
      notes.add(text);
    }
  }

  private List<NumaNode> nodes(CpuSet online) {
    List<NumaNode> nodes = new ArrayList<>();
    CpuSet ids = files.numbered(SysfsCpuFiles.NODE, "node");
    for (int id = ids.first(); id >= 0; id = ids.next(id)) {
      nodes.add(node(SysfsCpuFiles.NODE + "/node" + id, id, online));
    }
    if (!nodes.isEmpty()) {
      return nodes;
    }
    Map<Integer, NumaNode> linked = new LinkedHashMap<>();
    for (int cpu = online.first(); cpu >= 0; cpu = online.next(cpu)) {
      String folder = SysfsCpuFiles.CPU + "/cpu" + cpu;
      CpuSet links = files.numbered(folder, "node");
      for (int id = links.first(); id >= 0; id = links.next(id)) {
        linked.putIfAbsent(id, node(folder + "/node" + id, id, online));
      }
    }
    return List.copyOf(linked.values());
  }

  private NumaNode node(String folder, int id, CpuSet online) {
    CpuSet cpus = files.listOrMask(folder + "/cpulist", folder + "/cpumap");
    long memory = MemoryReader.kilobytes(files.text(folder + "/meminfo"), "MemTotal:");
    return new NumaNode(id, cpus == null ? CpuSet.EMPTY : cpus.and(online), memory);
  }
}
