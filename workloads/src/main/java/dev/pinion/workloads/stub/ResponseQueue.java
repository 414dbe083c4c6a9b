package dev.pinion.workloads.stub;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;

/**
 * Sends the responses of one connection in the order of its requests, each no earlier than its
 * delay after its request. Used on the connection's event loop only, whose timers it uses.
 */
final class ResponseQueue {
  /** Waiting responses from which on the connection is not read. */
  static final int MAX_WAITING = 1_024;

  private final Deque<DelayedResponse> waiting = new ArrayDeque<>();

  /**
   * Adds a response and takes its ownership; without delay it is written at once, to be flushed by
   * the caller.
   */
  void add(ChannelHandlerContext ctx, ByteBuf answer, boolean close, long delayNanos) {
    if (delayNanos == 0 && waiting.isEmpty()) {
      write(ctx, answer, close);
      return;
    }
    DelayedResponse entry = new DelayedResponse(answer, close);
    waiting.add(entry);
    if (delayNanos == 0) {
      entry.due = true;
    } else {
      var _ = ctx.executor().schedule(() -> onDue(ctx, entry), delayNanos, TimeUnit.NANOSECONDS);
    }
  }

  boolean isFull() {
    return waiting.size() >= MAX_WAITING;
  }

  /** Drops waiting responses, because the connection was closed. */
  void clear() {
    waiting.forEach(entry -> entry.answer.release());
    waiting.clear();
  }

  private void onDue(ChannelHandlerContext ctx, DelayedResponse entry) {
    entry.due = true;
    boolean wrote = false;
    for (DelayedResponse first = waiting.peek();
        first != null && first.due;
        first = waiting.peek()) {
      waiting.remove();
      write(ctx, first.answer, first.close);
      wrote = true;
    }
    if (wrote) {
      ctx.flush();
      ctx.channel().config().setAutoRead(!isFull() && ctx.channel().isWritable());
    }
  }

  private static void write(ChannelHandlerContext ctx, ByteBuf answer, boolean close) {
    if (close) {
      ctx.write(answer).addListener(ChannelFutureListener.CLOSE);
    } else {
      var _ = ctx.write(answer, ctx.voidPromise());
    }
  }

  private static final class DelayedResponse {
    private final ByteBuf answer;
    private final boolean close;
    private boolean due;

    private DelayedResponse(ByteBuf answer, boolean close) {
      this.answer = answer;
      this.close = close;
    }
  }
}
