package dev.pinion.bootstrap.brokerd;

/** Entry point of the broker's process; started by the parent, not by people. */
public final class BrokerMain {
  private BrokerMain() {}

  /** Runs until asked to end or until the parent has ended. */
  public static void main(String[] args) throws InterruptedException {
    System.exit(BrokerProgram.execute());
  }
}
