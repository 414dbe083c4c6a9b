package dev.pinion.workloads;

import dev.pinion.workloads.load.ProgressBar;

/**
 * Output on a terminal when Ctrl-C ends a command: {@code stopped}, on a line without remains of a
 * progress bar.
 */
public final class Interrupt {
  private volatile boolean over;

  private Interrupt() {}

  /** Watches the end of this JVM. */
  public static Interrupt watch() {
    Interrupt interrupt = new Interrupt();
    Runtime.getRuntime().addShutdownHook(new Thread(interrupt::tell, "interrupt"));
    return interrupt;
  }

  private void tell() {
    if (!over) {
      ProgressBar.stopped();
    }
  }

  /** Marks the end of the command. */
  public void over() {
    over = true;
  }
}
