package dev.pinion.bootstrap.placement;

import dev.pinion.bootstrap.topology.CpuSet;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Leaves CPUs to the system, so that interrupts, other processes and the parent do not preempt
 * event loops.
 *
 * <p>Each CPU is taken from the replica with most CPUs, the last of equal ones, and there the least
 * valuable CPU: losing it hurts least. No replica loses its only CPU and, unless a number is
 * configured, none loses half of its CPUs.
 */
final class SystemCpus {
  /** Least number of CPUs at which one is left to the system by default. */
  static final int CPUS_FOR_SYSTEM = 4;

  private final CpuOrder order;
  private final List<String> decisions;
  private List<CpuSet> groups;
  private CpuSet reserved = CpuSet.EMPTY;

  SystemCpus(CpuOrder order, List<CpuSet> groups, List<String> decisions) {
    this.order = order;
    this.groups = List.copyOf(groups);
    this.decisions = decisions;
  }

  /**
   * Takes CPUs.
   *
   * @param asked number of CPUs, or null for one where there are four or more
   * @throws IllegalArgumentException when a replica would have no CPU left
   */
  void reserve(@Nullable Integer asked) {
    int cpus = groups.stream().mapToInt(CpuSet::size).sum();
    if (asked == null) {
      reserveOneOf(cpus);
      return;
    }
    if (asked > cpus - groups.size()) {
      throw new IllegalArgumentException(
          "expected at most "
              + (cpus - groups.size())
              + " CPUs left to the system, so that each of "
              + groups.size()
              + " replicas has one, found "
              + asked);
    }
    for (int i = 0; i < asked; i++) {
      reserveOne();
    }
    if (asked > 0) {
      decisions.add("CPUs " + reserved + " are left to the system, as asked");
    }
  }

  private void reserveOneOf(int cpus) {
    if (cpus < CPUS_FOR_SYSTEM) {
      return;
    }
    if (cpus == groups.size()) {
      decisions.add("no CPU is left to the system: every replica has one only");
      return;
    }
    if (wouldHalve(groups)) {
      reserveNone();
      return;
    }
    reserveOne();
    decisions.add(
        "CPU " + reserved + " is left to the system, as there are " + cpus + " (--system-cpus)");
  }

  /** Whether one CPU is half of the largest replica, or more. */
  static boolean wouldHalve(List<CpuSet> groups) {
    return groups.stream().allMatch(group -> group.size() <= 2);
  }

  /** Takes none, and adds the reason to the decisions. */
  void reserveNone() {
    decisions.add(
        "no CPU is left to the system: a replica would lose half of its CPUs (--system-cpus)");
  }

  private void reserveOne() {
    int from = 0;
    for (int i = 0; i < groups.size(); i++) {
      if (groups.get(i).size() >= groups.get(from).size()) {
        from = i;
      }
    }
    CpuSet cpu = CpuSet.of(order.cpus(groups.get(from)).getLast());
    List<CpuSet> rest = new ArrayList<>(groups);
    rest.set(from, groups.get(from).minus(cpu));
    groups = rest;
    reserved = reserved.or(cpu);
  }

  /** The CPUs of each replica without the taken ones. */
  List<CpuSet> groups() {
    return groups;
  }

  /** The CPUs left to the system. */
  CpuSet reserved() {
    return reserved;
  }
}
