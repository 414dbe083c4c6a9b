package dev.pinion.core.invoker.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;

/** Counts the bytes that a connection passes to TCP, after encryption by TLS. */
final class SentBytes extends ChannelOutboundHandlerAdapter {
  private long count;

  /** Bytes so far. */
  long count() {
    return count;
  }

  @Override
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
    count += ((ByteBuf) message).readableBytes();
    ChannelFuture _ = context.write(message, promise);
  }
}
