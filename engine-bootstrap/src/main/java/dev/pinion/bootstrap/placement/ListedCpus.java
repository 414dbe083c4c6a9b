package dev.pinion.bootstrap.placement;

import dev.pinion.bootstrap.topology.CpuSet;
import java.util.ArrayList;
import java.util.List;

/** Checks CPU lists given by hand. */
final class ListedCpus {
  private ListedCpus() {}

  /**
   * Refuses lists that are empty, overlap or name other CPUs than the allowed ones.
   *
   * @throws IllegalArgumentException with every problem
   */
  static void require(List<CpuSet> sets, CpuSet allowed) {
    List<String> problems = new ArrayList<>();
    CpuSet seen = CpuSet.EMPTY;
    for (int i = 0; i < sets.size(); i++) {
      CpuSet set = sets.get(i);
      String name = "list " + (i + 1);
      if (set.isEmpty()) {
        problems.add(name + " empty");
      }
      if (set.intersects(seen)) {
        problems.add(set.and(seen) + " in " + name + " and an earlier one");
      }
      if (!allowed.containsAll(set)) {
        problems.add(set.minus(allowed) + " in " + name + " not allowed");
      }
      seen = seen.or(set);
    }
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException(
          "expected CPU lists that are not empty, apart from each other and within the allowed CPUs "
              + allowed
              + ", found "
              + String.join("; ", problems));
    }
  }
}
