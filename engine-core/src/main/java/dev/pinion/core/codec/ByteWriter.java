package dev.pinion.core.codec;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Compact writer of numbers and texts, for {@link ByteReader}. Grows as needed; not for concurrent
 * use.
 */
public final class ByteWriter {
  static final int ABSENT = 0;
  static final int IN_UTF_8 = 1;
  static final int IN_UTF_16 = 2;

  private static final int FIRST_BYTES = 256;
  private static final int MAX_KEPT_BYTES = 1 << 20;

  private byte[] bytes = new byte[FIRST_BYTES];
  private int size;

  /** Discards everything written. */
  public void clear() {
    size = 0;
    if (bytes.length > MAX_KEPT_BYTES) {
      bytes = new byte[FIRST_BYTES];
    }
  }

  /** Bytes written so far. */
  public int size() {
    return size;
  }

  /** A copy of the written bytes. */
  public byte[] toBytes() {
    return Arrays.copyOf(bytes, size);
  }

  /** Eight bits. */
  public void putByte(int value) {
    room(1);
    bytes[size++] = (byte) value;
  }

  /** True or false. */
  public void putFlag(boolean value) {
    putByte(value ? 1 : 0);
  }

  /** A number; the closer to zero, the fewer bytes. */
  public void putNumber(long value) {
    putUnsigned((value << 1) ^ (value >> 63));
  }

  /** A number that is not negative; the smaller, the fewer bytes. */
  public void putCount(int value) {
    if (value < 0) {
      throw new IllegalArgumentException("expected a number from 0, found " + value);
    }
    putUnsigned(value);
  }

  private void putUnsigned(long value) {
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      putByte((int) (rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    putByte((int) rest);
  }

  /** Sixty-four bits. */
  public void putLong(long value) {
    for (int shift = 56; shift >= 0; shift -= 8) {
      putByte((int) (value >>> shift));
    }
  }

  /** Bytes after their number. */
  public void putBytes(byte[] source) {
    putCount(source.length);
    room(source.length);
    System.arraycopy(source, 0, bytes, size, source.length);
    size += source.length;
  }

  /** A text or null; also one with half of a surrogate pair, which UTF-8 cannot hold. */
  public void putText(@Nullable String text) {
    if (text == null) {
      putByte(ABSENT);
    } else if (hasHalfPairs(text)) {
      putByte(IN_UTF_16);
      putHalves(text);
    } else {
      putByte(IN_UTF_8);
      putBytes(text.getBytes(StandardCharsets.UTF_8));
    }
  }

  /** Sixteen bits a character: an encoder would replace halves of pairs. */
  private void putHalves(String text) {
    putCount(Math.multiplyExact(text.length(), 2));
    for (int i = 0; i < text.length(); i++) {
      putByte(text.charAt(i) >>> 8);
      putByte(text.charAt(i));
    }
  }

  private static boolean hasHalfPairs(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        if (i + 1 == text.length()
            || !Character.isSurrogatePair(text.charAt(i), text.charAt(++i))) {
          return true;
        }
      }
    }
    return false;
  }

  private void room(int more) {
    if (bytes.length - size < more) {
      int needed = Math.addExact(size, more);
      bytes = Arrays.copyOf(bytes, Math.max((int) Math.min(bytes.length * 2L, 1 << 30), needed));
    }
  }
}
