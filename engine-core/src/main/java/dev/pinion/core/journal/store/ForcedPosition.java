package dev.pinion.core.journal.store;

import dev.pinion.core.journal.disk.Storage;
import dev.pinion.core.journal.disk.StorageFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Content of the anchor: how far the log was forced. Kept outside the log, so that a log that ends
 * too early or differently is detected.
 *
 * <p>On disk there are two slots in sectors of different 4 KiB blocks, written in turn. At most one
 * is torn when a process or a machine stops; the other one has the state just before.
 *
 * @param sequence number of writes of the anchor
 * @param durable the last position on disk
 * @param segment the segment where the next record goes
 * @param offset offset in it
 * @param chain the checksum of the last record
 * @param snapshot the position of the newest snapshot for which segments were deleted
 * @param clean whether the log was closed after this, so that nothing may follow
 */
record ForcedPosition(
    long sequence,
    long durable,
    long segment,
    long offset,
    int chain,
    long snapshot,
    boolean clean) {
  static final int SECTOR_BYTES = 512;
  static final int SECOND_SECTOR_AT = 4096;
  static final int FILE_BYTES = 8192;

  private static final long MAGIC = 0x50494e4a414e4348L;
  private static final int MAGIC_AT = 4;
  private static final int VERSION_AT = 12;
  private static final int ID_AT = 16;
  private static final int SEQUENCE_AT = 32;
  private static final int DURABLE_AT = 40;
  private static final int SEGMENT_AT = 48;
  private static final int OFFSET_AT = 56;
  private static final int SNAPSHOT_AT = 64;
  private static final int CHAIN_AT = 72;
  private static final int CLEAN_AT = 76;

  /** Offset of the slot of a sequence number. */
  static int sectorOf(long sequence) {
    return (sequence & 1) == 0 ? 0 : SECOND_SECTOR_AT;
  }

  /** Writes the constant part of a slot into its buffer. */
  static void prepare(ByteBuffer slot, LogId id) {
    slot.putLong(MAGIC_AT, MAGIC);
    slot.putInt(VERSION_AT, LogFormat.VERSION);
    slot.putLong(ID_AT, id.high()).putLong(ID_AT + Long.BYTES, id.low());
  }

  /** Writes the variable part of a slot into its buffer; takes no record, to allocate nothing. */
  static void encode(
      ByteBuffer slot,
      long sequence,
      long durable,
      long segment,
      long offset,
      int chain,
      long snapshot,
      boolean clean) {
    slot.putLong(SEQUENCE_AT, sequence);
    slot.putLong(DURABLE_AT, durable);
    slot.putLong(SEGMENT_AT, segment);
    slot.putLong(OFFSET_AT, offset);
    slot.putLong(SNAPSHOT_AT, snapshot);
    slot.putInt(CHAIN_AT, chain);
    slot.putInt(CLEAN_AT, clean ? 1 : 0);
  }

  /**
   * Reads the newer of the intact slots.
   *
   * @param notes receives a line when one is not intact
   * @throws JournalDamagedException when there is no anchor, or no intact slot
   */
  static ForcedPosition read(Storage storage, LogId id, List<String> notes) throws IOException {
    String place = storage.location(LogFileNames.ANCHOR);
    if (!storage.list().contains(LogFileNames.ANCHOR)) {
      throw new JournalDamagedException(place, 0, "expected the anchor of the log, found no file");
    }
    ByteBuffer bytes = ByteBuffer.allocate(FILE_BYTES);
    try (StorageFile file = storage.openToRead(LogFileNames.ANCHOR)) {
      int read = file.read(bytes, 0);
      if (read != FILE_BYTES || file.size() != FILE_BYTES) {
        throw new JournalDamagedException(
            place, read, "expected " + FILE_BYTES + " bytes, found " + file.size());
      }
    }
    ForcedPosition first = slot(bytes, 0, id);
    ForcedPosition second = slot(bytes, SECOND_SECTOR_AT, id);
    if (first == null && second == null) {
      throw new JournalDamagedException(
          place, 0, "expected an anchor of log " + id + ", found two slots that do not match");
    }
    if (first == null || second == null) {
      notes.add(
          "one of two slots of "
              + place
              + ", at offset "
              + (first == null ? 0 : SECOND_SECTOR_AT)
              + ", does not match its checksum; the other one was used");
    }
    return newer(first, second);
  }

  private static ForcedPosition newer(
      @Nullable ForcedPosition first, @Nullable ForcedPosition second) {
    if (first == null || (second != null && second.sequence > first.sequence)) {
      return Objects.requireNonNull(second);
    }
    return first;
  }

  private static @Nullable ForcedPosition slot(ByteBuffer bytes, int begin, LogId id) {
    ByteBuffer slot = bytes.slice(begin, SECTOR_BYTES);
    if (!new LogChecksum(id).holds(slot, 0, SECTOR_BYTES) || slot.getLong(MAGIC_AT) != MAGIC) {
      return null;
    }
    return new ForcedPosition(
        slot.getLong(SEQUENCE_AT),
        slot.getLong(DURABLE_AT),
        slot.getLong(SEGMENT_AT),
        slot.getLong(OFFSET_AT),
        slot.getInt(CHAIN_AT),
        slot.getLong(SNAPSHOT_AT),
        slot.getInt(CLEAN_AT) == 1);
  }
}
