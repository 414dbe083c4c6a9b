package dev.pinion.bootstrap.placement;

import dev.pinion.bootstrap.topology.CpuSet;
import dev.pinion.bootstrap.topology.Topology;
import dev.pinion.bootstrap.topology.Topology.CoreKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Order of the value of CPUs: powerful cores first, second threads of cores last. */
final class CpuOrder {
  private final List<CoreKind> kinds;
  private final List<CpuSet> cores;

  CpuOrder(Topology topology) {
    this.kinds = topology.coreKinds();
    this.cores =
        topology.cores().stream()
            .sorted(Comparator.comparingInt(this::kind).thenComparingInt(CpuSet::first))
            .toList();
  }

  private int kind(CpuSet core) {
    for (int i = 0; i < kinds.size(); i++) {
      if (kinds.get(i).cpus().contains(core.first())) {
        return i;
      }
    }
    return kinds.size();
  }

  /** The part of each core within a set, the most powerful core first. */
  List<CpuSet> cores(CpuSet within) {
    return cores.stream().map(core -> core.and(within)).filter(core -> !core.isEmpty()).toList();
  }

  /** The CPUs of a set, the most valuable first. */
  List<Integer> cpus(CpuSet within) {
    List<Integer> order = new ArrayList<>();
    List<CpuSet> left = cores(within);
    while (!left.isEmpty()) {
      left.forEach(core -> order.add(core.first()));
      left =
          left.stream()
              .map(core -> core.minus(CpuSet.of(core.first())))
              .filter(core -> !core.isEmpty())
              .toList();
    }
    return order;
  }
}
