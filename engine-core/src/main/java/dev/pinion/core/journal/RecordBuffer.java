package dev.pinion.core.journal;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Bytes of one record; grows, and is reused for the next one. */
final class RecordBuffer {
  private static final int FIRST_BYTES = 1 << 10;
  private static final int MAX_KEPT_BYTES = 1 << 20;
  private static final int ABSENT = -1;

  private byte[] bytes = new byte[FIRST_BYTES];
  private int size;

  /** Discards the content. */
  void clear() {
    size = 0;
    if (bytes.length > MAX_KEPT_BYTES) {
      bytes = new byte[FIRST_BYTES];
    }
  }

  /** The written bytes; valid until the next change. */
  ByteBuffer written() {
    return ByteBuffer.wrap(bytes, 0, size);
  }

  void put(byte value) {
    room(1);
    bytes[size++] = value;
  }

  private void put(byte[] source) {
    room(source.length);
    System.arraycopy(source, 0, bytes, size, source.length);
    size += source.length;
  }

  void putInt(int value) {
    room(Integer.BYTES);
    bytes[size++] = (byte) (value >>> 24);
    bytes[size++] = (byte) (value >>> 16);
    bytes[size++] = (byte) (value >>> 8);
    bytes[size++] = (byte) value;
  }

  void putLong(long value) {
    putInt((int) (value >>> 32));
    putInt((int) value);
  }

  /** Writes a text after its length in bytes, or a length of -1. */
  void putText(@Nullable String text) {
    if (text == null) {
      putInt(ABSENT);
      return;
    }
    putBytes(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Writes bytes after their number. */
  void putBytes(byte[] source) {
    putInt(source.length);
    put(source);
  }

  /** Reads a text of {@link #putText}. */
  static @Nullable String text(ByteBuffer from) {
    int length = from.getInt();
    if (length == ABSENT) {
      return null;
    }
    if (length < 0 || length > from.remaining()) {
      throw new IllegalArgumentException(
          "expected a text of at most " + from.remaining() + " bytes, found " + length);
    }
    byte[] encoded = new byte[length];
    from.get(encoded);
    return new String(encoded, StandardCharsets.UTF_8);
  }

  private void room(int more) {
    if (bytes.length - size < more) {
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, Math.addExact(size, more)));
    }
  }
}
