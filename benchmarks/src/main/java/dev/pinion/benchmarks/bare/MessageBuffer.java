package dev.pinion.benchmarks.bare;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;

/**
 * Body of one message at a time, collected in an array that is reused for the next one. Jackson
 * reads from arrays, so this copy is the only one.
 */
public final class MessageBuffer {
  /** The largest body, in bytes. */
  static final int MAX_BYTES = 1 << 20;

  private byte[] bytes = new byte[512];
  private int length;

  void clear() {
    length = 0;
  }

  /**
   * Appends the readable bytes.
   *
   * @return false when the body would become larger than {@link #MAX_BYTES}; nothing is appended
   *     then
   */
  boolean append(ByteBuf part) {
    int added = part.readableBytes();
    if (length + added > MAX_BYTES) {
      return false;
    }
    if (length + added > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(length + added, 2 * bytes.length));
    }
    part.readBytes(bytes, length, added);
    length += added;
    return true;
  }

  /** The array; bytes after the length have no meaning. */
  public byte[] bytes() {
    return bytes;
  }

  /** Length of the message in bytes. */
  public int length() {
    return length;
  }
}
