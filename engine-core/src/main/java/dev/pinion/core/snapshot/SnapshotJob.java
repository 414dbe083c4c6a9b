package dev.pinion.core.snapshot;

import dev.pinion.core.journal.SnapshotEntry;
import dev.pinion.core.journal.store.SnapshotWriter;
import dev.pinion.core.kernel.SnapshotSink;
import dev.pinion.core.stage.Lane;
import dev.pinion.core.stage.Wakeup;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * One snapshot in transit from the kernels to the disk. Entries in transit are bounded by number
 * and by size.
 */
final class SnapshotJob implements SnapshotSink {
  private final SnapshotWriter writer;
  private final int maxEntryBytes;

  /** Bytes in transit from all kernels, besides one entry of each. */
  private final int maxBytesOnTheWay;

  private final Lane<QueuedEntry> lane;
  private final Wakeup stage;
  private final AtomicLong onTheWay = new AtomicLong();
  private volatile boolean abandoned;
  private volatile @Nullable RuntimeException failure;

  // the stage's thread
  private int kernelsLeft;
  private long bytes;

  /** An entry and its snapshot: entries of an abandoned snapshot may still be in transit. */
  record QueuedEntry(SnapshotJob job, SnapshotEntry entry) {}

  SnapshotJob(
      SnapshotWriter writer,
      int kernels,
      int maxEntryBytes,
      int maxBytesOnTheWay,
      Lane<QueuedEntry> lane,
      Wakeup stage) {
    this.writer = writer;
    this.kernelsLeft = kernels;
    this.maxEntryBytes = maxEntryBytes;
    this.maxBytesOnTheWay = maxBytesOnTheWay;
    this.lane = lane;
    this.stage = stage;
  }

  @Override
  public boolean offer(SnapshotEntry entry) {
    if (!hasRoom()) {
      return false;
    }
    onTheWay.addAndGet(entry.bytes().length);
    boolean taken = lane.offer(new QueuedEntry(this, entry));
    if (!taken) {
      onTheWay.addAndGet(-entry.bytes().length);
    }
    return taken;
  }

  @Override
  public int maxEntryBytes() {
    return maxEntryBytes;
  }

  @Override
  public boolean hasRoom() {
    return onTheWay.get() < maxBytesOnTheWay && lane.size() < lane.capacity();
  }

  @Override
  public boolean isAbandoned() {
    return abandoned;
  }

  @Override
  public void fail(RuntimeException thrown) {
    failure = thrown;
    stage.signal();
  }

  /** The reason why a kernel could not write its part, or null. */
  @Nullable RuntimeException failure() {
    return failure;
  }

  /** Records that an entry was taken from the lane. */
  void dequeued(SnapshotEntry entry) {
    onTheWay.addAndGet(-entry.bytes().length);
  }

  /** Writes an entry. */
  void write(SnapshotEntry entry) throws IOException {
    writer.entry(entry.partition(), entry.kind(), ByteBuffer.wrap(entry.bytes()));
    bytes += entry.bytes().length;
    if (entry.kind() == SnapshotEntry.KERNEL) {
      kernelsLeft--;
    }
  }

  /** Whether every kernel has written its part. */
  boolean isComplete() {
    return kernelsLeft == 0;
  }

  /** Completes the snapshot; the position is the last that any entry may be ahead by. */
  void finish(long position) throws IOException {
    byte[] end = ByteBuffer.allocate(Long.BYTES).putLong(0, position).array();
    write(new SnapshotEntry(0, SnapshotEntry.END, end));
    writer.finish();
  }

  /** Abandons the snapshot. */
  void abandon() throws IOException {
    abandoned = true;
    writer.close();
  }

  /** The writer for the log to adopt. */
  SnapshotWriter writer() {
    return writer;
  }

  /** Bytes of its entries. */
  long bytes() {
    return bytes;
  }
}
