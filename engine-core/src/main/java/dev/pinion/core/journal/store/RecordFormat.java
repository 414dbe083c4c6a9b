package dev.pinion.core.journal.store;

/**
 * A record on disk, big-endian, padded with zeros to a multiple of eight bytes:
 *
 * <pre>
 *  0 checksum of all that follows, padding too
 *  4 length of header and payload, without padding
 *  8 position: 1, 2, 3 ... without gaps
 * 16 forced: the position that was known to be on disk when this record was made
 * 24 checksum of the record before: swapped, repeated and replaced records break this chain
 * 28 epoch
 * 32 partition
 * 34 kind: negative ones are the store's own
 * 35 zero
 * 36 payload
 * </pre>
 *
 * A length of zero, as a fresh segment has everywhere, is no record.
 */
final class RecordFormat {
  static final int LENGTH = 4;
  static final int POSITION = 8;
  static final int FORCED = 16;
  static final int PREVIOUS = 24;
  static final int EPOCH = 28;
  static final int PARTITION = 32;
  static final int KIND = 34;
  static final int RESERVED = 35;
  static final int HEADER = 36;

  /** Alignment of records, in bytes. */
  static final int ALIGNMENT = 8;

  /** Kind of a record that describes what a repair dropped. */
  static final byte AUDIT = -1;

  private RecordFormat() {}

  /** Bytes on disk of a record with a payload of so many bytes. */
  static int size(int payloadBytes) {
    return aligned(HEADER + payloadBytes);
  }

  /** A length rounded up to the beginning of the next record. */
  static int aligned(int length) {
    return (length + ALIGNMENT - 1) & -ALIGNMENT;
  }
}
