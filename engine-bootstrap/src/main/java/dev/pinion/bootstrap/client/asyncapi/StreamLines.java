package dev.pinion.bootstrap.client.asyncapi;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** Lines of a stream of bytes, each within a bound. Ends of lines are LF, CR and CR LF. */
final class StreamLines {
  private static final int END = -1;
  private static final int RECORD_SEPARATOR = 0x1e;

  private final InputStream in;
  private final int maxBytes;
  private boolean afterReturn;

  StreamLines(InputStream in, int maxBytes) {
    this.in = new BufferedInputStream(in);
    this.maxBytes = maxBytes;
  }

  /**
   * The next line without its end, or null when there is none; waits for it. A last line without an
   * end counts. Separators of JSON text sequences (RFC 7464) are left out.
   */
  byte @Nullable [] next() throws IOException, MessageFailure {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    while (true) {
      int next = in.read();
      if (next == END) {
        return line.size() == 0 ? null : line.toByteArray();
      }
      boolean ofLastEnd = afterReturn && next == '\n';
      afterReturn = next == '\r';
      if (ofLastEnd) {
        continue;
      }
      if (next == '\n' || next == '\r') {
        return line.toByteArray();
      }
      if (next != RECORD_SEPARATOR) {
        line.write(next);
      }
      if (line.size() > maxBytes) {
        throw HttpStream.tooLong(maxBytes);
      }
    }
  }
}
