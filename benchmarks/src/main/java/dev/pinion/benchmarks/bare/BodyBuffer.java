package dev.pinion.benchmarks.bare;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;

/**
 * The body of one message at a time, put together in an array that is used again for the next one.
 * Jackson reads from arrays, so this copy is the only one.
 */
public final class BodyBuffer {
  /** The largest body, in bytes. */
  static final int MAX_BYTES = 1 << 20;

  private byte[] bytes = new byte[512];
  private int length;

  void clear() {
    length = 0;
  }

  /**
   * Appends what is readable.
   *
   * @return false when the body would become larger than {@link #MAX_BYTES}; nothing is kept then
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

  /** The array; what follows the length is of no meaning. */
  public byte[] bytes() {
    return bytes;
  }

  /** Bytes of the message. */
  public int length() {
    return length;
  }
}
