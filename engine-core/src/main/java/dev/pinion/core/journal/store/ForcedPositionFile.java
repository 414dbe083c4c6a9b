package dev.pinion.core.journal.store;

import dev.pinion.core.journal.disk.Storage;
import dev.pinion.core.journal.disk.StorageFile;
import dev.pinion.core.journal.disk.StorageMapping;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The anchor of an open log, in mapped memory: recording a group commit costs no system call and
 * survives a killed process. The owner's thread only; allocates nothing per use.
 */
final class ForcedPositionFile implements Closeable {
  private final StorageMapping mapping;
  private final ByteBuffer sector = ByteBuffer.allocate(ForcedPosition.SECTOR_BYTES);
  private final LogChecksum logChecksum;
  private long sequence;
  private long snapshot;

  private ForcedPositionFile(StorageMapping mapping, LogId id, long sequence, long snapshot) {
    this.mapping = mapping;
    this.logChecksum = new LogChecksum(id);
    this.sequence = sequence;
    this.snapshot = snapshot;
    ForcedPosition.prepare(sector, id);
  }

  /** Creates the file of an anchor; {@link #open} and {@link #writeBoth} make it valid. */
  static void create(Storage storage) throws IOException {
    try (StorageFile file = storage.create(LogFileNames.ANCHOR)) {
      file.preallocate(ForcedPosition.FILE_BYTES);
      file.force();
    }
  }

  /** Opens the anchor of a log and continues after its last state. */
  static ForcedPositionFile open(Storage storage, LogId id, long sequence, long snapshot)
      throws IOException {
    return new ForcedPositionFile(storage.map(LogFileNames.ANCHOR), id, sequence, snapshot);
  }

  /** Records that a batch was forced. */
  void write(long durable, long segment, long offset, int chain, boolean clean) throws IOException {
    sequence++;
    ForcedPosition.encode(sector, sequence, durable, segment, offset, chain, snapshot, clean);
    logChecksum.seal(sector, 0, ForcedPosition.SECTOR_BYTES);
    mapping.write(sector, ForcedPosition.sectorOf(sequence));
    sector.clear();
  }

  /**
   * Records the same in both slots, so that either shows whether the log was closed, and forces.
   */
  void writeBoth(long durable, long segment, long offset, int chain, boolean clean)
      throws IOException {
    write(durable, segment, offset, chain, clean);
    write(durable, segment, offset, chain, clean);
    mapping.force();
  }

  /** Sets the position of the snapshot for the next records. */
  void snapshot(long position) {
    this.snapshot = position;
  }

  void force() throws IOException {
    mapping.force();
  }

  @Override
  public void close() throws IOException {
    mapping.close();
  }
}
