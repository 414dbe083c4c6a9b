package dev.pinion.bootstrap.serve;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.bootstrap.serve.AcknowledgedStarts.Load;
import dev.pinion.bootstrap.serve.KillableEngine.Victim;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Engines that are killed while instances are under way: acknowledged ones continue. */
@EnabledOnOs(OS.LINUX)
class DurabilityFaultsTest {
  private static final Load LOAD = new Load(16, 250, 0, 4_000);

  /** Kills of the long run. */
  private static final int KILLS = Integer.getInteger("pinion.kills", 40);

  /** Instances recovered by the replicas of an average kill, and those with a call under way. */
  private static final double RECOVERED_PER_KILL = 5_000 / 300.0;

  private static final double CALLING_PER_KILL = 500 / 300.0;

  /** Starts acknowledged between kills that do not follow at once. */
  private static final int STARTS_BETWEEN_KILLS = 20;

  private static final int KILLS_OF_WHICH_ONE_MEETS_A_RECOVERY = 5;

  private static final List<Victim> VICTIMS =
      List.of(
          Victim.FIRST,
          Victim.SECOND,
          Victim.FIRST,
          Victim.SECOND,
          Victim.FIRST,
          Victim.SECOND,
          Victim.BOTH,
          Victim.PARENT);

  /** Snapshots are frequent, so that kills hit them. */
  private static final String SETTINGS =
      "kernel.maxEnded=1000000,kernel.maxHeldBytes=33554432,kernel.maxEndedBytes=45000000,journal.snapshotLogBytes=200000,"
          + "journal.closeLogBytes=10000";

  @TempDir private Path data;

  @Test
  void shouldLoseNothingThatWasAcknowledgedWhenItIsKilled() throws Exception {
    killAtRandom(2);
  }

  @Test
  @Tag("long")
  void shouldLoseNothingThatWasAcknowledgedHoweverOftenItIsKilled() throws Exception {
    FaultTally tally = killAtRandom(KILLS);
    assertTrue(tally.recovered() >= RECOVERED_PER_KILL * KILLS, tally::toString);
    assertTrue(tally.calling() >= CALLING_PER_KILL * KILLS, tally::toString);
  }

  private FaultTally killAtRandom(int kills) throws Exception {
    long seed = Long.getLong("pinion.seed", System.nanoTime());
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    try (KillableEngine engine = new KillableEngine(data, "--heap", "512m", "--set", SETTINGS);
        AcknowledgedStarts starts = new AcknowledgedStarts(engine, LOAD)) {
      starts.begin();
      for (int i = 0; i < kills; i++) {
        boolean atOnce = random.nextInt(KILLS_OF_WHICH_ONE_MEETS_A_RECOVERY) == 0;
        engine.awaitReady(atOnce ? 1 : KillableEngine.REPLICAS);
        int more = atOnce ? 0 : STARTS_BETWEEN_KILLS;
        Victim victim = VICTIMS.get(random.nextInt(VICTIMS.size()));
        starts.note(engine.kill(victim, () -> starts.awaitLive(more)));
      }
      return starts.check();
    }
  }
}
