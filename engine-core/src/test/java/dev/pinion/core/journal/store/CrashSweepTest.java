package dev.pinion.core.journal.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Stops a fixed scenario at each of its operations on the disk: afterwards every acknowledged
 * record exists, once and in order, and no record that was never appended.
 */
class CrashSweepTest {
  private int recoveriesStopped;

  @Test
  void shouldSurviveAKillAtEveryOperation() throws IOException {
    int operations = sweep(0, 0);

    assertTrue(operations > 200, "operations: " + operations);
  }

  @Test
  void shouldSurviveALossOfPowerAtEveryOperation() throws IOException {
    sweep(1, 6);
  }

  @Test
  @Tag("long")
  void shouldSurviveManyLossesOfPowerAtEveryOperation() throws IOException {
    sweep(100, 200);
  }

  /** Runs a range of seeds: seed 0 is a kill, others lose power. */
  private int sweep(long firstSeed, long lastSeed) throws IOException {
    int operations = operations();
    for (long seed = firstSeed; seed <= lastSeed; seed++) {
      for (int nth = 1; nth <= operations; nth++) {
        try {
          crash(nth, seed);
        } catch (IOException | RuntimeException | AssertionError e) {
          throw new AssertionError(
              "operation " + nth + ", seed " + seed + ": " + e.getMessage(), e);
        }
      }
    }
    System.out.printf(
        "crash sweep: %d operations, seeds %d to %d, %d recoveries stopped too%n",
        operations, firstSeed, lastSeed, recoveriesStopped);
    return operations;
  }

  private static int operations() throws IOException {
    SimulatedStorage disk = new SimulatedStorage();
    new Scenario(disk).run();
    return disk.operations;
  }

  private void crash(int nth, long seed) throws IOException {
    SimulatedStorage disk = new SimulatedStorage();
    Scenario scenario = new Scenario(disk);
    disk.crashAt(nth, seed);
    stopped(disk, scenario::run, true);
    comeBack(disk, seed);

    // a recovery that is stopped as well
    disk.crashAt(1 + (int) ((nth + seed) % 12), seed + 1);
    if (stopped(disk, () -> scenario.ledger.close(scenario.open()), false)) {
      recoveriesStopped++;
    }
    comeBack(disk, seed);

    RecordLog log = scenario.open();
    scenario.grow(log, 5);
    scenario.ledger.close(log);
    RecordLog last = scenario.open();
    assertTrue(last.report().clean());
    assertEquals(scenario.ledger.attempted.size(), last.durable());
    assertTrue(JournalVerification.run(disk).isSound(), "sound");
  }

  private interface Life {
    void run() throws IOException;
  }

  private static boolean stopped(SimulatedStorage disk, Life life, boolean must)
      throws IOException {
    disk.crashed = false;
    try {
      life.run();
    } catch (SimulatedStorage.Crash e) {
      assertTrue(disk.crashed);
      return true;
    }
    assertFalse(disk.crashed);
    assertFalse(must, "expected a crash, found none");
    return false;
  }

  private static void comeBack(SimulatedStorage disk, long seed) {
    if (seed == 0) {
      disk.restart();
    } else {
      disk.losePower(seed);
    }
  }
}
