package dev.pinion.core.journal.store;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Goes through the records of a segment in order, as long as each follows the one before: the next
 * position, and the checksum of that one in its chain field.
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

  /** Forgets what was read ahead: the writer may have written there since. */
  void refresh() {
    reader.refresh();
  }

  /**
   * Goes on to the next record.
   *
   * @return whether there is one; {@link #flaw} tells what is there instead
   */
  boolean next() throws IOException {
    RecordReader.Found found = reader.read(offset);
    flaw = flaw(found);
    if (found != RecordReader.Found.RECORD || flaw != null) {
      return false;
    }
    position++;
    chain = reader.crc();
    offset += reader.size();
    return true;
  }

  private @Nullable String flaw(RecordReader.Found found) {
    return switch (found) {
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

  /** Where the records that follow each other end. */
  long offset() {
    return offset;
  }

  /**
   * The position of the last record found; one before the first of the segment at the beginning.
   */
  long position() {
    return position;
  }

  /** The checksum of that record. */
  int chain() {
    return chain;
  }

  /** What was found instead of a record, or null when there was nothing. */
  @Nullable String flaw() {
    return flaw;
  }
}
