package dev.pinion.core.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;

/**
 * What one connection sends: flushed once in a duty cycle, or at once when it is large. Counts the
 * bytes that wait for the client. Event loop only.
 */
// A failed write reaches exceptionCaught or closes the channel.
@SuppressWarnings("FutureReturnValueIgnored")
final class ConnectionOutput {
  /** Size from which an answer is flushed at once, so that many in one cycle keep to the bound. */
  private static final int LARGE_ANSWER_BYTES = 64 << 10;

  private final UnsentBytes unsentBytes;
  private final ClientConnection connection;

  @SuppressWarnings("NullAway.Init") // set by attach, which comes before every other call
  private ChannelHandlerContext context;

  private boolean unflushed;
  private long counted;

  ConnectionOutput(UnsentBytes unsentBytes, ClientConnection connection) {
    this.unsentBytes = unsentBytes;
    this.connection = connection;
  }

  /** Sets the context to write to. */
  void attach(ChannelHandlerContext handlerContext) {
    context = handlerContext;
  }

  void write(ByteBuf bytes) {
    context.write(bytes, context.voidPromise());
    unflushed = true;
  }

  /** Writes the last answer; returns the future of its end. */
  ChannelFuture writeLast(ByteBuf bytes) {
    unflushed = true;
    return context.write(bytes);
  }

  /** Flushes at once if an answer is large; returns whether it is. */
  boolean flushIfLarge(int length) {
    if (length < LARGE_ANSWER_BYTES) {
      return false;
    }
    unflushed = false;
    context.flush();
    return true;
  }

  /** Flushes the writes of this duty cycle. */
  void flush() {
    if (unflushed) {
      unflushed = false;
      context.flush();
    }
  }

  /** Bytes not yet taken by the operating system: they shrink while a client reads. */
  long waitingBytes() {
    ChannelOutboundBuffer buffer = context.channel().unsafe().outboundBuffer();
    return buffer == null ? 0 : buffer.totalPendingWriteBytes() - buffer.currentProgress();
  }

  /** Counts the bytes that wait now; returns them. */
  long count() {
    long now = waitingBytes();
    if (now != 0 || counted != 0) {
      unsentBytes.changed(connection, counted, now);
      counted = now;
    }
    return now;
  }

  /** Counts no more bytes: the connection has closed. */
  void close() {
    if (counted != 0) {
      unsentBytes.changed(connection, counted, 0);
    }
  }

  /** Whether bytes are counted that wait. */
  boolean isWaiting() {
    return counted != 0;
  }
}
