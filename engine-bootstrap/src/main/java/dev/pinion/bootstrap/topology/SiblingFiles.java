package dev.pinion.bootstrap.topology;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which CPUs share a core or a package, as each CPU names them. Every file is read once.
 *
 * <p>Since Linux 5.3 the files have other names; a kernel has either only the older ones or both,
 * so the names that were found for one CPU are looked for first for the next one.
 */
final class SiblingFiles {
  private final CpuFiles files;
  private final Names core = new Names("core_cpus", "thread_siblings");
  private final Names packages = new Names("package_cpus", "core_siblings");
  private final Map<Integer, @Nullable CpuSet> packageSets = new HashMap<>();
  private final Map<Integer, @Nullable Integer> packageIds = new HashMap<>();

  SiblingFiles(CpuFiles files) {
    this.files = files;
  }

  /** Two names of one thing; the first is the one that was found last. */
  private static final class Names {
    private String first;
    private String second;

    Names(String name, String oldName) {
      first = name;
      second = oldName;
    }

    void swap() {
      String other = first;
      first = second;
      second = other;
    }
  }

  /** The threads of a CPU's core; null where they are not told, or without the CPU itself. */
  @Nullable CpuSet ofCore(int cpu) {
    return read(cpu, core);
  }

  /** The CPUs of a CPU's package; null where they are not told, or without the CPU itself. */
  @Nullable CpuSet ofPackage(int cpu) {
    if (!packageSets.containsKey(cpu)) {
      packageSets.put(cpu, read(cpu, packages));
    }
    return packageSets.get(cpu);
  }

  /** The number of a CPU's package, or null where there is none that tells packages apart. */
  @Nullable Integer packageId(int cpu) {
    if (!packageIds.containsKey(cpu)) {
      Integer id = files.number(file(cpu, "physical_package_id"));
      packageIds.put(cpu, id == null || id < 0 ? null : id);
    }
    return packageIds.get(cpu);
  }

  private @Nullable CpuSet read(int cpu, Names names) {
    CpuSet set = files.listOrMask(file(cpu, names.first + "_list"), file(cpu, names.first));
    if (set == null) {
      set = files.listOrMask(file(cpu, names.second + "_list"), file(cpu, names.second));
      if (set != null) {
        names.swap();
      }
    }
    return set == null || !set.contains(cpu) ? null : set;
  }

  private static String file(int cpu, String name) {
    return CpuFiles.CPU + "/cpu" + cpu + "/topology/" + name;
  }
}
