package dev.pinion.bootstrap.process;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A bounded queue of lines between the writers of a log and an output that may block: a stopped
 * terminal, a pipe whose reader stands still. Writing never blocks. Lines beyond {@link #MAX_BYTES}
 * are lost and counted, and a line reports their number as soon as the output accepts lines again.
 * A single write is accepted whatever its size when nothing waits. For any thread.
 */
public final class LogPipe extends OutputStream {
  /** Most bytes that wait; more only if they were written at once. */
  static final int MAX_BYTES = 1 << 20;

  /** Most bytes of a line that is written in pieces; a longer one is cut. */
  static final int MAX_LINE_BYTES = 1 << 16;

  private final OutputStream to;
  private final LongFunction<String> gap;
  private final Thread thread;
  private final Deque<byte[]> waiting = new ArrayDeque<>();
  private final ByteArrayOutputStream begun = new ByteArrayOutputStream();
  private int waitingBytes;
  private long untold;
  private long lost;

  /** Whether the beginning of a line was lost whose rest is still to come. */
  private boolean inLostLine;

  /** Whether the end of the last accepted line is missing. */
  private boolean inTakenLine;

  private boolean ended;

  private LogPipe(String name, OutputStream to, LongFunction<String> gap) {
    this.to = to;
    this.gap = gap;
    this.thread = Thread.ofPlatform().name(name).daemon().unstarted(this::carry);
  }

  /**
   * A pipe and its thread.
   *
   * @param name name of the thread
   * @param to the output; may block for any time
   * @param gap the line, without its line end, that reports the number of lost lines
   */
  public static LogPipe to(String name, OutputStream to, LongFunction<String> gap) {
    LogPipe pipe = new LogPipe(name, to, gap);
    pipe.thread.start();
    return pipe;
  }

  /** Lines lost so far. */
  public synchronized long lostLines() {
    return lost;
  }

  @Override
  public void write(int b) {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public synchronized void write(byte[] bytes, int offset, int length) {
    int end = offset + length;
    while (end > offset && bytes[end - 1] != '\n') {
      end--;
    }
    if (end > offset) {
      begun.write(bytes, offset, end - offset);
      offerBegun();
    }
    begun.write(bytes, end, offset + length - end);
    if (begun.size() > MAX_LINE_BYTES) {
      offerBegun();
    }
  }

  private void offerBegun() {
    byte[] chunk = withoutRestOfLostLine(begun.toByteArray());
    begun.reset();
    if (chunk.length == 0) {
      return;
    }
    if (waitingBytes > 0 && waitingBytes + chunk.length > MAX_BYTES) {
      inLostLine = chunk[chunk.length - 1] != '\n';
      long lines = lines(chunk) + (inLostLine ? 1 : 0);
      untold += lines;
      lost += lines;
      return;
    }
    if (untold > 0) {
      add(told());
    }
    add(chunk);
    inTakenLine = chunk[chunk.length - 1] != '\n';
  }

  /** The rest of a line whose beginning was lost is lost with it; the line is counted already. */
  private byte[] withoutRestOfLostLine(byte[] chunk) {
    if (!inLostLine) {
      return chunk;
    }
    int end = 0;
    while (end < chunk.length && chunk[end] != '\n') {
      end++;
    }
    inLostLine = end == chunk.length;
    return Arrays.copyOfRange(chunk, Math.min(end + 1, chunk.length), chunk.length);
  }

  private static long lines(byte[] chunk) {
    long lines = 0;
    for (byte each : chunk) {
      lines += each == '\n' ? 1 : 0;
    }
    return lines;
  }

  private byte[] told() {
    String before = inTakenLine ? "\n" : "";
    byte[] line = (before + gap.apply(untold) + "\n").getBytes(StandardCharsets.UTF_8);
    inTakenLine = false;
    untold = 0;
    return line;
  }

  private void add(byte[] chunk) {
    waiting.addLast(chunk);
    waitingBytes += chunk.length;
    notifyAll();
  }

  /**
   * Ends the pipe once all waiting lines are written.
   *
   * @param atMost longest wait
   */
  public void end(Duration atMost) throws InterruptedException {
    synchronized (this) {
      if (begun.size() > 0) {
        offerBegun();
      }
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
      // No process reads any more: later lines fill the queue and are counted.
    }
  }

  private synchronized byte @Nullable [] next() throws InterruptedException {
    while (waiting.isEmpty()) {
      if (untold > 0) {
        return told();
      }
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
