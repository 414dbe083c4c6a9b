package dev.pinion.bootstrap.replica;

/** Entry point of the broker's process; started by the parent, not by people. */
public final class BrokerMain {
  private BrokerMain() {}

  /** Runs until told to end or until the parent is gone. */
  public static void main(String[] args) throws InterruptedException {
    System.exit(BrokerProgram.execute());
  }
}
