package dev.pinion.bootstrap.logging;

import dev.pinion.bootstrap.process.LogLine;
import java.time.Clock;
import java.time.Instant;

/** The log line that reports the number of lost log lines, in the format of the others. */
public final class LostLinesNotice {
  private static final String LOGGER = "dev.pinion.log";

  private LostLinesNotice() {}

  /** The line, without its line end, by this machine's clock. */
  public static String line(long lines) {
    return line(lines, LogLineFormat.current(), Clock.systemUTC().instant());
  }

  static String line(long lines, LogLineFormat format, Instant now) {
    String message =
        lines
            + (lines == 1 ? " line of the log was lost" : " lines of the log were lost")
            + ": its reader stood still";
    return format == LogLineFormat.JSON
        ? LogLine.json(now, "WARN", LOGGER, message)
        : LogLine.text(now, "WARN", LOGGER, message);
  }
}
