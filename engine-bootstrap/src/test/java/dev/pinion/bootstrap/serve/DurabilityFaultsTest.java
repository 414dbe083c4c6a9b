package dev.pinion.bootstrap.serve;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.bootstrap.serve.AcknowledgedStarts.Load;
import dev.pinion.bootstrap.serve.FaultTally.Fault;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Engines that are killed while instances are under way: what was acknowledged goes on. */
@EnabledOnOs(OS.LINUX)
class DurabilityFaultsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final Duration OFTEN = Duration.ofMillis(20);
  private static final int REPLICAS = 2;
  private static final Load LOAD = new Load(16, 250, 0);

  /** Kills of the long run. */
  private static final int KILLS = Integer.getInteger("pinion.kills", 300);

  /** Instances that the replicas of an average kill recover, and those with a call under way. */
  private static final double RECOVERED_PER_KILL = 5_000 / 300.0;

  private static final double CALLING_PER_KILL = 500 / 300.0;

  /** Starts that are acknowledged between kills that do not follow at once. */
  private static final int STARTS_BETWEEN_KILLS = 20;

  @TempDir private Path data;

  private final AtomicReference<ServedEngine> engine = new AtomicReference<>();

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
    engine.set(start());
    try (AcknowledgedStarts starts = new AcknowledgedStarts(engine::get, LOAD)) {
      starts.begin();
      for (int i = 0; i < kills; i++) {
        // one of five kills meets a recovery
        boolean atOnce = random.nextInt(5) == 0;
        long tb = System.nanoTime();
        awaitReady(atOnce ? 1 : REPLICAS);
        long tr = System.nanoTime();
        starts.awaitLive(atOnce ? 0 : STARTS_BETWEEN_KILLS);
        long t0 = System.nanoTime();
        int w = random.nextInt(8);
        starts.note(kill(w));
        System.out.printf("DBG kill %d atOnce %s after wait ready %d live %d kill %d%n", w, atOnce, (tr - tb) / 1000000, (t0 - tr) / 1000000, (System.nanoTime() - t0) / 1000000);
      }
      return starts.check();
    } finally {
      engine.get().close();
    }
  }

  /** Snapshots are frequent, so that kills meet them. */
  private ServedEngine start() throws IOException {
    return ServedEngine.start(
        data,
        "--replicas",
        Integer.toString(REPLICAS),
        "--restart-window",
        "1",
        "--set",
        "kernel.maxEnded=1000000,kernel.maxEndedBytes=1000000000,journal.snapshotLogBytes=200000,"
            + "journal.closeLogBytes=10000");
  }

  private void awaitReady(int replicas) {
    await()
        .pollDelay(Duration.ZERO)
        .pollInterval(OFTEN)
        .atMost(PATIENCE)
        .until(() -> ready(engine.get().replicaStates()).size() >= replicas);
  }

  private static Set<Integer> ready(JsonNode states) {
    Set<Integer> ready = new HashSet<>();
    for (int slot = 0; slot < states.size(); slot++) {
      if (states.path(slot).path("state").asText().equals("READY")) {
        ready.add(slot);
      }
    }
    return ready;
  }

  /** Kills one of the replicas, both, or the parent. */
  private Fault kill(int which) throws IOException {
    ServedEngine killed = engine.get();
    JsonNode states = killed.replicaStates();
    Set<Integer> slots = ready(states);
    if (which < 6) {
      slots.retainAll(Set.of(which % REPLICAS));
    }
    if (which == 7) {
      return killParent(killed, slots);
    }
    List<ProcessHandle> chosen = new ArrayList<>();
    for (int slot = 0; slot < REPLICAS; slot++) {
      long pid = states.path(slot).path("pid").asLong();
      if (pid > 0 && (which == 6 || slot == which % REPLICAS)) {
        ProcessHandle.of(pid).ifPresent(chosen::add);
      }
    }
    long beganNanos = System.nanoTime();
    chosen.forEach(ProcessHandle::destroyForcibly);
    Fault fault = new Fault(beganNanos, System.nanoTime(), slots, REPLICAS);
    chosen.forEach(replica -> replica.onExit().join());
    return fault;
  }

  private Fault killParent(ServedEngine killed, Set<Integer> slots) throws IOException {
    List<ProcessHandle> replicas = killed.replicas();
    long beganNanos = System.nanoTime();
    killed.parent().destroyForcibly();
    killed.parent().onExit().join();
    replicas.forEach(replica -> replica.onExit().join()); // they see the end of their input
    Fault fault = new Fault(beganNanos, System.nanoTime(), slots, REPLICAS);
    engine.set(start());
    return fault;
  }
}
