package dev.pinion.core.request;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import org.jspecify.annotations.Nullable;

/** The body of one request while it arrives in parts. */
final class BodyBuffer {
  private static final int FIRST = 4 << 10;

  private final BufferBudget budget;
  private @Nullable ByteBuf bytes;

  BodyBuffer(BufferBudget budget) {
    this.budget = budget;
  }

  int length() {
    return bytes == null ? 0 : bytes.writerIndex();
  }

  /** Appends a part by copying it, unless the budget of all connections is spent. */
  boolean append(ByteBufAllocator allocator, ByteBuf part) {
    if (!budget.take(part.readableBytes())) {
      return false;
    }
    ByteBuf into = bytes;
    if (into == null) {
      into = allocator.heapBuffer(Math.max(FIRST, part.readableBytes()));
      bytes = into;
    }
    into.writeBytes(part);
    return true;
  }

  /** What has arrived; valid until {@link #clear}. */
  ByteBuf content() {
    return bytes == null ? Unpooled.EMPTY_BUFFER : bytes;
  }

  /** Forgets the body and returns its bytes to the budget. */
  void clear() {
    ByteBuf done = bytes;
    if (done != null) {
      bytes = null;
      budget.giveBack(done.writerIndex());
      done.release();
    }
  }
}
