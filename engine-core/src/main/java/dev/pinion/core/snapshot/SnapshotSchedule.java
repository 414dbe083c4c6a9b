package dev.pinion.core.snapshot;

import dev.pinion.core.limits.JournalLimits;
import java.util.concurrent.TimeUnit;

/**
 * Decides when a snapshot is due: often enough to bound the time of a recovery, seldom enough that
 * writing snapshots is a small part of all writing. Owner's thread of the log.
 */
final class SnapshotSchedule {
  /** Least ratio of records to the snapshot before them, in bytes. */
  static final int LOG_PER_SNAPSHOT = 4;

  /** Time after a failed snapshot before another attempt. */
  static final long RETRY_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** The same for a snapshot that is to make room on the disk. */
  static final long URGENT_RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final JournalLimits bounds;
  private long logBytes;
  private long logBytesAtBegin;
  private long snapshotBytes;
  private boolean underWay;
  private boolean urgent;
  private boolean failed;
  private long failedNanos;

  SnapshotSchedule(JournalLimits bounds) {
    this.bounds = bounds;
  }

  /** Continues after a snapshot and the records replayed after it. */
  void recovered(long lastSnapshotBytes, long tailBytes) {
    snapshotBytes = lastSnapshotBytes;
    logBytes = tailBytes;
  }

  void appended(int bytes) {
    logBytes += bytes;
  }

  /** Records since the last snapshot, in bytes. */
  long logBytes() {
    return logBytes;
  }

  boolean isDue(long nowNanos) {
    long least = Math.max(bounds.snapshotLogBytes(), LOG_PER_SNAPSHOT * snapshotBytes);
    long pause = urgent ? URGENT_RETRY_NANOS : RETRY_NANOS;
    return !underWay
        && (urgent || logBytes >= least)
        && (!failed || nowNanos - failedNanos >= pause);
  }

  /** The interval of attempts after a failed one, for messages. */
  String describeRetries() {
    return urgent
        ? "every second, as the disk gets full"
        : "every minute, or every second once the disk gets full";
  }

  /** Makes a snapshot due now, as the disk gets full. */
  void requestNow() {
    urgent = true;
  }

  /** Whether a snapshot is worth its time when the engine is closed. */
  boolean isDueAtClose() {
    return logBytes >= bounds.closeLogBytes();
  }

  void begun() {
    underWay = true;
    logBytesAtBegin = logBytes;
  }

  void adopted(long bytes) {
    underWay = false;
    failed = false;
    urgent = false;
    snapshotBytes = bytes;
    logBytes -= logBytesAtBegin;
  }

  /** Records that the snapshot was abandoned without a failure; it is due again. */
  void givenUp() {
    underWay = false;
  }

  /** Records a failure; returns whether the snapshot before succeeded. */
  boolean failed(long nowNanos) {
    boolean first = !failed;
    underWay = false;
    failed = true;
    failedNanos = nowNanos;
    return first;
  }
}
