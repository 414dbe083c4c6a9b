package dev.pinion.handlers.remote.protocol;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Writes the parts of a frame; numbers are big-endian. */
final class FrameWriter {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);

  FrameWriter u8(int value) {
    bytes.write(value);
    return this;
  }

  /** One of some constants, by its place. */
  <E extends Enum<E>> FrameWriter constant(E value, List<E> all) {
    return u8(all.indexOf(value));
  }

  FrameWriter i32(int value) {
    bytes.write(value >>> 24);
    bytes.write(value >>> 16);
    bytes.write(value >>> 8);
    bytes.write(value);
    return this;
  }

  FrameWriter i64(long value) {
    return i32((int) (value >>> 32)).i32((int) value);
  }

  FrameWriter uuid(UUID value) {
    return i64(value.getMostSignificantBits()).i64(value.getLeastSignificantBits());
  }

  FrameWriter uuids(List<UUID> values) {
    i32(values.size());
    values.forEach(this::uuid);
    return this;
  }

  FrameWriter blob(byte[] value) {
    i32(value.length);
    bytes.write(value, 0, value.length);
    return this;
  }

  /**
   * A text, without loss.
   *
   * @throws MalformedFrameException when it holds half of a surrogate pair, which UTF-8 does not
   *     allow
   */
  FrameWriter text(String value) throws MalformedFrameException {
    try {
      ByteBuffer encoded = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(value));
      i32(encoded.remaining());
      bytes.write(encoded.array(), encoded.arrayOffset(), encoded.remaining());
      return this;
    } catch (CharacterCodingException e) {
      throw new MalformedFrameException(
          "expected text that UTF-8 can write, found half a character", e);
    }
  }

  FrameWriter optional(@Nullable String value) throws MalformedFrameException {
    return value == null ? u8(0) : u8(1).text(value);
  }

  /** The frame, with its length filled in. */
  byte[] frame() {
    byte[] frame = bytes.toByteArray();
    ByteBuffer.wrap(frame).putInt(FrameCodec.LENGTH_AT, frame.length);
    return frame;
  }
}
