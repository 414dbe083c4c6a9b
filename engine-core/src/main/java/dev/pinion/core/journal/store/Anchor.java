package dev.pinion.core.journal.store;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The anchor of an open log, in mapped memory: recording a group commit costs no system call and
 * survives a killed process. The owner's thread only; allocates nothing per use.
 */
final class Anchor implements Closeable {
  private final StorageMapping mapping;
  private final ByteBuffer slot = ByteBuffer.allocate(AnchorState.SLOT_BYTES);
  private final Checksum checksum;
  private long sequence;
  private long snapshot;

  private Anchor(StorageMapping mapping, LogId id, long sequence, long snapshot) {
    this.mapping = mapping;
    this.checksum = new Checksum(id);
    this.sequence = sequence;
    this.snapshot = snapshot;
    AnchorState.prepare(slot, id);
  }

  /** Creates the file of an anchor; {@link #open} and {@link #writeBoth} make it valid. */
  static void create(Storage storage) throws IOException {
    try (StorageFile file = storage.create(FileNames.ANCHOR)) {
      file.preallocate(AnchorState.FILE_BYTES);
      file.force();
    }
  }

  /** Opens the anchor of a log and continues after its last state. */
  static Anchor open(Storage storage, LogId id, long sequence, long snapshot) throws IOException {
    return new Anchor(storage.map(FileNames.ANCHOR), id, sequence, snapshot);
  }

  /** Records that a batch was forced. */
  void write(long durable, long segment, long offset, int chain, boolean clean) throws IOException {
    sequence++;
    AnchorState.encode(slot, sequence, durable, segment, offset, chain, snapshot, clean);
    checksum.seal(slot, 0, AnchorState.SLOT_BYTES);
    mapping.write(slot, AnchorState.slotOf(sequence));
    slot.clear();
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
