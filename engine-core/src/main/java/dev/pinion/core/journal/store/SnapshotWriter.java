package dev.pinion.core.journal.store;

import dev.pinion.core.journal.disk.NoSpaceException;
import dev.pinion.core.journal.disk.Storage;
import dev.pinion.core.journal.disk.StorageFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Writes a snapshot: the state after the records up to a position, as opaque entries.
 *
 * <p>One thread, which may be another one than the owner of the log. {@link #finish} puts the
 * snapshot in place; only then may the owner {@link RecordLog#adopt} it, which releases the files
 * that it replaces. A failure here leaves the log unchanged: the snapshot is abandoned, and the log
 * continues with more to replay.
 */
public final class SnapshotWriter implements Closeable {
  private static final long NO_PADDING = 0;
  private static final int LEAST_BUFFER = 256 << 10;

  private final Storage storage;
  private final long position;
  private final int maxPayloadBytes;
  private final StorageFile file;
  private final LogChecksum logChecksum;
  private final ByteBuffer buffer;
  private int bytes;
  private long offset = SnapshotFormat.HEADER_BYTES;
  private long entries;
  private int chain;
  private boolean closed;
  private volatile boolean finished;

  SnapshotWriter(Storage storage, LogId id, long position, int recordChain, int maxPayloadBytes)
      throws IOException {
    this.storage = storage;
    this.position = position;
    this.maxPayloadBytes = maxPayloadBytes;
    this.logChecksum = new LogChecksum(id);
    int most = SnapshotFormat.size(maxPayloadBytes) + RecordFormat.ALIGNMENT;
    this.buffer = ByteBuffer.allocateDirect(Math.max(LEAST_BUFFER, most));
    if (storage.list().contains(name() + LogFileNames.PREPARING)) {
      storage.delete(name() + LogFileNames.PREPARING);
    }
    this.file = storage.create(name() + LogFileNames.PREPARING);
    ByteBuffer header = SnapshotFormat.header(id, position, recordChain);
    this.chain = header.getInt(0);
    writeHeader(header);
  }

  private void writeHeader(ByteBuffer header) throws IOException {
    try {
      file.write(header, 0);
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  private String name() {
    return LogFileNames.snapshot(position);
  }

  /** Position of the state: the next record to apply is one further. */
  public long position() {
    return position;
  }

  /** Whether {@link #finish} has completed. Any thread. */
  public boolean isFinished() {
    return finished;
  }

  /**
   * Adds an entry.
   *
   * @param partition its partition, for readers that want only some
   * @param kind any value
   * @param payload its remaining bytes, not consumed
   * @throws NoSpaceException when the disk is full; close the writer and try another time
   */
  public void entry(int partition, byte kind, ByteBuffer payload) throws IOException {
    if (payload.remaining() > maxPayloadBytes) {
      throw new IllegalArgumentException(
          "expected a payload of at most "
              + maxPayloadBytes
              + " bytes (maxPayloadBytes), found "
              + payload.remaining());
    }
    if (partition < 0 || partition >= LogSettings.MAX_PARTITIONS) {
      throw new IllegalArgumentException("expected a partition, found " + partition);
    }
    add(partition, kind, false, payload);
    entries++;
  }

  private void add(int partition, byte kind, boolean last, ByteBuffer payload) throws IOException {
    if (closed) {
      throw new IllegalStateException("expected an open snapshot, found one that was closed");
    }
    int length = SnapshotFormat.ENTRY_HEADER + payload.remaining();
    int size = RecordFormat.aligned(length);
    if (size > buffer.capacity() - RecordFormat.ALIGNMENT - bytes) {
      flush();
    }
    int begin = bytes;
    buffer.putInt(begin + SnapshotFormat.LENGTH, length);
    buffer.putLong(begin + SnapshotFormat.INDEX, entries);
    buffer.putInt(begin + SnapshotFormat.PREVIOUS, chain);
    buffer.putShort(begin + SnapshotFormat.PARTITION, (short) partition);
    buffer.put(begin + SnapshotFormat.KIND, kind);
    buffer.put(begin + SnapshotFormat.LAST, (byte) (last ? 1 : 0));
    buffer.put(
        begin + SnapshotFormat.ENTRY_HEADER, payload, payload.position(), payload.remaining());
    buffer.putLong(begin + length, NO_PADDING);
    bytes = begin + size;
    chain = logChecksum.seal(buffer, begin, size);
  }

  private void flush() throws IOException {
    file.write(buffer.duplicate().clear().limit(bytes), offset);
    offset += bytes;
    bytes = 0;
  }

  /**
   * Completes the snapshot: when this returns, it survives a loss of power.
   *
   * @throws IOException when that fails; the writer is closed and the snapshot abandoned
   */
  public void finish() throws IOException {
    try {
      add(0, (byte) 0, true, ByteBuffer.allocate(0));
      flush();
      file.force();
      file.close();
      storage.rename(name() + LogFileNames.PREPARING, name());
      storage.forceDirectory();
      closed = true;
      finished = true;
    } finally {
      close();
    }
  }

  /** Abandons an unfinished snapshot; does nothing after {@link #finish}. */
  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    file.close();
    if (storage.list().contains(name() + LogFileNames.PREPARING)) {
      storage.delete(name() + LogFileNames.PREPARING);
    }
  }
}
