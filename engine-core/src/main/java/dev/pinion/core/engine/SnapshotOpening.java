package dev.pinion.core.engine;

import dev.pinion.core.model.ByteReader;
import dev.pinion.core.model.ByteWriter;
import dev.pinion.core.model.PayloadCodec;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The first entry of a snapshot: what its times count from, and the opening of the journal under
 * which its kernels worked.
 *
 * @param epoch of the records then
 * @param nowNanos monotonic time at which it was begun
 * @param epochMillis wall-clock time at the same moment
 * @param opening the opening then
 */
record SnapshotOpening(int epoch, long nowNanos, long epochMillis, Opening opening) {
  private static final int FORM = 1;

  byte[] encode(PayloadCodec codec) {
    ByteWriter out = new ByteWriter();
    out.putCount(FORM);
    out.putNumber(epoch);
    out.putNumber(nowNanos);
    out.putNumber(epochMillis);
    out.putBytes(opening.encode(codec).array());
    return out.toBytes();
  }

  /**
   * Reads what {@link #encode} wrote.
   *
   * @throws IOException when it is something else
   */
  static SnapshotOpening decode(PayloadCodec codec, byte[] bytes) throws IOException {
    try {
      ByteReader in = new ByteReader(bytes);
      int form = in.getCount();
      if (form != FORM) {
        throw new IOException(
            "expected a snapshot in form "
                + FORM
                + ", found form "
                + form
                + ": start the version of the engine that wrote it");
      }
      return new SnapshotOpening(
          in.getInt(),
          in.getNumber(),
          in.getNumber(),
          Opening.decode(codec, ByteBuffer.wrap(in.getBytes())));
    } catch (IllegalArgumentException e) {
      throw new IOException("expected the first entry of a snapshot: " + e.getMessage(), e);
    }
  }
}
