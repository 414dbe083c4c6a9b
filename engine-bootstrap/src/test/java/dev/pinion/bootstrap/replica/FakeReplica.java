package dev.pinion.bootstrap.replica;

import dev.pinion.bootstrap.assembly.FakeEngine;
import dev.pinion.bootstrap.warmup.WarmUp;
import java.util.Set;

/** A replica with a fake engine, whose traits the system property {@code traits} names. */
public final class FakeReplica {
  private FakeReplica() {}

  /** Like {@link ReplicaMain}. */
  public static void main(String[] args) throws InterruptedException {
    Set<String> traits = Set.of(System.getProperty("traits", "").split(",", -1));
    System.exit(ReplicaProgram.execute(new FakeEngine(traits), WarmUp.ofThisProcess()));
  }
}
