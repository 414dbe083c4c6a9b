package dev.pinion.core.journal.disk;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Search for bytes that are not zero, and writer of zeros. */
public final class ZeroFill {
  private static final int CHUNK = 256 << 10;
  private static final ByteBuffer ZEROS = ByteBuffer.allocateDirect(CHUNK).asReadOnlyBuffer();

  private ZeroFill() {}

  /** Offset of the last byte that is not zero, or -1 when all are. */
  public static long lastNonZero(StorageFile file, long from, long to) throws IOException {
    ByteBuffer chunk = ByteBuffer.allocateDirect((int) Math.max(0, Math.min(CHUNK, to - from)));
    long last = -1;
    for (long offset = from; offset < to; offset += CHUNK) {
      int bytes = (int) Math.min(CHUNK, to - offset);
      int read = file.read(chunk.clear().limit(bytes), offset);
      chunk.position(0).limit(read);
      if (chunk.mismatch(ZEROS.slice(0, read)) >= 0) {
        last = offset + lastNonZero(chunk, read);
      }
    }
    return last;
  }

  private static int lastNonZero(ByteBuffer chunk, int read) {
    int at = read - 1;
    while (chunk.get(at) == 0) {
      at--;
    }
    return at;
  }

  /** Writes zeros over a part of a file. */
  public static void write(StorageFile file, long from, long to) throws IOException {
    for (long offset = from; offset < to; offset += CHUNK) {
      file.write(ZEROS.slice(0, (int) Math.min(CHUNK, to - offset)), offset);
    }
  }
}
