package dev.pinion.core.program;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** One output of a program, read by a thread of its own and kept up to a bound. */
final class OutputCapture implements Runnable {
  private static final int BUFFER_BYTES = 8_192;

  private final InputStream stream;
  private final int most;
  private final Runnable onExcess;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private boolean exceeded;

  /**
   * A capture.
   *
   * @param most bytes to keep
   * @param onExcess called once when there are more, on the reading thread
   */
  OutputCapture(InputStream stream, int most, Runnable onExcess) {
    this.stream = stream;
    this.most = most;
    this.onExcess = onExcess;
  }

  @Override
  public void run() {
    byte[] buffer = new byte[BUFFER_BYTES];
    try (stream) {
      for (int read = stream.read(buffer); read >= 0; read = stream.read(buffer)) {
        if (!keep(buffer, read)) {
          onExcess.run();
          return;
        }
      }
    } catch (IOException e) {
      // closed, because the program was killed: what it wrote before counts
    }
  }

  private synchronized boolean keep(byte[] buffer, int read) {
    int room = most - bytes.size();
    bytes.write(buffer, 0, Math.min(room, read));
    exceeded = read > room;
    return !exceeded;
  }

  /** Whether the program wrote more than is kept. */
  synchronized boolean exceeded() {
    return exceeded;
  }

  /** What is kept, as text; bytes that are not UTF-8 are replaced. */
  synchronized String text() {
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
