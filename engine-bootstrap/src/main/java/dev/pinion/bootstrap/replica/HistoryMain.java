package dev.pinion.bootstrap.replica;

/** Entry point of the process that keeps the history; started by the parent, not by people. */
public final class HistoryMain {
  private HistoryMain() {}

  /** Runs until told to end or until the parent is gone. */
  public static void main(String[] args) throws InterruptedException {
    System.exit(HistoryProgram.execute());
  }
}
