package dev.pinion.workloads;

import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.Locale;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Format of library logs, the same as that of the engine: time, level, class. */
final class LogLineFormatter extends Formatter {
  private static final DateTimeFormatter MILLIS =
      new DateTimeFormatterBuilder().appendInstant(3).toFormatter(Locale.ROOT);

  LogLineFormatter() {}

  /** Installs this format in the JDK's logging, from warnings on. */
  static void install() {
    Logger root = Logger.getLogger("");
    root.setLevel(Level.WARNING);
    for (Handler handler : root.getHandlers()) {
      handler.setFormatter(new LogLineFormatter());
    }
  }

  @Override
  public String format(LogRecord record) {
    String name = String.valueOf(record.getLoggerName());
    String error = record.getThrown() == null ? "" : " " + record.getThrown();
    return MILLIS.format(record.getInstant())
        + (record.getLevel().intValue() >= Level.SEVERE.intValue() ? " ERROR " : " WARN  ")
        + name.substring(name.lastIndexOf('.') + 1)
        + ": "
        + formatMessage(record)
        + error
        + "\n";
  }
}
