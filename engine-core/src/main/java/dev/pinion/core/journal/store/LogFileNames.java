package dev.pinion.core.journal.store;

/** Names of the files of a log. */
final class LogFileNames {
  /** Description of the directory; the last file of a new log to appear. */
  static final String FORMAT = "FORMAT";

  /** Lock file of the one process that writes. */
  static final String LOCK = "lock";

  /**
   * Locked shared by readers, and exclusively while files are deleted; holds the {@link
   * FollowerPosition}.
   */
  static final String READERS = "readers";

  static final String ANCHOR = "anchor";

  /** The next segment, zeros, not in use yet. */
  static final String SPARE = "spare";

  /** Room that is released for a snapshot when the disk is full. */
  static final String RESERVE = "reserve";

  /** Suffix of a file that is not complete yet; removed when the log is opened. */
  static final String PREPARING = ".preparing";

  /** Prefix of files that a repair removed; left alone. */
  static final String REMOVED = "removed-";

  private static final String SEGMENT_SUFFIX = ".segment";
  private static final String SNAPSHOT_PREFIX = "snapshot-";
  private static final int SEGMENT_DIGITS = 10;
  private static final int SNAPSHOT_DIGITS = 19;

  private LogFileNames() {}

  static String segment(long number) {
    return padded(number, SEGMENT_DIGITS) + SEGMENT_SUFFIX;
  }

  static String snapshot(long position) {
    return SNAPSHOT_PREFIX + padded(position, SNAPSHOT_DIGITS);
  }

  /** The number of a segment, or -1 when the name is not that of a segment. */
  static long segmentNumber(String name) {
    return name.endsWith(SEGMENT_SUFFIX)
        ? number(name.substring(0, name.length() - SEGMENT_SUFFIX.length()), SEGMENT_DIGITS)
        : -1;
  }

  /** The position of a snapshot, or -1 when the name is not that of a snapshot. */
  static long snapshotPosition(String name) {
    return name.startsWith(SNAPSHOT_PREFIX)
        ? number(name.substring(SNAPSHOT_PREFIX.length()), SNAPSHOT_DIGITS)
        : -1;
  }

  private static String padded(long number, int digits) {
    String text = Long.toString(number);
    return "0".repeat(Math.max(0, digits - text.length())) + text;
  }

  private static long number(String digits, int count) {
    if (digits.length() != count || !digits.chars().allMatch(each -> each >= '0' && each <= '9')) {
      return -1;
    }
    try {
      long number = Long.parseLong(digits);
      return number > 0 ? number : -1;
    } catch (NumberFormatException e) {
      return -1;
    }
  }
}
