package dev.pinion.core.journal.store;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Report of opening a log.
 *
 * @param log the identity of the log
 * @param created whether it was created now
 * @param clean whether it had been closed
 * @param snapshot the position of the snapshot that a replay begins with; 0 for none
 * @param position the last record
 * @param anchored the last record that the anchor confirmed as forced; later ones were found whole
 *     and are forced now
 * @param cut the remains of a batch that was never forced and were cut off; null when there were
 *     none
 * @param notes other irregularities, a sentence each
 */
public record LogOpeningReport(
    LogId log,
    boolean created,
    boolean clean,
    long snapshot,
    long position,
    long anchored,
    @Nullable TornTail cut,
    List<String> notes) {
  /**
   * A torn tail.
   *
   * @param file the segment, with its directory
   * @param offset offset of the cut, in bytes
   * @param bytes number of bytes, up to the last that was not zero, that were made zero
   */
  public record TornTail(String file, long offset, long bytes) {}
}
