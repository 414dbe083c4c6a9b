package dev.pinion.core.journal.store;

import dev.pinion.core.journal.disk.ReadAheadBuffer;
import dev.pinion.core.journal.disk.Storage;
import dev.pinion.core.journal.disk.StorageFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.IntPredicate;

/** Reader of a snapshot that checks all of it. */
final class SnapshotReader {
  private final Storage storage;
  private final String name;
  private final LogChecksum logChecksum;
  private final ReadAheadBuffer readAheadBuffer;
  private final long fileBytes;
  private long offset = SnapshotFormat.HEADER_BYTES;
  private long index;
  private int chain;
  private int recordChain;

  private SnapshotReader(Storage storage, LogId id, String name, StorageFile file)
      throws IOException {
    this.storage = storage;
    this.name = name;
    this.logChecksum = new LogChecksum(id);
    this.fileBytes = file.size();
    this.readAheadBuffer = new ReadAheadBuffer(file, fileBytes);
  }

  /** Receiver of the entries of a snapshot, in order. */
  interface EntrySink {
    void entry(int partition, byte kind, ByteBuffer payload) throws IOException;
  }

  /**
   * Summary of a checked snapshot.
   *
   * @param recordChain the checksum of the record at its position
   * @param entries number of its entries
   */
  record Summary(int recordChain, long entries) {}

  /**
   * Reads a snapshot.
   *
   * @param wanted partitions whose entries the sink receives
   * @throws JournalDamagedException when a byte of it is not as it was written; entries before that
   *     may have reached the sink
   */
  static Summary read(Storage storage, LogId id, long position, IntPredicate wanted, EntrySink sink)
      throws IOException {
    String name = LogFileNames.snapshot(position);
    try (StorageFile file = storage.openToRead(name)) {
      SnapshotReader snapshot = new SnapshotReader(storage, id, name, file);
      snapshot.readHeader(id, position);
      while (snapshot.readEntry(wanted, sink)) {
        snapshot.index++;
      }
      if (snapshot.offset != snapshot.fileBytes) {
        throw snapshot.damaged("the end of the snapshot", "more bytes");
      }
      return new Summary(snapshot.recordChain, snapshot.index);
    }
  }

  private void readHeader(LogId id, long position) throws IOException {
    int begin = readAheadBuffer.bufferOffset(0, SnapshotFormat.HEADER_BYTES);
    ByteBuffer buffer = readAheadBuffer.buffer();
    if (begin < 0
        || !logChecksum.holds(buffer, begin, SnapshotFormat.HEADER_BYTES)
        || buffer.getLong(begin + SnapshotFormat.MAGIC_AT) != SnapshotFormat.MAGIC
        || buffer.getLong(begin + SnapshotFormat.POSITION_AT) != position) {
      throw new JournalDamagedException(
          storage.location(name),
          0,
          "expected the header of a snapshot of log "
              + id
              + " at position "
              + position
              + ", found another or a changed one");
    }
    chain = buffer.getInt(begin);
    recordChain = buffer.getInt(begin + SnapshotFormat.CHAIN_AT);
  }

  private boolean readEntry(IntPredicate wanted, EntrySink sink) throws IOException {
    int begin = readAheadBuffer.bufferOffset(offset, SnapshotFormat.ENTRY_HEADER);
    int length = begin < 0 ? 0 : readAheadBuffer.buffer().getInt(begin + SnapshotFormat.LENGTH);
    if (length < SnapshotFormat.ENTRY_HEADER || length > fileBytes - offset) {
      throw damaged("entry " + index, "bytes that are no entry");
    }
    int size = RecordFormat.aligned(length);
    begin = readAheadBuffer.bufferOffset(offset, size);
    ByteBuffer buffer = readAheadBuffer.buffer();
    if (begin < 0
        || !logChecksum.holds(buffer, begin, size)
        || buffer.getLong(begin + SnapshotFormat.INDEX) != index
        || buffer.getInt(begin + SnapshotFormat.PREVIOUS) != chain) {
      throw damaged("entry " + index, "another or a changed one");
    }
    chain = buffer.getInt(begin);
    offset += size;
    if (buffer.get(begin + SnapshotFormat.LAST) == 1) {
      return false;
    }
    int partition = buffer.getShort(begin + SnapshotFormat.PARTITION);
    if (wanted.test(partition)) {
      int payload = begin + SnapshotFormat.ENTRY_HEADER;
      sink.entry(
          partition,
          buffer.get(begin + SnapshotFormat.KIND),
          buffer.slice(payload, length - SnapshotFormat.ENTRY_HEADER));
    }
    return true;
  }

  private JournalDamagedException damaged(String expected, String found) {
    return new JournalDamagedException(
        storage.location(name), offset, "expected " + expected + ", found " + found);
  }
}
