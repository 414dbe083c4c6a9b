package dev.pinion.bootstrap.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A progress bar in one line of a terminal, which is overwritten. */
public final class ProgressLine {
  private static final int CELLS = 30;

  /** Returns the cursor to the beginning of its line, and clears the line. */
  public static final String CLEAR = "\r\u001b[K";

  private ProgressLine() {}

  /** Whether standard error is a terminal; if the system does not report it, it counts as none. */
  public static boolean hasTerminal() {
    try {
      String target = Files.readSymbolicLink(Path.of("/proc/self/fd/2")).toString();
      return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }

  /** Draws the bar, unless there is no terminal. */
  public static void draw(@Nullable PrintWriter terminal, long doneNanos, long allNanos) {
    if (terminal == null) {
      return;
    }
    int full = (int) Math.min(CELLS, CELLS * doneNanos / allNanos);
    long left = TimeUnit.NANOSECONDS.toSeconds(Math.max(0, allNanos - doneNanos));
    terminal.print(
        CLEAR
            + "profiling ["
            + "#".repeat(full)
            + "-".repeat(CELLS - full)
            + "] "
            + (full < CELLS ? left + " s left" : "reading"));
    terminal.flush();
  }

  /** Clears the bar. */
  public static void clear(@Nullable PrintWriter terminal) {
    if (terminal != null) {
      terminal.print(CLEAR);
      terminal.flush();
    }
  }
}
