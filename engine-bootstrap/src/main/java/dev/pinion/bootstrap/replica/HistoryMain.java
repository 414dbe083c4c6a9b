package dev.pinion.bootstrap.replica;

import dev.pinion.bootstrap.process.HistoryKeeper;
import java.util.List;

/** Entry point of the process that keeps the history; started by the parent, not by people. */
public final class HistoryMain {
  private HistoryMain() {}

  /**
   * Runs until told to end or until the parent is gone.
   *
   * @param args {@link HistoryKeeper#AFTER_FAILURE}, or none
   */
  public static void main(String[] args) throws InterruptedException {
    System.exit(HistoryProgram.execute(List.of(args).contains(HistoryKeeper.AFTER_FAILURE)));
  }
}
