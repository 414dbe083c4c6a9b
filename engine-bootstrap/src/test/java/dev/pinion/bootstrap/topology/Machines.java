package dev.pinion.bootstrap.topology;

import java.util.HashMap;
import java.util.Map;

/** Machines defined by hand. */
public final class Machines {
  private Machines() {}

  /** M1 of the SOSOA paper: two six-core CPUs with one 6 MB L3 each, two NUMA nodes. */
  public static Topology sosoaM1() {
    return new Builder().cpus(12, 6).cache(3, "6144K", 6).nodes(6).memory(16).probe();
  }

  /** M2: four quad-core CPUs, each with two 4 MB L2 shared by two cores. */
  public static Topology sosoaM2() {
    return new Builder().cpus(16, 4).cache(2, "4096K", 2).memory(16).probe();
  }

  /** M3: one quad-core CPU with two 6 MB L2 shared by two cores. */
  public static Topology sosoaM3() {
    return new Builder().cpus(4, 4).cache(2, "6144K", 2).memory(4).probe();
  }

  /** Writes the files of a regular machine. */
  public static final class Builder {
    private final Map<String, String> files = new HashMap<>();
    private int count;

    /** A number of CPUs, with some per package, each a separate core. */
    public Builder cpus(int cpuCount, int perPackage) {
      count = cpuCount;
      files.put("sys/devices/system/cpu/online", "0-" + (cpuCount - 1));
      files.put("proc/self/status", "Name:\tx\nCpus_allowed_list:\t0-" + (cpuCount - 1) + "\n");
      for (int cpu = 0; cpu < cpuCount; cpu++) {
        String folder = "sys/devices/system/cpu/cpu" + cpu + "/topology/";
        files.put(folder + "physical_package_id", Integer.toString(cpu / perPackage));
        files.put(folder + "core_siblings_list", block(cpu, perPackage));
        files.put(folder + "thread_siblings_list", Integer.toString(cpu));
      }
      return this;
    }

    /** A private first-level cache, and a unified one shared by a number of neighbours. */
    public Builder cache(int level, String size, int sharers) {
      for (int cpu = 0; cpu < count; cpu++) {
        String folder = "sys/devices/system/cpu/cpu" + cpu + "/cache/";
        cacheFiles(folder + "index0/", 1, "Data", "64K", Integer.toString(cpu));
        cacheFiles(folder + "index1/", 1, "Instruction", "64K", Integer.toString(cpu));
        cacheFiles(folder + "index2/", level, "Unified", size, block(cpu, sharers));
      }
      return this;
    }

    private void cacheFiles(String folder, int level, String type, String size, String cpus) {
      files.put(folder + "level", level + "\n");
      files.put(folder + "type", type + "\n");
      files.put(folder + "size", size + "\n");
      files.put(folder + "shared_cpu_list", cpus + "\n");
    }

    /** NUMA nodes of a number of CPUs. */
    public Builder nodes(int perNode) {
      for (int node = 0; node * perNode < count; node++) {
        String folder = "sys/devices/system/node/node" + node + "/";
        files.put(folder + "cpulist", block(node * perNode, perNode));
        files.put(folder + "meminfo", "Node " + node + " MemTotal:  8388608 kB\n");
      }
      return this;
    }

    /** Memory in GB. */
    public Builder memory(long gigabytes) {
      files.put("proc/meminfo", "MemTotal:       " + (gigabytes << 20) + " kB\n");
      return this;
    }

    /** Any file. */
    public Builder file(String path, String content) {
      files.put(path, content);
      return this;
    }

    /** Its files. */
    public FileTree tree() {
      return FileTree.of(files);
    }

    /** Result of the probe. */
    public Topology probe() {
      return SysfsProbe.probe(tree());
    }

    private static String block(int cpu, int size) {
      int first = cpu / size * size;
      return size == 1 ? Integer.toString(cpu) : first + "-" + (first + size - 1);
    }
  }
}
