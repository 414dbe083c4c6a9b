package dev.pinion.core.journal.store;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Scans the records of a segment in order, as long as each follows the previous one: with the next
 * position, and the previous checksum in its chain field. Where it ends, a torn tail begins.
 */
final class SegmentScan {
  private final RecordReader reader;
  private long offset = SegmentHeader.BYTES;
  private long position;
  private int chain;
  private @Nullable String flaw;

  SegmentScan(RecordReader reader, SegmentHeader header) {
    this.reader = reader;
    this.position = header.firstPosition() - 1;
    this.chain = header.chain();
  }

  /** Discards bytes that were read ahead: the writer may have written there since. */
  void refresh() {
    reader.refresh();
  }

  /**
   * Moves to the next record.
   *
   * @return whether there is one; {@link #flaw} describes what is there instead
   */
  boolean next() throws IOException {
    RecordReader.RecordStatus recordStatus = reader.read(offset);
    flaw = flaw(recordStatus);
    if (recordStatus != RecordReader.RecordStatus.RECORD || flaw != null) {
      return false;
    }
    position++;
    chain = reader.crc();
    offset += reader.size();
    return true;
  }

  private @Nullable String flaw(RecordReader.RecordStatus recordStatus) {
    return switch (recordStatus) {
      case NOTHING -> null;
      case BAD -> "bytes that are no record";
      case RECORD -> {
        if (reader.position() != position + 1) {
          yield "record " + reader.position();
        }
        yield reader.previous() == chain
            ? null
            : "a record " + reader.position() + " that was written after another one";
      }
    };
  }

  /** The record that {@link #next} found. */
  RecordReader record() {
    return reader;
  }

  /** Offset after the last consecutive record. */
  long offset() {
    return offset;
  }

  /** Position of the last record found; one before the first of the segment at the beginning. */
  long position() {
    return position;
  }

  /** Checksum of that record. */
  int chain() {
    return chain;
  }

  /** Description of what was found instead of a record, or null when there was nothing. */
  @Nullable String flaw() {
    return flaw;
  }
}
