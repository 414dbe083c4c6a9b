package dev.pinion.bootstrap.topology;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The CPUs that are online, and those of them that this process may use.
 *
 * <p>The kernel's mask is what counts (sched_setaffinity(2)). It may name CPUs that are offline, so
 * it is taken together with the list of those online, except where that list is another machine's
 * view: lxcfs numbers the CPUs of a container anew in {@code /sys}, while masks and cpusets have
 * the kernel's numbers.
 *
 * @param online CPUs that are online, as far as the kernel's own numbers are known
 * @param allowed those of them that this process may use
 * @param renumbered whether {@code /sys} has other numbers than the kernel
 */
record UsableCpus(CpuSet online, CpuSet allowed, boolean renumbered) {
  /**
   * Compares what the system says.
   *
   * @param online the list of CPUs online
   * @param mask the kernel's mask of this process, or null when it is unknown
   * @param cpuset CPUs of its control group, or null when there is none
   * @param notes where contradictions are told
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
              + ": CPUs are numbered anew there, as in a container, and the mask counts");
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
   * Whether the list cannot be about the kernel's CPUs: none of them are in the mask, or CPUs of
   * the mask that the cpuset grants are not in the list although it has as many as the mask, from 0
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
