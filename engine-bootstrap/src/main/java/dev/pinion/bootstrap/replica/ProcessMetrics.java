package dev.pinion.bootstrap.replica;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.pinion.core.metrics.MetricFamilies;
import dev.pinion.core.metrics.ProcessCollector;
import java.lang.management.ManagementFactory;

/** Resource usage of a replica's process. For any thread. */
final class ProcessMetrics {
  private final ProcessCollector collector = new ProcessCollector();

  /**
   * Adds the present metrics.
   *
   * @param lostLines lost lines of the log
   */
  void addMetrics(long lostLines, MetricFamilies families) {
    collector.addMetrics(families);
    if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system) {
      families.gauge(
          "pinion_descriptors",
          "File descriptors that are open.",
          system.getOpenFileDescriptorCount());
      families.gauge(
          "pinion_descriptors_limit",
          "File descriptors that may be open (ulimit -n).",
          system.getMaxFileDescriptorCount());
    }
    families.counter(
        "pinion_replica_log_lines_lost_total",
        "Lines of the replica's log that were lost because nobody read them.",
        lostLines);
  }
}
