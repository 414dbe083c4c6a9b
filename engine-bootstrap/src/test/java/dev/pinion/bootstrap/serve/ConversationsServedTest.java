package dev.pinion.bootstrap.serve;

import dev.pinion.bootstrap.serve.KillableEngine.Victim;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Instances in two replicas that talk by events while the replicas are killed: each hears every
 * event that is meant for it, once.
 */
@EnabledOnOs(OS.LINUX)
class ConversationsServedTest {
  /** Kills of the long run. */
  private static final int KILLS = Integer.getInteger("pinion.kills", 30);

  private static final int ENDED_BETWEEN_KILLS = 16;
  private static final int KILLS_OF_WHICH_ONE_MEETS_A_RECOVERY = 5;

  /** Snapshots are frequent, so that kills hit them, and bounds fit the long run. */
  private static final String SETTINGS =
      "journal.snapshotLogBytes=200000,journal.closeLogBytes=10000,kernel.maxEnded=1000000,"
          + "instance.maxItems=1000000,instance.maxSteps=10000000,instance.maxEvents=10000000";

  @TempDir private Path data;

  @Test
  @Tag("long") // in short: ErrandsKilledTest, EventsServedTest
  void shouldHearEachEventOnceOverKills() throws Exception {
    killAtRandom(3);
  }

  @Test
  @Tag("long")
  void shouldHearEachEventOnceHoweverOftenItIsKilled() throws Exception {
    killAtRandom(KILLS);
  }

  private void killAtRandom(int kills) throws Exception {
    long seed = Long.getLong("pinion.seed", System.nanoTime());
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    Victim[] victims = Victim.values();
    try (KillableEngine engine = new KillableEngine(data, "--heap", "512m", "--set", SETTINGS);
        Conversations conversations = new Conversations(engine)) {
      conversations.begin();
      for (int i = 0; i < kills; i++) {
        boolean atOnce = random.nextInt(KILLS_OF_WHICH_ONE_MEETS_A_RECOVERY) == 0;
        engine.awaitReady(atOnce ? 1 : KillableEngine.REPLICAS);
        int more = atOnce ? 0 : ENDED_BETWEEN_KILLS;
        engine.kill(victims[random.nextInt(victims.length)], () -> conversations.awaitEnded(more));
      }
      engine.awaitReady(KillableEngine.REPLICAS);
      conversations.check();
    }
  }
}
