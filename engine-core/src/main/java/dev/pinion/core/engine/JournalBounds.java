package dev.pinion.core.engine;

/**
 * The sizes of a journal.
 *
 * @param segmentBytes length of a file of records
 * @param maxRecordBytes the longest record: the largest payload of a call's answer, in base 64, and
 *     what is beside it; also the longest entry of a snapshot
 * @param snapshotLogBytes records since the last snapshot after which another one is made, unless
 *     that one was larger than a part of it
 * @param closeLogBytes records since the last snapshot from which on one is made when the engine is
 *     closed; fewer are replayed sooner than a snapshot is written
 */
public record JournalBounds(
    int segmentBytes, int maxRecordBytes, long snapshotLogBytes, long closeLogBytes) {
  /** The sizes when nothing else is said. */
  public static final JournalBounds DEFAULTS =
      new JournalBounds(64 << 20, 16 << 20, 256L << 20, 1 << 20);
}
