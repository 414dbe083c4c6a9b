package dev.pinion.core.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import org.jspecify.annotations.Nullable;

/** The body of one request while it arrives in parts. */
final class RequestBodyBuffer {
  private static final int FIRST = 4 << 10;

  /**
   * Bodies up to this size are kept in pooled memory; larger ones are left to the garbage
   * collector, so that a pool does not grow to the largest bodies ever sent.
   */
  private static final int MAX_POOLED = 64 << 10;

  private final BufferBudget budget;
  private @Nullable ByteBuf bytes;

  RequestBodyBuffer(BufferBudget budget) {
    this.budget = budget;
  }

  int length() {
    return bytes == null ? 0 : bytes.writerIndex();
  }

  /** Appends a part by copying it, unless the budget of all connections is spent. */
  boolean append(ByteBufAllocator allocator, ByteBuf part) {
    if (!budget.reserve(part.readableBytes())) {
      return false;
    }
    ByteBuf into = withRoom(allocator, length() + part.readableBytes());
    into.writeBytes(part);
    bytes = into;
    return true;
  }

  private ByteBuf withRoom(ByteBufAllocator allocator, int size) {
    ByteBuf held = bytes;
    if (held == null) {
      int first = Math.max(FIRST, size);
      return first > MAX_POOLED ? Unpooled.buffer(first) : allocator.heapBuffer(first);
    }
    if (held.writerIndex() > MAX_POOLED || size <= MAX_POOLED) {
      return held;
    }
    ByteBuf larger = Unpooled.buffer(2 * size).writeBytes(held, 0, held.writerIndex());
    held.release();
    return larger;
  }

  /** The bytes received so far; valid until {@link #clear}. */
  ByteBuf content() {
    return bytes == null ? Unpooled.EMPTY_BUFFER : bytes;
  }

  /** Drops the body and returns its bytes to the budget. */
  void clear() {
    ByteBuf done = bytes;
    if (done != null) {
      bytes = null;
      budget.release(done.writerIndex());
      done.release();
    }
  }
}
