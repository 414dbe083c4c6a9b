package dev.pinion.bootstrap.topology;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The online CPUs, and those that this process may use.
 *
 * <p>The kernel's mask is decisive (sched_setaffinity(2)). It may contain offline CPUs, so it is
 * intersected with the list of online ones, except where that list belongs to another view of the
 * machine: lxcfs renumbers the CPUs of a container in {@code /sys}, while masks and cpusets have
 * the kernel's numbers.
 *
 * @param online online CPUs, as far as the kernel's numbers are known
 * @param allowed those that this process may use
 * @param renumbered whether {@code /sys} has other numbers than the kernel
 */
record UsableCpus(CpuSet online, CpuSet allowed, boolean renumbered) {
  /**
   * Compares the reports of the system.
   *
   * @param online the list of CPUs online
   * @param mask the kernel's mask of this process, or null when it is unknown
   * @param cpuset CPUs of its control group, or null if there is none
   * @param notes receives contradictions
   */
  static UsableCpus of(
      CpuSet online, @Nullable CpuSet mask, @Nullable CpuSet cpuset, List<String> notes) {
    if (mask == null) {
      return unmasked(online, cpuset, notes);
    }
    CpuSet granted = cpuset == null ? mask : mask.and(cpuset);
    if (granted.isEmpty()) {
      notes.add(
          "the cpuset ("
              + cpuset
              + ") has none of the CPUs in the kernel's mask ("
              + mask
              + "): the mask counts");
      granted = mask;
    }
    if (renumbered(online, mask, cpuset)) {
      notes.add(
          "/sys lists CPUs "
              + online
              + " as online, the kernel's mask of this process has "
              + mask
              + ": CPUs are renumbered there, as in a container, and the mask counts");
      return new UsableCpus(granted, granted, true);
    }
    CpuSet allowed = granted.and(online);
    return allowed.isEmpty()
        ? new UsableCpus(online, mask.and(online), false)
        : new UsableCpus(online, allowed, false);
  }

  private static UsableCpus unmasked(CpuSet online, @Nullable CpuSet cpuset, List<String> notes) {
    CpuSet allowed = cpuset == null ? online : online.and(cpuset);
    if (allowed.isEmpty()) {
      notes.add("the CPUs allowed to this process are none of the online ones; all are taken");
      allowed = online;
    }
    return new UsableCpus(online, allowed, false);
  }

  /**
   * Whether the list cannot contain the kernel's numbers: none of them are in the mask, or CPUs in
   * both mask and cpuset are missing from the list although it has as many CPUs as the mask, from 0
   * on.
   */
  private static boolean renumbered(CpuSet online, CpuSet mask, @Nullable CpuSet cpuset) {
    if (mask.and(online).isEmpty()) {
      return true;
    }
    boolean fromZero = online.equals(CpuSet.firstCpus(online.size()));
    boolean granted = cpuset != null && cpuset.containsAll(mask);
    return granted && fromZero && online.size() == mask.size() && !online.equals(mask);
  }
}
