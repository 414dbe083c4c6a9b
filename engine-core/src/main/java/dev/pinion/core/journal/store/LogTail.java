package dev.pinion.core.journal.store;

import dev.pinion.core.journal.disk.NoSpaceException;
import dev.pinion.core.journal.disk.ResourceExhaustedException;
import dev.pinion.core.journal.disk.Storage;
import dev.pinion.core.journal.disk.StorageFile;
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
final class LogTail implements Closeable {
  private final Storage storage;
  private final int segmentBytesOfNext;
  private final PreallocatedSegment preallocatedSegment;
  private final LogRetention logRetention;
  private final RecordBatch recordBatch;
  private final ForcedPositionFile forcedPositionFile;

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
  LogTail(
      Storage storage,
      InspectedLog state,
      LogLimits bounds,
      PreallocatedSegment preallocatedSegment,
      LogRetention logRetention,
      ForcedPositionFile forcedPositionFile)
      throws IOException {
    this.storage = storage;
    this.segmentBytesOfNext = bounds.segmentBytes();
    this.preallocatedSegment = preallocatedSegment;
    this.logRetention = logRetention;
    this.recordBatch = new RecordBatch(bounds.batchBytes(), state.format().id());
    this.forcedPositionFile = forcedPositionFile;
    this.segment = state.lastSegment().number();
    this.segmentBytes = state.lastSegment().segmentBytes();
    this.offset = state.offset();
    this.position = state.position();
    this.chain = state.chain();
    this.durableOffset = offset;
    this.durableChain = chain;
    this.durable = position;
    this.file = storage.open(LogFileNames.segment(segment));
  }

  /** Adds a record; see {@link RecordLog#append}. */
  long append(int partition, int epoch, byte kind, ByteBuffer payload) throws IOException {
    checkUsable();
    int size = RecordFormat.size(payload.remaining());
    if (offset + recordBatch.bytes() + size > segmentBytes) {
      roll();
    }
    if (!recordBatch.fits(size)) {
      flush();
    }
    chain = recordBatch.add(position + 1, durable, chain, partition, epoch, kind, payload);
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
      forcedPositionFile.write(position, segment, offset, chain, false);
    } catch (IOException e) {
      throw failed(e);
    }
    durableOffset = offset;
    durableChain = chain;
    durable = position;
    return position;
  }

  private void flush() throws IOException {
    int bytes = recordBatch.bytes();
    if (bytes == 0) {
      return;
    }
    try {
      file.write(recordBatch.content(), offset);
    } catch (NoSpaceException e) {
      // the batch stays, and is written at the same offset later
      throw new JournalFullException(e);
    } catch (IOException e) {
      throw failed(e);
    }
    offset += bytes;
    recordBatch.clear();
  }

  /** Continues in the next segment. The current one is forced whole before the next one exists. */
  private void roll() throws IOException {
    force();
    SegmentHeader next = new SegmentHeader(segment + 1, position + 1, chain, segmentBytesOfNext);
    StorageFile taken;
    try {
      taken = preallocatedSegment.take(next);
    } catch (ResourceExhaustedException e) {
      throw new JournalFullException(e);
    } catch (IOException e) {
      throw failed(e);
    }
    continueIn(taken, next);
  }

  private void continueIn(StorageFile taken, SegmentHeader next) throws IOException {
    try {
      StorageFile full = file;
      file = taken;
      segment = next.number();
      segmentBytes = next.segmentBytes();
      offset = SegmentHeader.BYTES;
      durableOffset = offset;
      full.close();
      storage.forceDirectory();
      logRetention.segment(segment, next.firstPosition());
      anchorDurable(false);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  /** Ensures that the anchor is not behind {@link #durable}, even after a loss of power. */
  void forceAnchor() throws IOException {
    checkUsable();
    try {
      forcedPositionFile.force();
    } catch (IOException e) {
      throw failed(e);
    }
  }

  /** Records a snapshot that replaces older data from now on. */
  void adopt(long snapshot) throws IOException {
    checkUsable();
    try {
      forcedPositionFile.snapshot(snapshot);
      anchorDurable(false);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private void anchorDurable(boolean clean) throws IOException {
    forcedPositionFile.writeBoth(durable, segment, durableOffset, durableChain, clean);
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
    String place = storage.location(LogFileNames.segment(segment));
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
    try (preallocatedSegment;
        forcedPositionFile;
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
