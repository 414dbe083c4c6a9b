package dev.pinion.bootstrap.replica;

import dev.pinion.bootstrap.assembly.CoreEngineLauncher;
import dev.pinion.bootstrap.warmup.WarmUp;

/** Entry point of a replica; started by the parent, not by people. */
public final class ReplicaMain {
  private ReplicaMain() {}

  /** Runs until asked to drain or until the parent has ended. */
  public static void main(String[] args) throws InterruptedException {
    System.exit(ReplicaProgram.execute(new CoreEngineLauncher(), WarmUp.ofThisProcess()));
  }
}
