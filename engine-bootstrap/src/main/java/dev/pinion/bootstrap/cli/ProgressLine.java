package dev.pinion.bootstrap.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
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

  /**
   * Draws the bar, unless there is no terminal.
   *
   * @param what what is done, before the bar
   * @param rest what is left, behind it
   */
  public static void draw(
      @Nullable PrintWriter terminal, String what, long done, long all, String rest) {
    if (terminal == null) {
      return;
    }
    int full = (int) Math.min(CELLS, CELLS * done / Math.max(1, all));
    String bar = "#".repeat(full) + "-".repeat(CELLS - full);
    terminal.print(CLEAR + what + " [" + bar + "] " + rest);
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
