package dev.pinion.bootstrap.process;

import java.io.ByteArrayOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A bounded queue of lines between the writers of a log and an output that may block or fail: a
 * terminal that is stopped, a pipe whose reader is stopped or gone, a disk that is full. Writing
 * never blocks. Lines beyond {@link #MAX_BYTES} are lost and counted, and a line reports their
 * number as soon as the output accepts lines again. When nothing waits, one write of any size is
 * accepted.
 *
 * <p>Bytes that the output did not accept are written again, from the first missing one, after a
 * pause of {@link #LEAST_PAUSE_MILLIS} that doubles up to {@link #MOST_PAUSE_MILLIS}. Any thread.
 */
public final class LogPipe extends OutputStream {
  /** Most bytes that wait; more only if they were written at once. */
  static final int MAX_BYTES = 1 << 20;

  /** Most bytes of a line that is written in pieces; a longer one is cut. */
  static final int MAX_LINE_BYTES = 1 << 16;

  private static final int MAX_PIECE_BYTES = 1 << 14;

  static final int LEAST_PAUSE_MILLIS = 10;
  static final int MOST_PAUSE_MILLIS = 1_000;
  private static final int MOST_DOUBLINGS = 20;

  private final WritableByteChannel to;
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

  /**
   * Bytes of one write to the output; allocated in advance, so that no lack of memory ends the log.
   */
  private final ByteBuffer piece = ByteBuffer.allocateDirect(MAX_PIECE_BYTES);

  private final CountDownLatch ending = new CountDownLatch(1);

  /** Counted down when {@link #end} stops waiting. */
  private final CountDownLatch abandoned = new CountDownLatch(1);

  private LogPipe(String name, WritableByteChannel to, LongFunction<String> gap) {
    this.to = to;
    this.gap = gap;
    this.thread = Thread.ofPlatform().name(name).daemon().unstarted(this::carry);
  }

  /**
   * A pipe and its thread.
   *
   * @param name name of the thread
   * @param to output of lines; may block for any time, accept a part, and fail
   * @param gap the line, without its end, that reports a number of lost lines
   */
  public static LogPipe to(String name, WritableByteChannel to, LongFunction<String> gap) {
    LogPipe pipe = new LogPipe(name, to, gap);
    pipe.thread.start();
    return pipe;
  }

  /** A pipe to a standard stream of this process, as {@link #to}. */
  public static LogPipe to(String name, FileDescriptor stream, LongFunction<String> gap) {
    // A channel reports the bytes accepted before a failure, and by a full non-blocking pipe.
    return to(name, new FileOutputStream(stream).getChannel(), gap);
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
      add(lossNotice());
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

  private byte[] lossNotice() {
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
   * Ends the pipe once all waiting lines are written, or the output fails.
   *
   * @param atMost longest wait
   */
  public void end(Duration atMost) throws InterruptedException {
    synchronized (this) {
      if (begun.size() > 0) {
        offerBegun();
      }
      ending.countDown();
      notifyAll();
    }
    thread.join(atMost);
    abandoned.countDown();
  }

  /** Whether it still carries lines, or tries to. */
  boolean isAlive() {
    return thread.isAlive();
  }

  private void carry() {
    try {
      byte[] chunk = next();
      while (chunk != null && carry(chunk)) {
        chunk = next();
      }
    } catch (InterruptedException e) {
      // Nobody interrupts this thread; later lines would fill the queue and be counted.
    }
  }

  /** Writes all of a chunk, however long that takes; at the end, gives up when it fails. */
  private boolean carry(byte[] chunk) throws InterruptedException {
    int failures = 0;
    int done = 0;
    while (done < chunk.length) {
      piece.clear().put(chunk, done, Math.min(piece.capacity(), chunk.length - done)).flip();
      boolean failed = false;
      try {
        to.write(piece);
      } catch (IOException e) {
        failed = true; // the log itself is where it would be reported
      }
      done += piece.position();
      failures = piece.position() > 0 ? 0 : failures + 1;
      if ((failed && ends()) || (failures > 0 && pause(failures))) {
        return false;
      }
    }
    return true;
  }

  /** Waits before the next try, for less time at the end; returns whether nobody waits any more. */
  private boolean pause(int failures) throws InterruptedException {
    if (ends()) {
      return abandoned.await(LEAST_PAUSE_MILLIS, TimeUnit.MILLISECONDS);
    }
    boolean _ = ending.await(pauseMillis(failures), TimeUnit.MILLISECONDS);
    return false;
  }

  /** Pause after so many failures in a row, from 1. */
  static int pauseMillis(int failures) {
    long doubled = (long) LEAST_PAUSE_MILLIS << Math.min(failures - 1, MOST_DOUBLINGS);
    return (int) Math.min(doubled, MOST_PAUSE_MILLIS);
  }

  private boolean ends() {
    return ending.getCount() == 0;
  }

  private synchronized byte @Nullable [] next() throws InterruptedException {
    while (waiting.isEmpty()) {
      if (untold > 0) {
        return lossNotice();
      }
      if (ends()) {
        return null;
      }
      wait();
    }
    byte[] chunk = waiting.removeFirst();
    waitingBytes -= chunk.length;
    return chunk;
  }
}
