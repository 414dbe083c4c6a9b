package dev.pinion.core.journal.store;

import java.util.List;
import java.util.NavigableMap;

/**
 * Result of the inspection of a log, before anything is changed.
 *
 * @param format its description in the directory
 * @param anchor how far it was forced, according to the anchor
 * @param directory the names of its files
 * @param snapshot the position of the snapshot to begin with; 0 when there is none
 * @param headers the segments with the records after it, by number
 * @param position the last good record
 * @param chain the checksum of that record
 * @param offset end of that record in the last segment
 * @param tailEnd end of the remains of records that were never forced, in the last segment; {@code
 *     offset} when there are none
 * @param notes harmless irregularities
 */
record InspectedLog(
    LogFormat format,
    ForcedPosition anchor,
    LogDirectory directory,
    long snapshot,
    NavigableMap<Long, SegmentHeader> headers,
    long position,
    int chain,
    long offset,
    long tailEnd,
    List<String> notes) {
  SegmentHeader lastSegment() {
    return headers.lastEntry().getValue();
  }
}
