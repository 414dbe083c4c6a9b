package dev.pinion.bootstrap.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/**
 * Forwards the log of a replica and keeps its last lines.
 *
 * <p>Each copied chunk ends with a whole line, so that lines of several replicas do not mix; only a
 * line longer than {@link #BUFFER_BYTES} is cut. One thread copies, any thread may read.
 */
final class LogForwarder {
  /** Most lines kept. */
  static final int MAX_LINES = 200;

  /** Most bytes kept of a line. */
  static final int MAX_LINE_BYTES = 2_048;

  /** Bytes read at once. */
  static final int BUFFER_BYTES = 16_384;

  private final InputStream from;
  private final OutputStream to;
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private final Deque<byte[]> last = new ArrayDeque<>(MAX_LINES);

  LogForwarder(InputStream from, OutputStream to) {
    this.from = from;
    this.to = to;
  }

  /** Copies until the end of the log. */
  void run() {
    int filled = 0;
    try (InputStream log = from) {
      int count = log.read(buffer);
      while (count > 0) {
        filled += count;
        int whole = wholeLines(filled);
        forward(whole);
        System.arraycopy(buffer, whole, buffer, 0, filled - whole);
        filled -= whole;
        count = log.read(buffer, filled, BUFFER_BYTES - filled);
      }
      forward(filled);
    } catch (IOException e) {
      // The pipe breaks when the process is killed; its end is reported elsewhere.
    }
  }

  /** The last lines, in order of time. */
  synchronized List<String> lastLines() {
    return last.stream().map(line -> new String(line, StandardCharsets.UTF_8)).toList();
  }

  /** Bytes up to the end of the last whole line; all of them when no line ends in a full buffer. */
  private int wholeLines(int filled) {
    for (int i = filled; i > 0; i--) {
      if (buffer[i - 1] == '\n') {
        return i;
      }
    }
    return filled == BUFFER_BYTES ? filled : 0;
  }

  private void forward(int length) throws IOException {
    if (length == 0) {
      return;
    }
    keep(length);
    to.write(buffer, 0, length);
    to.flush();
  }

  private synchronized void keep(int length) {
    int start = 0;
    for (int i = 0; i < length; i++) {
      if (buffer[i] == '\n' || i == length - 1) {
        int end = buffer[i] == '\n' ? i : i + 1;
        if (last.size() == MAX_LINES) {
          last.removeFirst();
        }
        last.addLast(Arrays.copyOfRange(buffer, start, Math.min(end, start + MAX_LINE_BYTES)));
        start = i + 1;
      }
    }
  }
}
