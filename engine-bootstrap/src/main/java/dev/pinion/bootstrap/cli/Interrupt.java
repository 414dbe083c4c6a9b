package dev.pinion.bootstrap.cli;

import java.io.PrintWriter;

/**
 * What a terminal shows when Ctrl-C ends a command: {@code stopped}, on a line without the rest of
 * a progress bar.
 */
final class Interrupt {
  private final PrintWriter err;
  private volatile boolean over;

  Interrupt(PrintWriter err) {
    this.err = err;
  }

  /** Watches for the end of this JVM. */
  static Interrupt watch(PrintWriter err) {
    Interrupt interrupt = new Interrupt(err);
    if (ProgressLine.hasTerminal()) {
      Runtime.getRuntime().addShutdownHook(new Thread(interrupt::tell, "interrupt"));
    }
    return interrupt;
  }

  void tell() {
    if (!over) {
      ProgressLine.clear(err);
      err.println("stopped");
      err.flush();
    }
  }

  /** The command has ended by itself. */
  void over() {
    over = true;
  }
}
