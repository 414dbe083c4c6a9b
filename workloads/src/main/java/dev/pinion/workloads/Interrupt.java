package dev.pinion.workloads;

import dev.pinion.workloads.load.ProgressBar;

/**
 * What a terminal shows when Ctrl-C ends a command: {@code stopped}, on a line without the rest of
 * a progress bar.
 */
public final class Interrupt {
  private volatile boolean over;

  private Interrupt() {}

  /** Watches for the end of this JVM. */
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

  /** The command has ended by itself. */
  public void over() {
    over = true;
  }
}
