package dev.pinion.core.journal.store;

import dev.pinion.core.journal.disk.Storage;
import dev.pinion.core.journal.disk.StorageFile;
import dev.pinion.core.journal.disk.StorageLock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.NavigableSet;

/**
 * Shows the records of a log, even of one that does not open. Changes nothing; keeps its writer
 * from deleting meanwhile. Single-threaded.
 */
public final class JournalDump {
  private final Storage storage;
  private final LineSink lineSink;

  /** Receiver of records and gaps, in the order of files. */
  public interface LineSink {
    /**
     * Receives a record.
     *
     * @param payload valid until this returns
     */
    void onRecord(DumpLine dumpLine, ByteBuffer payload) throws IOException;

    /** Receives bytes that are no record, with records after them. */
    void onGap(String file, long offset, long bytes) throws IOException;
  }

  /**
   * A record without its payload.
   *
   * @param position its position in the log
   * @param partition the partition it concerns
   * @param epoch the epoch of the partition
   * @param kind its kind
   * @param length bytes of its payload
   * @param checksum CRC32C of it and of the record before it
   * @param forced the last position that was forced when it was written
   * @param file its segment
   * @param offset offset in the segment, in bytes
   */
  public record DumpLine(
      long position,
      int partition,
      int epoch,
      byte kind,
      int length,
      int checksum,
      long forced,
      String file,
      long offset) {
    /** The record as one line of text. */
    public String text() {
      return position
          + " partition "
          + partition
          + " epoch "
          + epoch
          + " kind "
          + kind
          + " length "
          + length
          + " crc "
          + HexFormat.of().toHexDigits(checksum)
          + " forced "
          + forced
          + " at "
          + file
          + " "
          + offset;
    }
  }

  /** A dump of a log. */
  public JournalDump(Storage storage, LineSink lineSink) {
    this.storage = storage;
    this.lineSink = lineSink;
  }

  /**
   * Shows records by position.
   *
   * @param from the first position
   * @param to the last position
   * @return number of records shown
   */
  public long run(long from, long to) throws IOException {
    try (StorageLock _ = storage.lockShared(LogFileNames.READERS)) {
      LogId id = LogFormat.read(storage).id();
      NavigableSet<Long> segments = LogDirectory.of(storage).segments();
      long shown = 0;
      for (long number : segments) {
        shown += show(id, number, from, to);
      }
      return shown;
    }
  }

  private long show(LogId id, long number, long from, long to) throws IOException {
    String name = LogFileNames.segment(number);
    long shown = 0;
    try (StorageFile file = storage.openToRead(name)) {
      SalvageScan walk = new SalvageScan(file, id);
      while (walk.next()) {
        if (walk.skipped() > 0) {
          lineSink.onGap(name, walk.offset() - walk.skipped(), walk.skipped());
        }
        RecordReader record = walk.record();
        if (record.position() >= from && record.position() <= to) {
          lineSink.onRecord(line(name, walk.offset(), record), record.payload());
          shown++;
        }
      }
    }
    return shown;
  }

  private static DumpLine line(String name, long offset, RecordReader record) {
    return new DumpLine(
        record.position(),
        record.partition(),
        record.epoch(),
        record.kind(),
        record.payloadBytes(),
        record.crc(),
        record.forced(),
        name,
        offset);
  }
}
