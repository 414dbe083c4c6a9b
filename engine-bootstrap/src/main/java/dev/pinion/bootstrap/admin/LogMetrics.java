package dev.pinion.bootstrap.admin;

/** The parent's counters of its log, in the text format of Prometheus. */
final class LogMetrics {
  private static final String LOST = "pinion_log_lines_lost_total";

  private LogMetrics() {}

  static String of(long lostLines) {
    return "# HELP "
        + LOST
        + " Lines of the log that were lost because nobody read them.\n# TYPE "
        + LOST
        + " counter\n"
        + LOST
        + " "
        + lostLines
        + "\n";
  }
}
