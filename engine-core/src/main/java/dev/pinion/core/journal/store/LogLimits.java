package dev.pinion.core.journal.store;

/**
 * Bounds of a log.
 *
 * @param segmentBytes length of a segment file; a log whose last segment is full continues in the
 *     next one
 * @param maxPayloadBytes the longest payload of a record or snapshot entry; a longer one is refused
 * @param batchBytes bytes gathered in memory before a write; more is written without being forced,
 *     and a larger record is written alone
 */
public record LogLimits(int segmentBytes, int maxPayloadBytes, int batchBytes) {
  /** Default bounds. */
  public static final LogLimits DEFAULTS = new LogLimits(64 << 20, 4 << 20, 1 << 20);

  /** Checks each value and that a record fits into batch and segment. */
  public LogLimits {
    within("segmentBytes", segmentBytes, 1 << 10, 1 << 30);
    within("maxPayloadBytes", maxPayloadBytes, 0, 1 << 29);
    within("batchBytes", batchBytes, RecordFormat.size(0), 1 << 30);
    within(
        "maxPayloadBytes",
        RecordFormat.size(maxPayloadBytes),
        0,
        segmentBytes - SegmentHeader.BYTES);
    if (segmentBytes % RecordFormat.ALIGNMENT != 0) {
      throw new IllegalArgumentException(
          "expected segmentBytes to be a multiple of "
              + RecordFormat.ALIGNMENT
              + ", found "
              + segmentBytes);
    }
  }

  private static void within(String name, int value, int least, int most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          "expected " + name + " between " + least + " and " + most + ", found " + value);
    }
  }
}
