package dev.pinion.bootstrap.serve;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Engines that are killed while instances are under way: what was acknowledged goes on. */
@EnabledOnOs(OS.LINUX)
class DurabilityFaultsTest {
  /** Kills of the long run. */
  private static final int KILLS = Integer.getInteger("pinion.kills", 100);

  @TempDir private Path data;

  private final AtomicReference<ServedEngine> engine = new AtomicReference<>();

  @Test
  void shouldLoseNothingThatWasAcknowledgedWhenItIsKilled() throws Exception {
    killAtRandom(2);
  }

  @Test
  @Tag("long")
  void shouldLoseNothingThatWasAcknowledgedHoweverOftenItIsKilled() throws Exception {
    killAtRandom(KILLS);
  }

  private void killAtRandom(int kills) throws Exception {
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    engine.set(start());
    try (AcknowledgedStarts starts = new AcknowledgedStarts(engine::get, 0)) {
      starts.begin();
      for (int i = 0; i < kills; i++) {
        starts.awaitFault(100 + random.nextInt(100));
        kill(random.nextInt(4));
      }
      starts.check();
    } finally {
      engine.get().close();
    }
  }

  /** Snapshots are frequent, so that kills meet them. */
  private ServedEngine start() throws IOException {
    return ServedEngine.start(
        data,
        "--replicas",
        "2",
        "--restart-window",
        "1",
        "--set",
        "kernel.maxEnded=1000000,kernel.maxEndedBytes=1000000000,journal.snapshotLogBytes=200000,"
            + "journal.closeLogBytes=10000");
  }

  /** Kills one of the replicas, both, or the parent. */
  private void kill(int which) throws IOException {
    ServedEngine killed = engine.get();
    List<ProcessHandle> replicas = killed.replicas();
    if (which < 3) {
      List<ProcessHandle> chosen =
          which < replicas.size() ? List.of(replicas.get(which)) : replicas;
      chosen.forEach(ProcessHandle::destroyForcibly);
      chosen.forEach(replica -> replica.onExit().join());
      return;
    }
    killed.parent().destroyForcibly();
    killed.parent().onExit().join();
    replicas.forEach(replica -> replica.onExit().join()); // they see the end of their input
    engine.set(start());
  }
}
