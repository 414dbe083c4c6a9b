package dev.pinion.bootstrap.replica;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Carries the log of a replica to its parent without ever making the replica wait: a parent that
 * stands still lets the pipe fill, and what does not fit any more is dropped and counted.
 */
final class LogPipe extends OutputStream {
  /** Bytes that may wait. */
  static final int MAX_BYTES = 1 << 20;

  private final OutputStream to;
  private final Thread thread = new Thread(this::carry, "log");
  private final Deque<byte[]> waiting = new ArrayDeque<>();
  private int waitingBytes;
  private long droppedBytes;
  private boolean ended;

  private LogPipe(OutputStream to) {
    this.to = to;
  }

  /** Carries what is written to an output, which may block for as long as it likes. */
  static LogPipe to(OutputStream to) {
    LogPipe pipe = new LogPipe(to);
    pipe.thread.setDaemon(true);
    pipe.thread.start();
    return pipe;
  }

  @Override
  public void write(int b) {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public synchronized void write(byte[] bytes, int offset, int length) {
    if (waitingBytes + length > MAX_BYTES) {
      droppedBytes += length;
      return;
    }
    if (droppedBytes > 0) {
      String gap = "... " + droppedBytes + " bytes of the log were dropped ...\n";
      droppedBytes = 0;
      add(gap.getBytes(StandardCharsets.US_ASCII));
    }
    add(Arrays.copyOfRange(bytes, offset, offset + length));
  }

  private void add(byte[] chunk) {
    waiting.addLast(chunk);
    waitingBytes += chunk.length;
    notifyAll();
  }

  /**
   * Ends the pipe once all that waits is carried.
   *
   * @param atMost waits no longer than this
   */
  void end(Duration atMost) throws InterruptedException {
    synchronized (this) {
      ended = true;
      notifyAll();
    }
    thread.join(atMost);
  }

  private void carry() {
    try {
      for (byte[] chunk = next(); chunk != null; chunk = next()) {
        to.write(chunk);
        to.flush();
      }
    } catch (IOException | InterruptedException e) {
      // The parent is gone, which the end of standard input tells too.
    }
  }

  private synchronized byte @Nullable [] next() throws InterruptedException {
    while (waiting.isEmpty()) {
      if (ended) {
        return null;
      }
      wait();
    }
    byte[] chunk = waiting.removeFirst();
    waitingBytes -= chunk.length;
    return chunk;
  }
}
