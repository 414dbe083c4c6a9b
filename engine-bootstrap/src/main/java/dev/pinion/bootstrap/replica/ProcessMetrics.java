package dev.pinion.bootstrap.replica;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * Resource usage of a replica's process, in the text format of Prometheus (0.0.4). For any thread.
 */
final class ProcessMetrics {
  private ProcessMetrics() {}

  /**
   * The text.
   *
   * @param lostLines lost lines of the log
   */
  static String of(long lostLines) {
    StringBuilder text = new StringBuilder();
    if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system) {
      describe(text, "pinion_descriptors", "File descriptors that are open.", "gauge");
      text.append(system.getOpenFileDescriptorCount()).append('\n');
      describe(
          text,
          "pinion_descriptors_limit",
          "File descriptors that may be open (ulimit -n).",
          "gauge");
      text.append(system.getMaxFileDescriptorCount()).append('\n');
    }
    describe(
        text,
        "pinion_replica_log_lines_lost_total",
        "Lines of the replica's log that were lost because nobody read them.",
        "counter");
    return text.append(lostLines).append('\n').toString();
  }

  /** Writes the lines about a metric, and its name before its value. */
  private static void describe(StringBuilder text, String name, String help, String type) {
    text.append("# HELP ").append(name).append(' ').append(help).append('\n');
    text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
    text.append(name).append(' ');
  }
}
