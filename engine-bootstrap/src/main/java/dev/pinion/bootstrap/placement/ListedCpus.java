package dev.pinion.bootstrap.placement;

import dev.pinion.bootstrap.topology.CpuSet;
import java.util.ArrayList;
import java.util.List;

/** Checks CPU lists of users. */
final class ListedCpus {
  private ListedCpus() {}

  /**
   * Refuses lists that are empty or name other CPUs than the allowed ones.
   *
   * @throws IllegalArgumentException with every problem
   */
  static void require(List<CpuSet> sets, CpuSet allowed) {
    List<String> problems = new ArrayList<>();
    for (int i = 0; i < sets.size(); i++) {
      CpuSet set = sets.get(i);
      String name = "list " + (i + 1);
      if (set.isEmpty()) {
        problems.add(name + " empty");
      }
      if (!allowed.containsAll(set)) {
        problems.add(set.minus(allowed) + " in " + name + " not allowed");
      }
    }
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException(
          "expected CPU lists that are not empty and within the allowed CPUs "
              + allowed
              + ", found "
              + String.join("; ", problems));
    }
  }

  /** The CPUs in more than one list. */
  static CpuSet shared(List<CpuSet> sets) {
    CpuSet seen = CpuSet.EMPTY;
    CpuSet shared = CpuSet.EMPTY;
    for (CpuSet set : sets) {
      shared = shared.or(set.and(seen));
      seen = seen.or(set);
    }
    return shared;
  }
}
