package dev.pinion.bootstrap.client.asyncapi;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.TooLongFrameException;
import java.util.List;

/** Passes whole packets on, each within a bound, so that a server cannot fill the memory. */
final class MqttPacketLimit extends ByteToMessageDecoder {
  private static final int MAX_LENGTH_BYTES = 4;
  private static final int MORE = 0x80;
  private static final int BITS = 7;

  private final int maxBytes;

  MqttPacketLimit(int maxBytes) {
    this.maxBytes = maxBytes;
  }

  @Override
  protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
    int remaining = 0;
    for (int i = 0; i < MAX_LENGTH_BYTES; i++) {
      if (in.readableBytes() < i + 2) {
        return;
      }
      int part = in.getUnsignedByte(in.readerIndex() + 1 + i);
      remaining |= (part & ~MORE) << (BITS * i);
      if ((part & MORE) == 0) {
        pass(in, 2 + i + remaining, out);
        return;
      }
    }
    throw new TooLongFrameException("expected a packet of MQTT, found another length than it has");
  }

  private void pass(ByteBuf in, int length, List<Object> out) {
    if (length > maxBytes) {
      throw new TooLongFrameException(
          "expected packets of at most " + maxBytes + " bytes (messages.maxBytes), found a longer");
    }
    if (in.readableBytes() >= length) {
      out.add(in.readRetainedSlice(length));
    }
  }
}
