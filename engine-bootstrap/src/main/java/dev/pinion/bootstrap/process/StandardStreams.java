package dev.pinion.bootstrap.process;

import java.io.FileDescriptor;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.time.Duration;
import java.util.function.LongFunction;

/**
 * Standard output and standard error of a serving process, which never block a writer: their reader
 * may stop without stopping the engine. Each is a {@link LogPipe}.
 */
public final class StandardStreams implements AutoCloseable {
  /** Longest time for writing the last lines at the end, for each stream. */
  private static final Duration LAST_LINES = Duration.ofSeconds(1);

  private final PrintStream formerOut = System.out;
  private final PrintStream formerErr = System.err;
  private final LogPipe out;
  private final LogPipe err;

  private StandardStreams(LongFunction<String> gap) {
    out = LogPipe.to("output", FileDescriptor.out, gap);
    err = LogPipe.to("log", FileDescriptor.err, gap);
    System.setOut(printer(out, formerOut.charset()));
    System.setErr(printer(err, formerErr.charset()));
  }

  private static PrintStream printer(LogPipe pipe, Charset charset) {
    return new PrintStream(pipe, true, charset);
  }

  /**
   * Puts pipes in front of the streams of this JVM.
   *
   * @param gap the line that reports the number of lost lines
   */
  public static StandardStreams neverBlocking(LongFunction<String> gap) {
    return new StandardStreams(gap);
  }

  /** Lines lost so far, because nothing read them. */
  public long lostLines() {
    return out.lostLines() + err.lostLines();
  }

  /** Writes waiting lines, for a second at most, and restores the former streams. */
  @Override
  public void close() {
    System.setOut(formerOut);
    System.setErr(formerErr);
    try {
      err.end(LAST_LINES);
      out.end(LAST_LINES);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
