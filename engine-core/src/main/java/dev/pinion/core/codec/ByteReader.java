package dev.pinion.core.codec;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Reader of the output of {@link ByteWriter}, in the same order. Invalid bytes cause an {@link
 * IllegalArgumentException} with their position.
 */
public final class ByteReader {
  private static final int LONGEST_NUMBER_BITS = 63;

  private final byte[] bytes;
  private int position;

  /** A reader of an array, from its beginning; the array must not change. */
  public ByteReader(byte[] bytes) {
    this.bytes = bytes;
  }

  /** Eight bits. */
  public byte getByte() {
    need(1);
    return bytes[position++];
  }

  /** Whether there are bytes left. */
  public boolean hasMore() {
    return position < bytes.length;
  }

  /** True or false. */
  public boolean getFlag() {
    return getByte() != 0;
  }

  /** Reads a number of {@link ByteWriter#putNumber}. */
  public long getNumber() {
    long value = getUnsigned();
    return (value >>> 1) ^ -(value & 1);
  }

  /** A number that fits an int. */
  public int getInt() {
    long value = getNumber();
    if (value != (int) value) {
      throw new IllegalArgumentException(
          "expected a number of 32 bits before byte " + position + ", found " + value);
    }
    return (int) value;
  }

  /** Reads a count of {@link ByteWriter#putCount}. */
  public int getCount() {
    long value = getUnsigned();
    if (value < 0 || value > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "expected a number from 0 before byte " + position + ", found " + value);
    }
    return (int) value;
  }

  /** A count of elements that take a byte or more each: at most the number of remaining bytes. */
  public int getSize() {
    int size = getCount();
    need(size);
    return size;
  }

  private long getUnsigned() {
    long value = 0;
    for (int shift = 0; shift <= LONGEST_NUMBER_BITS; shift += 7) {
      byte next = getByte();
      value |= (long) (next & 0x7f) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw new IllegalArgumentException(
        "expected the end of a number before byte " + position + ", found more of it");
  }

  /** Sixty-four bits. */
  public long getLong() {
    long value = 0;
    for (int i = 0; i < Long.BYTES; i++) {
      value = value << 8 | (getByte() & 0xff);
    }
    return value;
  }

  /** Bytes after their number. */
  public byte[] getBytes() {
    int length = getSize();
    byte[] result = new byte[length];
    System.arraycopy(bytes, position, result, 0, length);
    position += length;
    return result;
  }

  /** A text, or null. */
  public @Nullable String getText() {
    byte form = getByte();
    return switch (form) {
      case ByteWriter.ABSENT -> null;
      case ByteWriter.IN_UTF_8 -> text(StandardCharsets.UTF_8);
      case ByteWriter.IN_UTF_16 -> text(StandardCharsets.UTF_16BE);
      default ->
          throw new IllegalArgumentException(
              "expected a text before byte " + position + ", found one in the form " + form);
    };
  }

  private String text(Charset charset) {
    int length = getSize();
    String text =
        charset.equals(StandardCharsets.UTF_16BE)
            ? halves(length)
            : new String(bytes, position, length, charset);
    position += length;
    return text;
  }

  /** Sixteen bits a character: a decoder would replace halves of pairs. */
  private String halves(int length) {
    char[] text = new char[length / 2];
    for (int i = 0; i < text.length; i++) {
      int at = position + 2 * i;
      text[i] = (char) ((bytes[at] & 0xff) << 8 | (bytes[at + 1] & 0xff));
    }
    return new String(text);
  }

  /** A text that must not be null. */
  public String getPresentText() {
    String text = getText();
    if (text == null) {
      throw new IllegalArgumentException(
          "expected a text before byte " + position + ", found none");
    }
    return text;
  }

  /** Checks that everything was read. */
  public void expectEnd() {
    if (position != bytes.length) {
      throw new IllegalArgumentException(
          "expected the end at byte "
              + position
              + ", found "
              + (bytes.length - position)
              + " more");
    }
  }

  private void need(int more) {
    if (more > bytes.length - position) {
      throw new IllegalArgumentException(
          "expected "
              + more
              + " more bytes at byte "
              + position
              + ", found the end of all "
              + bytes.length);
    }
  }
}
