package dev.pinion.workloads.demo;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.management.ManagementFactory;
import java.util.Locale;

/**
 * Load of the machine before the demonstration.
 *
 * @param average runnable threads, on average over the last minute; negative where unknown
 * @param cpus CPUs that this process may use
 */
record MachineLoad(double average, int cpus) {
  /** Load of others, in CPUs, from which on it affects measurements. */
  private static final double BUSY = 0.5;

  static MachineLoad now() {
    return new MachineLoad(
        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
        Runtime.getRuntime().availableProcessors());
  }

  /** Whether others use so much of it that the numbers are affected. */
  boolean isBusy() {
    return average > BUSY * cpus;
  }

  /** A sentence for people. */
  String warning() {
    return String.format(
        Locale.ROOT,
        "The machine was busy before the demo began: a load average of %.1f on %d CPU%s."
            + " Times are longer and rates lower than on a quiet one.",
        average,
        cpus,
        cpus == 1 ? "" : "s");
  }

  ObjectNode toJson() {
    return JsonNodeFactory.instance
        .objectNode()
        .put("loadAverage", average)
        .put("cpus", cpus)
        .put("busy", isBusy());
  }
}
