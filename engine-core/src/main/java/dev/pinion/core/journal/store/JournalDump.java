package dev.pinion.core.journal.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.NavigableSet;

/**
 * Prints the records of a log, one a line, also of a log that does not open. Changes nothing; keeps
 * its writer from deleting meanwhile. One thread.
 */
public final class JournalDump {
  private final Storage storage;
  private final PayloadPrinter payloads;
  private final Appendable out;

  /** How a payload looks in a line. */
  public interface PayloadPrinter {
    /** Prints nothing. */
    PayloadPrinter NONE = (kind, payload) -> "";

    /**
     * The text for a payload, without line breaks; empty for none.
     *
     * @param kind the kind of its record
     * @param payload valid until this returns
     */
    String print(byte kind, ByteBuffer payload);
  }

  /** A dump to an output. */
  public JournalDump(Storage storage, PayloadPrinter payloads, Appendable out) {
    this.storage = storage;
    this.payloads = payloads;
    this.out = out;
  }

  /**
   * Prints records by position.
   *
   * @param from the first position
   * @param to the last position
   * @return how many were printed
   */
  public long run(long from, long to) throws IOException {
    try (StorageLock _ = storage.lockShared(FileNames.READERS)) {
      LogId id = LogFormat.read(storage).id();
      NavigableSet<Long> segments = LogDirectory.of(storage).segments();
      long printed = 0;
      for (long number : segments) {
        printed += print(id, number, from, to);
      }
      return printed;
    }
  }

  private long print(LogId id, long number, long from, long to) throws IOException {
    String name = FileNames.segment(number);
    long printed = 0;
    try (StorageFile file = storage.openToRead(name)) {
      SegmentWalk walk = new SegmentWalk(file, id);
      while (walk.next()) {
        if (walk.skipped() > 0) {
          line(name + " " + (walk.offset() - walk.skipped()) + ": no record for " + walk.skipped());
        }
        if (walk.record().position() >= from && walk.record().position() <= to) {
          print(name, walk.offset(), walk.record());
          printed++;
        }
      }
    }
    return printed;
  }

  private void print(String name, long offset, RecordReader record) throws IOException {
    String payload = payloads.print(record.kind(), record.payload());
    line(
        record.position()
            + " partition "
            + record.partition()
            + " epoch "
            + record.epoch()
            + " kind "
            + record.kind()
            + " length "
            + record.payloadBytes()
            + " crc "
            + HexFormat.of().toHexDigits(record.crc())
            + " forced "
            + record.forced()
            + " at "
            + name
            + " "
            + offset
            + (payload.isEmpty() ? "" : " " + payload));
  }

  private void line(String text) throws IOException {
    out.append(text).append('\n');
  }
}
