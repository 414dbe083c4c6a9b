package dev.pinion.bootstrap.logging;

/** How log lines look. The launcher says whether standard error is a terminal. */
public enum LogFormat {
  /** One JSON object per line. */
  JSON,
  /** Text for people. */
  TEXT;

  /** System property that names the format: {@code json} or {@code text}. */
  public static final String PROPERTY = "pinion.log.format";

  /** System property that names the lowest level logged. */
  public static final String LEVEL_PROPERTY = "pinion.log.level";

  /** The format asked for; JSON unless text is. */
  public static LogFormat current() {
    return "text".equals(System.getProperty(PROPERTY)) ? TEXT : JSON;
  }
}
