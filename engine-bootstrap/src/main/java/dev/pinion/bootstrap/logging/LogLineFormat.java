package dev.pinion.bootstrap.logging;

/** Format of log lines. The launcher sets it, depending on whether standard error is a terminal. */
public enum LogLineFormat {
  /** One JSON object per line. */
  JSON,
  /** Text for people. */
  TEXT;

  /** System property that names the format: {@code json} or {@code text}. */
  public static final String PROPERTY = "pinion.log.format";

  /** System property that names the lowest level logged. */
  public static final String LEVEL_PROPERTY = "pinion.log.level";

  /** The configured format; JSON unless it is text. */
  public static LogLineFormat current() {
    return "text".equals(System.getProperty(PROPERTY)) ? TEXT : JSON;
  }
}
