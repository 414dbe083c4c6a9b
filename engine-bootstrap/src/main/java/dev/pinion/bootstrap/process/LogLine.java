package dev.pinion.bootstrap.process;

import dev.pinion.bootstrap.protocol.JsonString;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.Locale;

/** Format of a log line, the same in every process: JSON for machines or text for people. */
public final class LogLine {
  private static final DateTimeFormatter MILLIS =
      new DateTimeFormatterBuilder().appendInstant(3).toFormatter(Locale.ROOT);

  private static final int LEVEL_WIDTH = 5;

  private LogLine() {}

  /**
   * A JSON object with {@code ts}, {@code level}, {@code logger} and {@code msg}, without the end
   * of the line.
   */
  public static String json(Instant time, String level, String logger, String message) {
    return json(time, level, logger, message, "");
  }

  /**
   * A JSON object that also has a member {@code error}.
   *
   * @param error stack trace; empty for none
   */
  public static String json(
      Instant time, String level, String logger, String message, String error) {
    return "{\"ts\":"
        + JsonString.quoted(time.toString())
        + ",\"level\":"
        + JsonString.quoted(level)
        + ",\"logger\":"
        + JsonString.quoted(logger)
        + ",\"msg\":"
        + JsonString.quoted(message)
        + (error.isEmpty() ? "" : ",\"error\":" + JsonString.quoted(error))
        + "}";
  }

  /**
   * Time in UTC, level, last part of the logger's name, and message, without the end of the line.
   */
  public static String text(Instant time, String level, String logger, String message) {
    return MILLIS.format(time)
        + " "
        + level
        + " ".repeat(Math.max(0, LEVEL_WIDTH - level.length()))
        + " "
        + logger.substring(logger.lastIndexOf('.') + 1)
        + ": "
        + message;
  }
}
