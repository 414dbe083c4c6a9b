package dev.pinion.core.journal.store;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The end of an open log, where records are written: the batch in memory, the last segment, the
 * anchor. The owner's thread, except for {@link #durable}.
 *
 * <p>Once a write or a force has failed for another reason than lack of room, every later one
 * fails.
 */
final class LogEnd implements Closeable {
  private final Storage storage;
  private final int segmentBytesOfNext;
  private final Spare spare;
  private final Retention retention;
  private final Batch batch;
  private final Anchor anchor;

  private StorageFile file;
  private long segment;
  private long segmentBytes;

  /** Offset of the batch in the segment. */
  private long offset;

  private long position;
  private int chain;
  private long durableOffset;
  private int durableChain;
  private @Nullable IOException failure;
  private boolean closed;

  /** Last durable position; written by the owner after segment and anchor, read by any thread. */
  private volatile long durable;

  /** Continues at the end of a settled log. */
  LogEnd(
      Storage storage,
      LogState state,
      StoreBounds bounds,
      Spare spare,
      Retention retention,
      Anchor anchor)
      throws IOException {
    this.storage = storage;
    this.segmentBytesOfNext = bounds.segmentBytes();
    this.spare = spare;
    this.retention = retention;
    this.batch = new Batch(bounds.batchBytes(), state.format().id());
    this.anchor = anchor;
    this.segment = state.lastSegment().number();
    this.segmentBytes = state.lastSegment().segmentBytes();
    this.offset = state.offset();
    this.position = state.position();
    this.chain = state.chain();
    this.durableOffset = offset;
    this.durableChain = chain;
    this.durable = position;
    this.file = storage.open(FileNames.segment(segment));
  }

  /** Adds a record; see {@link RecordLog#append}. */
  long append(int partition, int epoch, byte kind, ByteBuffer payload) throws IOException {
    checkUsable();
    int size = RecordFormat.size(payload.remaining());
    if (offset + batch.bytes() + size > segmentBytes) {
      roll();
    }
    if (!batch.fits(size)) {
      flush();
    }
    chain = batch.add(position + 1, durable, chain, partition, epoch, kind, payload);
    position++;
    return position;
  }

  /** Forces the added records; see {@link RecordLog#force}. */
  long force() throws IOException {
    checkUsable();
    if (position == durable) {
      return position;
    }
    flush();
    try {
      file.force();
      anchor.write(position, segment, offset, chain, false);
    } catch (IOException e) {
      throw failed(e);
    }
    durableOffset = offset;
    durableChain = chain;
    durable = position;
    return position;
  }

  private void flush() throws IOException {
    int bytes = batch.bytes();
    if (bytes == 0) {
      return;
    }
    try {
      file.write(batch.content(), offset);
    } catch (NoSpaceException e) {
      // the batch stays, and is written at the same offset later
      throw new JournalFullException(e);
    } catch (IOException e) {
      throw failed(e);
    }
    offset += bytes;
    batch.clear();
  }

  /** Continues in the next segment. The current one is forced whole before the next one exists. */
  private void roll() throws IOException {
    force();
    SegmentHeader next = new SegmentHeader(segment + 1, position + 1, chain, segmentBytesOfNext);
    StorageFile taken;
    try {
      taken = spare.take(next);
    } catch (ShortageException e) {
      throw new JournalFullException(e);
    } catch (IOException e) {
      throw failed(e);
    }
    goOn(taken, next);
  }

  private void goOn(StorageFile taken, SegmentHeader next) throws IOException {
    try {
      StorageFile full = file;
      file = taken;
      segment = next.number();
      segmentBytes = next.segmentBytes();
      offset = SegmentHeader.BYTES;
      durableOffset = offset;
      full.close();
      storage.forceDirectory();
      retention.segment(segment, next.firstPosition());
      anchorDurable(false);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  /** Ensures that the anchor is not behind {@link #durable}, even after a loss of power. */
  void forceAnchor() throws IOException {
    checkUsable();
    try {
      anchor.force();
    } catch (IOException e) {
      throw failed(e);
    }
  }

  /** Records a snapshot that replaces older data from now on. */
  void adopt(long snapshot) throws IOException {
    checkUsable();
    try {
      anchor.snapshot(snapshot);
      anchorDurable(false);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private void anchorDurable(boolean clean) throws IOException {
    anchor.writeBoth(durable, segment, durableOffset, durableChain, clean);
  }

  private void checkUsable() throws ForceFailedException {
    if (failure != null) {
      throw failed(failure);
    }
    if (closed) {
      throw new IllegalStateException("expected an open log, found a closed one");
    }
  }

  private ForceFailedException failed(IOException cause) {
    failure = cause;
    String place = storage.place(FileNames.segment(segment));
    return new ForceFailedException(place, durable, cause);
  }

  /** The last position on disk. Any thread. */
  long durable() {
    return durable;
  }

  /** The checksum of the record at {@link #durable}. */
  int durableChain() {
    return durableChain;
  }

  /** The last position added. */
  long position() {
    return position;
  }

  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    try (spare;
        anchor;
        StorageFile _ = file) {
      if (failure == null) {
        force();
        anchorDurable(true);
      }
    } finally {
      closed = true;
    }
  }
}
