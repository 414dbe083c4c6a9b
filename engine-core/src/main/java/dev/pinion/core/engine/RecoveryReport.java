package dev.pinion.core.engine;

import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a recovery read and left.
 *
 * @param entries entries of a snapshot that were read
 * @param records records that were replayed
 * @param running instances under way
 * @param repeated calls that are made again
 * @param nanos time that it took
 */
record RecoveryReport(long entries, long records, long running, int repeated, long nanos) {
  private static final Logger LOG = LoggerFactory.getLogger(SafeStore.class);

  /** Before a recovery, or of an empty journal. */
  static final RecoveryReport NONE = new RecoveryReport(0, 0, 0, 0, 0);

  /** Logs it, unless there was nothing to read. */
  void log() {
    if (records + entries > 0) {
      LOG.info(
          "recovered {} instances under way from {} entries of a snapshot and {} records in {} ms;"
              + " {} calls are made again",
          running,
          entries,
          records,
          TimeUnit.NANOSECONDS.toMillis(nanos),
          repeated);
    }
  }
}
