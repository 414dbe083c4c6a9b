package dev.pinion.bootstrap.topology;

import dev.pinion.bootstrap.topology.Topology.AffinityGroup;
import dev.pinion.bootstrap.topology.Topology.GroupSource;
import dev.pinion.bootstrap.topology.Topology.Memory;
import java.util.List;
import java.util.Locale;

/** Probes the machine on which this runs, whatever its operating system. */
public final class MachineProbe {
  private MachineProbe() {}

  /** Whether CPUs can be assigned to processes here. */
  public static boolean onLinux() {
    return System.getProperty("os.name", "").toLowerCase(Locale.ROOT).contains("linux");
  }

  /** The machine; on other systems than Linux one group of all CPUs of the JVM. */
  public static Topology probe() {
    return onLinux()
        ? SysfsProbe.probe(DirectoryTree.live())
        : withoutDetail(Runtime.getRuntime().availableProcessors(), System.getProperty("os.name"));
  }

  static Topology withoutDetail(int cpuCount, String system) {
    CpuSet cpus = CpuSet.firstCpus(cpuCount);
    List<AffinityGroup> one = List.of(new AffinityGroup(0, null, cpus));
    return new Topology(
        cpus,
        CpuSet.EMPTY,
        cpus,
        List.of(),
        cpus.stream().mapToObj(CpuSet::of).toList(),
        List.of(),
        List.of(),
        CpuSet.EMPTY,
        List.of(),
        one,
        one,
        GroupSource.PACKAGE,
        new Memory(0, 0),
        null,
        List.of(
            "on "
                + system
                + " neither caches nor masks are known: "
                + cpuCount
                + " CPUs are taken as one group, and nothing is pinned"));
  }
}
