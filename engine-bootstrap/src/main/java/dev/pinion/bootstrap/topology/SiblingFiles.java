package dev.pinion.bootstrap.topology;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * CPUs that share a core or a package, from the files of each CPU. Every file is read once.
 *
 * <p>Since Linux 5.3 the files have other names; a kernel has either only the older ones or both,
 * so the names found for one CPU are tried first for the next one.
 */
final class SiblingFiles {
  private final SysfsCpuFiles files;
  private final Names core = new Names("core_cpus", "thread_siblings");
  private final Names packages = new Names("package_cpus", "core_siblings");
  private final Map<Integer, @Nullable CpuSet> packageSets = new HashMap<>();
  private final Map<Integer, @Nullable Integer> packageIds = new HashMap<>();

  SiblingFiles(SysfsCpuFiles files) {
    this.files = files;
  }

  /** Two names of a file; the first is the one found last. */
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

  /** The threads of a CPU's core; null where they are missing, or do not include the CPU itself. */
  @Nullable CpuSet ofCore(int cpu) {
    return read(cpu, core);
  }

  /** The CPUs of a CPU's package; null where they are missing, or do not include the CPU itself. */
  @Nullable CpuSet ofPackage(int cpu) {
    if (!packageSets.containsKey(cpu)) {
      packageSets.put(cpu, read(cpu, packages));
    }
    return packageSets.get(cpu);
  }

  /** The number of a CPU's package, or null where no number distinguishes packages. */
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
    return SysfsCpuFiles.CPU + "/cpu" + cpu + "/topology/" + name;
  }
}
