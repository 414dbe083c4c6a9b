package dev.pinion.core.journal.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Field fault 24: an anchor from an older copy, beside a whole log. */
class OlderForcedPositionTest {
  private final SimulatedStorage disk = new SimulatedStorage();
  private final Ledger ledger = new Ledger();

  /** Records written since: a few stay in the segment of the anchor, many go beyond. */
  @ParameterizedTest
  @ValueSource(ints = {3, 200})
  void shouldNameTheAnchorAndAdviseWhatDropsNothing(int records) throws IOException {
    // given
    grow(10);
    byte[] old = disk.content(LogFileNames.ANCHOR);
    grow(records);
    int all = ledger.attempted.size();
    disk.put(LogFileNames.ANCHOR, old);

    // then
    JournalDamagedException refused =
        assertThrows(JournalDamagedException.class, () -> ledger.reopen(disk, Scenario.BOUNDS));
    assertTrue(refused.file().endsWith(LogFileNames.ANCHOR), refused.file());
    String message = String.valueOf(refused.getMessage());
    assertTrue(message.contains("put the newest anchor back"), message);
    assertTrue(message.contains("--keep " + all + " "), message);
    assertFalse(message.contains("cut"), message);

    // and its advice keeps every record
    JournalRepair.RepairReport repairReport =
        new JournalRepair(disk, Ledger.settings(Scenario.BOUNDS), all, "me", "old anchor", 1).run();
    assertEquals(
        List.of(),
        repairReport.removed().stream()
            .filter(name -> !name.endsWith(LogFileNames.ANCHOR))
            .toList());
    RecordLog log = RecordLog.open(disk, Ledger.settings(Scenario.BOUNDS));
    assertEquals(ledger.attempted, Ledger.replayed(log));
    log.close();
  }

  private void grow(int records) throws IOException {
    RecordLog log = ledger.reopen(disk, Scenario.BOUNDS);
    for (int i = 0; i < records; i++) {
      ledger.append(log, 100);
    }
    ledger.force(log);
    ledger.close(log);
  }
}
