package dev.pinion.core.journal.store;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What opening a log found and did.
 *
 * @param log the identity of the log
 * @param created whether it was made just now
 * @param clean whether it had been closed
 * @param snapshot the position of the snapshot that a replay begins with; 0 for none
 * @param position the last record
 * @param anchored the last record that the anchor knew to be forced; later ones were found whole
 *     and are forced now
 * @param cut the remains of a batch that was never forced and were cut off; null when there were
 *     none
 * @param notes what else was out of the ordinary, a sentence each
 */
public record OpenReport(
    LogId log,
    boolean created,
    boolean clean,
    long snapshot,
    long position,
    long anchored,
    @Nullable Cut cut,
    List<String> notes) {
  /**
   * A torn tail.
   *
   * @param file the segment, with its directory
   * @param offset where it was cut, in bytes
   * @param bytes how many bytes, up to the last that was not zero, were made zero
   */
  public record Cut(String file, long offset, long bytes) {}
}
