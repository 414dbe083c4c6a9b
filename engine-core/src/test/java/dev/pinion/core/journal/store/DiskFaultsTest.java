package dev.pinion.core.journal.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.journal.disk.NoSpaceException;
import dev.pinion.core.journal.store.SimulatedStorage.Op;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A disk that fails, lies or is full at each point of a fixed scenario. */
class DiskFaultsTest {
  private int poisoned;
  private int refused;

  @Test
  void shouldAcknowledgeNothingAfterAFailedForceOrWrite() throws IOException {
    int failures = 0;
    for (Op op :
        List.of(Op.FORCE, Op.WRITE, Op.MAP_FORCE, Op.MAP_WRITE, Op.FORCE_DIRECTORY, Op.RENAME)) {
      for (boolean sticky : List.of(false, true)) {
        int nth = 1;
        while (fail(op, nth, sticky)) {
          nth++;
        }
        assertTrue(nth > 3, op + " happened " + nth + " times");
        failures += nth - 1;
      }
    }
    System.out.printf("failures: %d injected, %d poisoned an open log%n", failures, poisoned);
    assertTrue(poisoned > 100, "poisoned " + poisoned);
  }

  /** Fails the nth operation; false when the scenario has fewer. */
  private boolean fail(Op op, int nth, boolean sticky) throws IOException {
    SimulatedStorage disk = new SimulatedStorage();
    Scenario scenario = new Scenario(disk);
    disk.fail(op, nth, sticky, false);
    try {
      scenario.run();
      assertEquals(0, disk.failures);
      return false;
    } catch (IOException e) {
      assertTrue(disk.failures > 0);
      assertFalse(e instanceof JournalDamagedException, e.getMessage());
      checkPoisoned(scenario, e);
    }
    // the process ends; the next one must not trust pages that the failed force left as clean
    disk.heal();
    disk.restart();
    scenario.open();
    disk.losePower(nth);
    RecordLog log = scenario.open();
    scenario.grow(log, 5);
    scenario.ledger.close(log);
    scenario.open();
    return true;
  }

  private void checkPoisoned(Scenario scenario, IOException e) throws IOException {
    RecordLog log = scenario.log;
    if (log == null || !(e instanceof ForceFailedException)) {
      return;
    }
    poisoned++;
    long durable = log.durable();
    assertThrows(ForceFailedException.class, () -> log.append(0, 0, (byte) 0, empty()));
    assertThrows(ForceFailedException.class, log::force);
    assertThrows(ForceFailedException.class, log::snapshot);
    assertEquals(durable, log.durable());
    log.close();
    assertEquals(durable, log.durable());
  }

  @Test
  void shouldGoOnWhenThereIsRoomAgain() throws IOException {
    int full = 0;
    for (Op op : List.of(Op.WRITE, Op.PREALLOCATE, Op.CREATE, Op.RENAME)) {
      for (boolean sticky : List.of(false, true)) {
        int nth = 1;
        while (runFull(op, nth, sticky)) {
          nth++;
        }
        assertTrue(nth > 3, op + " happened " + nth + " times");
        full += nth - 1;
      }
    }
    System.out.printf("full disk: %d times%n", full);
  }

  private static boolean runFull(Op op, int nth, boolean sticky) throws IOException {
    SimulatedStorage disk = new SimulatedStorage();
    Scenario scenario = new Scenario(disk);
    disk.fail(op, nth, sticky, true);
    try {
      scenario.run();
      assertEquals(0, disk.failures);
      return false;
    } catch (NoSpaceException | JournalFullException e) {
      assertTrue(disk.failures > 0);
    }
    RecordLog log = scenario.log;
    if (log != null && sticky && op != Op.WRITE) {
      // records that fit into the current segment are still appended
      assertEquals(log.position(), log.force());
    }
    disk.heal();
    if (log == null) {
      disk.killed();
      log = scenario.open();
    }
    scenario.grow(log, 30);
    scenario.ledger.force(log);
    scenario.snapshot(log);
    scenario.ledger.close(log);
    scenario.open();
    return true;
  }

  @Test
  void shouldRefuseAnAnchorAheadOfTheDataOfALyingDisk() throws IOException {
    for (int seed = 1; seed <= 40; seed++) {
      lie(seed, true);
    }
    System.out.printf("lying disk: %d of 40 refused%n", refused);
    assertTrue(refused > 20, "refused " + refused);
  }

  @Test
  void shouldInventNothingWhenALyingDiskForgetsTheAnchorToo() throws IOException {
    for (int seed = 1; seed <= 40; seed++) {
      lie(seed, false);
    }
    System.out.printf("lying disk that forgot the anchor: %d of 40 refused%n", refused);
  }

  private void lie(int seed, boolean anchorWritten) throws IOException {
    SimulatedStorage disk = new SimulatedStorage();
    Scenario scenario = new Scenario(disk);
    RecordLog log = scenario.open();
    scenario.grow(log, 3 + seed % 20);
    disk.lie();
    scenario.grow(log, 3 + seed % 30);
    scenario.ledger.force(log);
    assertTrue(disk.lies > 0);
    if (anchorWritten) {
      disk.writeBack(LogFileNames.ANCHOR);
    } else {
      // a loss that nothing on this disk shows: the rest is still a beginning of the records
      scenario.ledger.acknowledged = 0;
    }
    disk.heal();
    disk.losePower(seed);
    try {
      scenario.open();
    } catch (JournalDamagedException e) {
      refused++;
    }
  }

  private static ByteBuffer empty() {
    return ByteBuffer.allocate(0);
  }
}
