package dev.pinion.core.journal;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Entry of a log before states that came from another one: one moment on both clocks.
 *
 * @param nowNanos monotonic time, on the scale of the log's latest opening
 * @param epochMillis wall-clock time
 */
public record TransferHeader(long nowNanos, long epochMillis) {
  private static final int BYTES = 2 * Long.BYTES;

  public ByteBuffer encode() {
    return ByteBuffer.allocate(BYTES).putLong(nowNanos).putLong(epochMillis).flip();
  }

  /**
   * Reads the output of {@link #encode}.
   *
   * @throws IOException when it is something else
   */
  public static TransferHeader decode(ByteBuffer bytes) throws IOException {
    if (bytes.remaining() != BYTES) {
      throw new IOException(
          "expected " + BYTES + " bytes before states that moved, found " + bytes.remaining());
    }
    int at = bytes.position();
    return new TransferHeader(bytes.getLong(at), bytes.getLong(at + Long.BYTES));
  }
}
