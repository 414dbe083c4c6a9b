package dev.pinion.core.coldstore;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Bytes in chains of blocks, like a file system without names: any free block can be used, so that
 * values of all sizes come and go without fragmentation.
 *
 * <pre>
 *   handle = first block, last block        block = number of the next one, bytes
 *   first block = number of the next one, length of the whole, bytes
 * </pre>
 *
 * <p>One thread; another one may make segments behind {@link SegmentSource}.
 */
public final class BlockColdStore implements ColdStore {
  /** Usual size of a segment, the room requested at a time. */
  static final int SEGMENT_BYTES = 16 << 20;

  /** Size of a block for values of a few KiB and more. */
  static final int BLOCK_BYTES = 4 << 10;

  /** Size of a block for many small values. */
  public static final int SMALL_BLOCK_BYTES = 256;

  private static final int NEXT_BYTES = Integer.BYTES;
  private static final int LENGTH_BYTES = Integer.BYTES;
  private static final int END = -1;

  private final SegmentSource source;
  private final int blockBytes;
  private final int dataBytes;

  /** Blocks of a segment. */
  private final int perSegment;

  private final List<MemorySegment> segments = new ArrayList<>();

  /** The first of the blocks that were returned. */
  private int firstFree = END;

  private int free;

  /** Blocks in use; written by the kernel, read by any thread. */
  private final AtomicInteger used = new AtomicInteger();

  /** The first block that was never used. */
  private int fresh;

  /** Source of segments. */
  public interface SegmentSource {
    /** The size of each segment, a multiple of {@link #BLOCK_BYTES}. */
    int segmentBytes();

    /** A segment, all zeros, or null when there is none now. */
    @Nullable MemorySegment poll();

    /** Requests a segment, to be polled now or later; none comes when there is no room. */
    void want();
  }

  /** An empty store. */
  public BlockColdStore(SegmentSource source) {
    this(source, BLOCK_BYTES);
  }

  /**
   * An empty store.
   *
   * @param blockBytes size of a block, of which each value takes one at least
   */
  public BlockColdStore(SegmentSource source, int blockBytes) {
    this.source = source;
    this.blockBytes = blockBytes;
    this.dataBytes = blockBytes - NEXT_BYTES;
    this.perSegment = source.segmentBytes() / blockBytes;
  }

  @Override
  public long put(byte[] bytes) {
    int needed = blocks(bytes.length);
    if (!room(needed)) {
      return NO_ROOM;
    }
    int first = take();
    at(first).set(ValueLayout.JAVA_INT, offset(first) + NEXT_BYTES, bytes.length);
    int copied = copyIn(bytes, 0, first, LENGTH_BYTES);
    int last = first;
    while (copied < bytes.length) {
      int next = take();
      link(last, next);
      copied += copyIn(bytes, copied, next, 0);
      last = next;
    }
    link(last, END);
    return (long) first << Integer.SIZE | last;
  }

  @Override
  public boolean hasRoom(int bytes) {
    return room(blocks(bytes));
  }

  private int blocks(int length) {
    return Math.max(1, (int) ((length + (long) LENGTH_BYTES + dataBytes - 1) / dataBytes));
  }

  private boolean room(int needed) {
    while (available() < needed) {
      MemorySegment more = source.poll();
      if (more == null) {
        source.want();
        more = source.poll();
      }
      if (more == null) {
        return false;
      }
      segments.add(more);
    }
    if (available() - needed < perSegment / 2) { // the next one is requested ahead
      source.want();
    }
    return true;
  }

  private int available() {
    return free + segments.size() * perSegment - fresh;
  }

  private int take() {
    used.lazySet(used.getPlain() + 1);
    if (firstFree == END) {
      return fresh++;
    }
    int block = firstFree;
    firstFree = next(block);
    free--;
    return block;
  }

  private int copyIn(byte[] bytes, int from, int block, int behind) {
    int length = Math.min(bytes.length - from, dataBytes - behind);
    long offset = offset(block) + NEXT_BYTES + behind;
    MemorySegment.copy(bytes, from, at(block), ValueLayout.JAVA_BYTE, offset, length);
    return length;
  }

  @Override
  public byte[] get(long handle) {
    int block = first(handle);
    byte[] bytes = new byte[length(block)];
    int copied = copyOut(block, LENGTH_BYTES, bytes, 0);
    while (copied < bytes.length) {
      block = next(block);
      copied += copyOut(block, 0, bytes, copied);
    }
    return bytes;
  }

  private int copyOut(int block, int behind, byte[] bytes, int to) {
    int length = Math.min(bytes.length - to, dataBytes - behind);
    long offset = offset(block) + NEXT_BYTES + behind;
    MemorySegment.copy(at(block), ValueLayout.JAVA_BYTE, offset, bytes, to, length);
    return length;
  }

  @Override
  public void free(long handle) {
    int first = first(handle);
    int count = blocks(length(first));
    link((int) handle, firstFree);
    firstFree = first;
    free += count;
    used.lazySet(used.getPlain() - count);
  }

  @Override
  public long usedBytes() {
    return (long) used.get() * blockBytes;
  }

  @Override
  public long freeBytes() {
    return (long) available() * dataBytes;
  }

  private int first(long handle) {
    int first = (int) (handle >>> Integer.SIZE);
    if (handle < 0 || first >= fresh || (int) handle >= fresh || (int) handle < 0) {
      throw new IllegalArgumentException(
          "expected a handle of blocks below " + fresh + ", found " + handle);
    }
    return first;
  }

  private int length(int first) {
    return at(first).get(ValueLayout.JAVA_INT, offset(first) + NEXT_BYTES);
  }

  private int next(int block) {
    return at(block).get(ValueLayout.JAVA_INT, offset(block));
  }

  private void link(int block, int next) {
    at(block).set(ValueLayout.JAVA_INT, offset(block), next);
  }

  private MemorySegment at(int block) {
    return segments.get(block / perSegment);
  }

  private long offset(int block) {
    return (long) (block % perSegment) * blockBytes;
  }
}
