package dev.pinion.workloads.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** Draws progress as one line that is overwritten; clears it at the end. */
public final class ProgressBar implements LoadProgress, AutoCloseable {
  private static final int WIDTH = 24;
  private static final String CLEAR_LINE = "\r\u001b[2K";

  /** Set when this JVM is ending: no bar is drawn over its last line. */
  private static volatile boolean stopped;

  private final PrintStream out;
  private final String title;

  private ProgressBar(PrintStream out, String title) {
    this.out = out;
    this.title = title;
  }

  /**
   * A bar on any stream.
   *
   * @param title title of the bar
   */
  static ProgressBar on(PrintStream out, String title) {
    return new ProgressBar(out, title);
  }

  /** A bar on standard error when that is a terminal, else nothing. */
  public static ProgressBar onTerminal(String title) {
    return new ProgressBar(
        isTerminal() ? System.err : new PrintStream(OutputStream.nullOutputStream(), false, UTF_8),
        title);
  }

  /** Ends every bar of this JVM and prints {@code stopped}, if standard error is a terminal. */
  public static void stopped() {
    stopped = true;
    if (isTerminal()) {
      System.err.println(CLEAR_LINE + "stopped");
    }
  }

  /** Whether this JVM is ending. */
  public static boolean isStopped() {
    return stopped;
  }

  @Override
  public void onProgress(double fraction, String step) {
    if (stopped) {
      return;
    }
    int done = (int) (WIDTH * Math.clamp(fraction, 0, 1));
    out.printf(
        Locale.ROOT,
        "%s%s [%s%s] %3.0f%%  %s",
        CLEAR_LINE,
        title,
        "#".repeat(done),
        ".".repeat(WIDTH - done),
        fraction * 100,
        step);
    out.flush();
  }

  /** Clears the line. */
  @Override
  public void close() {
    if (stopped) {
      return;
    }
    out.print(CLEAR_LINE);
    out.flush();
  }

  /** The JDK detects standard input and output only, Linux standard error as well. */
  @SuppressWarnings("SystemConsoleNull") // since JDK 25 it is null again without a terminal
  private static boolean isTerminal() {
    try {
      String target = Files.readSymbolicLink(Path.of("/proc/self/fd/2")).toString();
      return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
    } catch (IOException | UnsupportedOperationException notLinux) {
      return System.console() != null && System.console().isTerminal();
    }
  }
}
