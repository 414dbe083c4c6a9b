package dev.pinion.bootstrap.serve;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.bootstrap.serve.KillableEngine.Victim;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two replicas that are killed with everything under way that an instance may wait for: listeners,
 * schedules, children, tokens, compensations, and commands of clients.
 */
@EnabledOnOs(OS.LINUX)
class ErrandsKilledTest {
  /** Kills of the long run. */
  private static final int KILLS = Integer.getInteger("pinion.kills", 30);

  private static final int ENDED_BETWEEN_KILLS = 16;
  private static final int KILLS_OF_WHICH_ONE_MEETS_A_RECOVERY = 5;

  /** Snapshots are frequent, so that kills hit them; events may come before their listeners. */
  private static final String SETTINGS =
      "journal.snapshotLogBytes=200000,journal.closeLogBytes=10000,events.keepMillis=3600000,"
          + "kernel.maxEnded=1000000,"
          + "instance.maxItems=1000000,instance.maxSteps=10000000,instance.maxEvents=10000000";

  @TempDir private Path data;

  @Test
  void shouldDoEachStepOfEachErrandOnceOverKills() throws Exception {
    killAtRandom(2);
  }

  @Test
  @Tag("long")
  void shouldDoEachStepOfEachErrandOnceHoweverOftenItIsKilled() throws Exception {
    killAtRandom(KILLS);
  }

  private void killAtRandom(int kills) throws Exception {
    long seed = Long.getLong("pinion.seed", System.nanoTime());
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    Victim[] victims = Victim.values();
    long begunNanos = System.nanoTime();
    try (ErrandServices services = new ErrandServices();
        KillableEngine engine = new KillableEngine(data, "--heap", "512m", "--set", SETTINGS)) {
      PatientClient client = new PatientClient(engine);
      try (Errands errands = new Errands(client, services)) {
        ScheduledRuns runs = new ScheduledRuns(client, services);
        errands.begin();
        for (int i = 0; i < kills; i++) {
          boolean atOnce = random.nextInt(KILLS_OF_WHICH_ONE_MEETS_A_RECOVERY) == 0;
          engine.awaitReady(atOnce ? 1 : KillableEngine.REPLICAS);
          int more = atOnce ? 0 : ENDED_BETWEEN_KILLS;
          engine.kill(victims[random.nextInt(victims.length)], () -> errands.awaitEnded(more));
        }
        engine.awaitReady(KillableEngine.REPLICAS);
        errands.check();
        runs.check();
      }
      checkTokens(services, kills, TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begunNanos));
    }
    System.out.printf("%d kills%n", kills);
  }

  /** The instances of a replica share a token for as long as it may be used. */
  private static void checkTokens(ErrandServices services, int kills, long seconds) {
    int lives = KillableEngine.REPLICAS * (1 + kills);
    long renewals = KillableEngine.REPLICAS * (seconds / (ErrandServices.TOKEN_SECONDS / 2) + 1);
    int tokens = services.tokens();
    assertTrue(tokens >= 1, "tokens");
    assertTrue( // some are refused, and another one is requested in their place
        tokens <= 2 * (lives + renewals),
        () -> tokens + " tokens of " + lives + " replicas in " + seconds + " s");
  }
}
