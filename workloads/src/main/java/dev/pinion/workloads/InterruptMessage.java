package dev.pinion.workloads;

import dev.pinion.workloads.load.ProgressBar;

/**
 * Output on a terminal when Ctrl-C ends a command: {@code stopped}, on a line without remains of a
 * progress bar.
 */
public final class InterruptMessage {
  private volatile boolean over;

  private InterruptMessage() {}

  /** Watches the end of this JVM. */
  public static InterruptMessage watch() {
    InterruptMessage interruptMessage = new InterruptMessage();
    Runtime.getRuntime().addShutdownHook(new Thread(interruptMessage::print, "interrupt"));
    return interruptMessage;
  }

  private void print() {
    if (!over) {
      ProgressBar.stopped();
    }
  }

  /** Marks the end of the command. */
  public void over() {
    over = true;
  }
}
