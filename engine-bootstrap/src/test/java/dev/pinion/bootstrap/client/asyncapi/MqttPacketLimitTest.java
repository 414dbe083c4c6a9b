package dev.pinion.bootstrap.client.asyncapi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.TooLongFrameException;
import org.junit.jupiter.api.Test;

/** Packets of MQTT are passed on as a whole, within a bound. */
class MqttPacketLimitTest {
  private static final int MAX_BYTES = 300;

  private final EmbeddedChannel channel = new EmbeddedChannel(new MqttPacketLimit(MAX_BYTES));

  /** A packet of zeros with a length in one byte or two. */
  private static ByteBuf packet(int remaining) {
    ByteBuf packet = Unpooled.buffer().writeByte(0x30);
    if (remaining < 128) {
      packet.writeByte(remaining);
    } else {
      packet.writeByte((remaining % 128) | 0x80).writeByte(remaining / 128);
    }
    return packet.writeZero(remaining);
  }

  private void assertPassed(int bytes) {
    ByteBuf passed = channel.readInbound();
    assertEquals(bytes, passed.readableBytes());
    passed.release();
  }

  @Test
  void shouldPassPacketsOneByOne() {
    assertTrue(channel.writeInbound(Unpooled.wrappedBuffer(packet(0), packet(5), packet(200))));

    assertPassed(2);
    assertPassed(7);
    assertPassed(203);
    assertFalse(channel.finish());
  }

  @Test
  void shouldWaitForTheRestOfAPacket() {
    ByteBuf packet = packet(200);
    while (packet.readableBytes() > 1) {
      assertFalse(channel.writeInbound(packet.readRetainedSlice(1)));
      assertNull(channel.readInbound());
    }
    assertTrue(channel.writeInbound(packet));
    assertPassed(203);
    assertFalse(channel.finish());
  }

  @Test
  void shouldRefuseALongPacketBeforeItHasCome() {
    assertTrue(channel.writeInbound(packet(MAX_BYTES - 3)));
    assertPassed(MAX_BYTES);

    ByteBuf head = packet(MAX_BYTES - 2).writerIndex(3);
    assertThrows(TooLongFrameException.class, () -> channel.writeInbound(head));
  }

  @Test
  void shouldRefuseALengthThatIsNone() {
    ByteBuf packet = Unpooled.wrappedBuffer(new byte[] {0x30, -1, -1, -1, -1, 1});
    assertThrows(TooLongFrameException.class, () -> channel.writeInbound(packet));
  }
}
