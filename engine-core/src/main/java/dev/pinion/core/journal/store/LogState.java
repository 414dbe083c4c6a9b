package dev.pinion.core.journal.store;

import java.util.List;
import java.util.NavigableMap;

/**
 * What a look at a log found, before anything is changed.
 *
 * @param format what the directory says of it
 * @param anchor how far it was forced, as the anchor says
 * @param directory the names of its files
 * @param snapshot the position of the snapshot to begin with; 0 when there is none
 * @param headers the segments that hold what comes after it, by number
 * @param position the last good record
 * @param chain the checksum of that record
 * @param offset where in the last segment it ends
 * @param tailEnd where in the last segment the remains of records that were never forced end;
 *     {@code offset} when there are none
 * @param notes what is out of the ordinary and harmless
 */
record LogState(
    LogFormat format,
    AnchorState anchor,
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
