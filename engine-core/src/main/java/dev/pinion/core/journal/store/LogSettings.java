package dev.pinion.core.journal.store;

/**
 * Settings for opening a log.
 *
 * @param partitions number of partitions that records may name: 0 to one less; fixed at the
 *     creation of the log
 * @param createdBy program and version, written into a new log
 * @param newLog the identity of the log if it is new
 * @param bounds its bounds; existing segments keep theirs
 */
public record LogSettings(int partitions, String createdBy, LogId newLog, LogLimits bounds) {
  /** Most partitions that the field of a record can name. */
  public static final int MAX_PARTITIONS = 1 << 15;

  /** Checks the number of partitions and that the creator is one line. */
  public LogSettings {
    if (partitions < 1 || partitions > MAX_PARTITIONS) {
      throw new IllegalArgumentException(
          "expected partitions between 1 and " + MAX_PARTITIONS + ", found " + partitions);
    }
    if (createdBy.isBlank() || !createdBy.chars().allMatch(each -> each >= ' ' && each < 127)) {
      throw new IllegalArgumentException(
          "expected createdBy to be one line of ASCII, found '" + createdBy + "'");
    }
  }

  /** Settings with default bounds and a random identity. */
  public static LogSettings of(int partitions, String createdBy) {
    return new LogSettings(partitions, createdBy, LogId.random(), LogLimits.DEFAULTS);
  }

  /** The format of a new log. */
  LogFormat format() {
    return new LogFormat(LogFormat.VERSION, LogFormat.VERSION, newLog, partitions, createdBy);
  }
}
