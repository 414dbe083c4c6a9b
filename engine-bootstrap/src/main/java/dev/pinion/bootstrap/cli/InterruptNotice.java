package dev.pinion.bootstrap.cli;

import java.io.PrintWriter;

/**
 * Output on a terminal when Ctrl-C ends a command: {@code stopped}, on a line without remains of a
 * progress bar.
 */
public final class InterruptNotice {
  private final PrintWriter err;
  private volatile boolean commandEnded;

  public InterruptNotice(PrintWriter err) {
    this.err = err;
  }

  /** Watches the end of this JVM. */
  public static InterruptNotice watch(PrintWriter err) {
    InterruptNotice interruptNotice = new InterruptNotice(err);
    if (ProgressLine.hasTerminal()) {
      Runtime.getRuntime().addShutdownHook(new Thread(interruptNotice::print, "interrupt"));
    }
    return interruptNotice;
  }

  public void print() {
    if (!commandEnded) {
      ProgressLine.clear(err);
      err.println("stopped");
      err.flush();
    }
  }

  /** Marks the end of the command. */
  public void commandEnded() {
    commandEnded = true;
  }
}
