package dev.pinion.bootstrap.history;

import dev.pinion.bootstrap.supervise.HistorySupervisor;
import java.util.List;

/** Entry point of the history process; started by the parent, not by people. */
public final class HistoryMain {
  private HistoryMain() {}

  /**
   * Runs until asked to end or until the parent has ended.
   *
   * @param args {@link HistorySupervisor#AFTER_FAILURE}, or none
   */
  public static void main(String[] args) throws InterruptedException {
    System.exit(HistoryProgram.execute(List.of(args).contains(HistorySupervisor.AFTER_FAILURE)));
  }
}
