package dev.pinion.bootstrap.cli;

import java.io.PrintWriter;

/**
 * Output on a terminal when Ctrl-C ends a command: {@code stopped}, on a line without remains of a
 * progress bar.
 */
final class Interrupt {
  private final PrintWriter err;
  private volatile boolean over;

  Interrupt(PrintWriter err) {
    this.err = err;
  }

  /** Watches the end of this JVM. */
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

  /** Marks the end of the command. */
  void over() {
    over = true;
  }
}
