package dev.pinion.bootstrap.topology;

import dev.pinion.bootstrap.topology.Topology.CoreKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Distinguishes big cores from little ones.
 *
 * <p>Hybrid x86 machines list the CPUs of each kind; elsewhere the kernel gives each CPU a
 * capacity, which also differs a little between cores of one kind.
 */
final class CoreKindReader {
  private static final String DEVICES = "sys/devices/";

  /** Most powerful first. */
  private static final List<String> LISTED_KINDS = List.of("cpu_core", "cpu_atom", "cpu_lowpower");

  /** A CPU below this fraction of the greatest capacity of a kind belongs to another kind. */
  private static final double SAME_KIND = 0.8;

  private final SysfsCpuFiles files;
  private final CpuSet online;

  CoreKindReader(SysfsCpuFiles files, CpuSet online) {
    this.files = files;
    this.online = online;
  }

  /** The kinds, most powerful first; empty where all cores are equal or nothing is known. */
  List<CoreKind> kinds() {
    List<CoreKind> listed = listed();
    List<CoreKind> kinds = listed.isEmpty() ? byCapacity() : listed;
    return kinds.size() > 1 ? kinds : List.of();
  }

  private List<CoreKind> listed() {
    List<CoreKind> kinds = new ArrayList<>();
    for (String name : LISTED_KINDS) {
      CpuSet cpus = files.list(DEVICES + name + "/cpus");
      if (cpus != null && cpus.intersects(online)) {
        kinds.add(new CoreKind(name, cpus.and(online)));
      }
    }
    return kinds;
  }

  private List<CoreKind> byCapacity() {
    List<CoreKind> kinds = new ArrayList<>();
    int greatest = 0;
    for (Map.Entry<Integer, CpuSet> each : capacities().entrySet()) {
      if (kinds.isEmpty() || each.getKey() < SAME_KIND * greatest) {
        greatest = each.getKey();
        kinds.add(new CoreKind("capacity " + greatest, each.getValue()));
      } else {
        CoreKind last = kinds.removeLast();
        kinds.add(new CoreKind(last.name(), last.cpus().or(each.getValue())));
      }
    }
    return kinds;
  }

  /** The CPUs of each capacity, greatest first; a machine without the first has none at all. */
  private Map<Integer, CpuSet> capacities() {
    Map<Integer, CpuSet> found = new TreeMap<>(Comparator.reverseOrder());
    if (capacity(online.first()) != null) {
      for (int cpu = online.first(); cpu >= 0; cpu = online.next(cpu)) {
        Integer capacity = capacity(cpu);
        if (capacity != null) {
          found.merge(capacity, CpuSet.of(cpu), CpuSet::or);
        }
      }
    }
    return found;
  }

  private @Nullable Integer capacity(int cpu) {
    return files.number(SysfsCpuFiles.CPU + "/cpu" + cpu + "/cpu_capacity");
  }
}
