package dev.pinion.handlers.remote.protocol;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reads the values of a frame of version 1, which servers and tables of effects may still store;
 * makes nothing larger than the frame.
 */
final class Version1Reader implements FrameInput {
  private final ByteBuffer bytes;
  private final int maxTextBytes;

  Version1Reader(ByteBuffer content, int maxTextBytes) {
    this.bytes = content;
    this.maxTextBytes = maxTextBytes;
  }

  @Override
  public int u8() throws MalformedFrameException {
    need(1);
    return Byte.toUnsignedInt(bytes.get());
  }

  @Override
  public boolean flag() throws MalformedFrameException {
    int value = u8();
    if (value > 1) {
      throw new MalformedFrameException("expected 0 or 1 " + at() + ", found " + value);
    }
    return value == 1;
  }

  @Override
  public int i32() throws MalformedFrameException {
    need(Integer.BYTES);
    return bytes.getInt();
  }

  @Override
  public long i64() throws MalformedFrameException {
    need(Long.BYTES);
    return bytes.getLong();
  }

  @Override
  public UUID uuid() throws MalformedFrameException {
    return new UUID(i64(), i64());
  }

  @Override
  public int count(int most) throws MalformedFrameException {
    int count = i32();
    if (count < 0 || count > most || count > bytes.remaining()) {
      throw new MalformedFrameException(
          "expected a number from 0 to "
              + Math.min(most, bytes.remaining())
              + " "
              + at()
              + ", found "
              + count);
    }
    return count;
  }

  @Override
  public byte[] blob() throws MalformedFrameException {
    byte[] blob = new byte[count(Integer.MAX_VALUE)];
    bytes.get(blob);
    return blob;
  }

  @Override
  public String text() throws MalformedFrameException {
    int length = count(maxTextBytes);
    ByteBuffer encoded = bytes.slice(bytes.position(), length);
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(encoded).toString();
      bytes.position(bytes.position() + length);
      return text;
    } catch (CharacterCodingException e) {
      throw new MalformedFrameException("expected UTF-8 " + at() + ", found something else", e);
    }
  }

  @Override
  public @Nullable String optional() throws MalformedFrameException {
    return flag() ? text() : null;
  }

  @Override
  public void end() throws MalformedFrameException {
    if (bytes.hasRemaining()) {
      throw new MalformedFrameException(
          "expected the end of the frame " + at() + ", found " + bytes.remaining() + " bytes more");
    }
  }

  private void need(int count) throws MalformedFrameException {
    if (bytes.remaining() < count) {
      throw new MalformedFrameException(
          "expected " + count + " bytes " + at() + ", found " + bytes.remaining());
    }
  }

  @Override
  public String at() {
    return "at byte " + bytes.position();
  }
}
