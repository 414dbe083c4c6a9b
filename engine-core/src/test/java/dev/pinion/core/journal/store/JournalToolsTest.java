package dev.pinion.core.journal.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.journal.disk.LogLockedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Readers, verification, dump and repair. */
class JournalToolsTest {
  private final SimulatedStorage disk = new SimulatedStorage();
  private final Scenario scenario = new Scenario(disk);
  private final Ledger ledger = scenario.ledger;

  private void flip(String name, int offset) {
    byte[] content = disk.content(name);
    content[offset] ^= 1;
    disk.put(name, content);
  }

  @Test
  void shouldReadTheLogOfAWriterAtWork() throws IOException {
    RecordLog log = scenario.open();
    scenario.grow(log, 30);
    ledger.force(log);

    try (JournalReader reader = JournalReader.open(disk)) {
      Ledger.Collected all = new Ledger.Collected();
      reader.replay(_ -> true, all);
      assertEquals(ledger.attempted, all.payloads);
      assertEquals(30, reader.position());
      assertEquals(Ledger.LOG, reader.log());
      assertEquals(Ledger.PARTITIONS, reader.partitions());
      scenario.grow(log, 5);
    }
    ledger.close(log);
  }

  @Test
  void shouldReadChosenPartitionsOfSnapshotAndRecords() throws IOException {
    RecordLog log = scenario.open();
    scenario.grow(log, 12);
    scenario.snapshot(log);
    scenario.grow(log, 12);
    disk.killed();
    List<String> found = new ArrayList<>();

    try (JournalReader reader = JournalReader.open(disk)) {
      reader.replay(
          partition -> partition == 2,
          new RecordVisitor() {
            @Override
            public void onEntry(int partition, byte kind, ByteBuffer payload) {
              assertEquals(2, partition);
              found.add(StandardCharsets.US_ASCII.decode(payload).toString());
            }

            @Override
            public void onRecord(
                long position, int partition, int epoch, byte kind, ByteBuffer payload) {
              assertEquals(2, partition);
              found.add(StandardCharsets.US_ASCII.decode(payload).toString());
            }
          });
    }

    List<String> expected = new ArrayList<>();
    for (int position = 2; position <= 24; position += 4) {
      expected.add(ledger.attempted.get(position - 1));
    }
    assertEquals(expected, found);
  }

  @Test
  void shouldReadNothingWhereThereIsNoLog() {
    assertThrows(JournalFormatException.class, () -> JournalReader.open(disk));
    assertThrows(JournalFormatException.class, () -> JournalVerification.run(disk));
  }

  @Test
  void shouldCountWhatASoundLogHolds() throws IOException {
    RecordLog log = scenario.open();
    scenario.grow(log, 24);
    log.adopt(ledger.snapshot(log));
    ledger.close(log);

    JournalVerification.VerificationReport verificationReport = JournalVerification.run(disk);

    assertTrue(verificationReport.isSound(), verificationReport.toString());
    assertEquals(24, verificationReport.records());
    assertEquals(24, verificationReport.entries());
    assertEquals(1, verificationReport.snapshots());
  }

  @Test
  void shouldTellEveryProblemAndNotTheFirstOnly() throws IOException {
    RecordLog log = scenario.open();
    scenario.grow(log, 90);
    ledger.close(log);
    int second = 512 + RecordFormat.size(2);
    flip(LogFileNames.segment(1), second + 30);
    flip(LogFileNames.segment(2), 600);

    JournalVerification.VerificationReport verificationReport = JournalVerification.run(disk);

    assertFalse(verificationReport.isSound());
    assertTrue(verificationReport.problemCount() >= 2, verificationReport.toString());
    assertTrue(
        verificationReport.refusal().contains(LogFileNames.segment(1)),
        verificationReport.refusal());
    assertTrue(
        verificationReport.problems().stream()
            .anyMatch(
                each ->
                    each.file().endsWith(LogFileNames.segment(1))
                        && each.offset() == second
                        && each.record() == 2),
        verificationReport.toString());
    assertTrue(
        verificationReport.problems().stream()
            .anyMatch(each -> each.file().endsWith(LogFileNames.segment(2))),
        verificationReport.toString());
    assertEquals(88, verificationReport.records());
  }

  @Test
  void shouldPrintRecords() throws IOException {
    RecordLog log = scenario.open();
    scenario.grow(log, 3);
    ledger.append(log, 0);
    ledger.close(log);
    List<String> lines = new ArrayList<>();
    JournalDump dump =
        new JournalDump(
            disk,
            new JournalDump.LineSink() {
              @Override
              public void onRecord(JournalDump.DumpLine dumpLine, ByteBuffer payload) {
                lines.add(dumpLine.text() + " " + StandardCharsets.US_ASCII.decode(payload));
              }

              @Override
              public void onGap(String file, long offset, long bytes) {
                lines.add("gap");
              }
            });

    assertEquals(2, dump.run(1, 1) + dump.run(4, 9));
    assertEquals(2, lines.size());
    assertTrue(
        lines
            .getFirst()
            .matches(
                "1 partition 1 epoch 0 kind 1 length 2 crc [0-9a-f]{8} forced 0 at"
                    + " 0000000001.segment 512 1:"),
        lines.getFirst());
    assertTrue(lines.get(1).contains("forced 3 at"), lines.get(1));
  }

  @Test
  void shouldRepairByACutThatKeepsWhatItRemoves() throws IOException {
    RecordLog log = scenario.open();
    scenario.grow(log, 90);
    disk.killed();
    flip(LogFileNames.segment(2), 600);
    assertThrows(JournalDamagedException.class, scenario::open);
    int keep = firstOfSegment2() - 1;
    assertThrows(JournalDamagedException.class, () -> repair(keep + 5));
    assertFalse(disk.list().stream().anyMatch(each -> each.startsWith(LogFileNames.REMOVED)));

    JournalRepair.RepairReport repairReport = repair(keep);

    assertEquals(keep, repairReport.kept());
    assertEquals(keep + 1, repairReport.audit());
    repairReport.removed().forEach(each -> assertTrue(disk.list().contains(each), each));
    RecordLog again = RecordLog.open(disk, Ledger.settings(Scenario.BOUNDS));
    Ledger.Collected collected = new Ledger.Collected();
    again.replay(collected);
    assertEquals(ledger.attempted.subList(0, keep), collected.payloads);
    assertEquals(1, collected.audits.size());
    assertTrue(collected.audits.getFirst().contains("by anna"), collected.audits.toString());
    assertTrue(collected.audits.getFirst().contains("reason: disk"), collected.audits.toString());
    again.close();
    assertTrue(JournalVerification.run(disk).isSound());
  }

  private int firstOfSegment2() throws IOException {
    return (int) SegmentHeader.read(disk, Ledger.LOG, 2).firstPosition();
  }

  private JournalRepair.RepairReport repair(long keep) throws IOException {
    return new JournalRepair(
            disk, Ledger.settings(Scenario.BOUNDS), keep, "anna", "disk", 1_700_000_000_000L)
        .run();
  }

  @Test
  void shouldRepairALogThatLostItsAnchor() throws IOException {
    RecordLog log = scenario.open();
    scenario.grow(log, 30);
    scenario.snapshot(log);
    scenario.grow(log, 30);
    disk.killed();
    disk.remove(LogFileNames.ANCHOR);

    assertEquals(61, repair(60).audit());

    Ledger.Collected collected = new Ledger.Collected();
    RecordLog.open(disk, Ledger.settings(Scenario.BOUNDS)).replay(collected);
    assertEquals(ledger.attempted, collected.payloads);
  }

  @Test
  void shouldLetARepairThatWasStoppedBeCompleted() throws IOException {
    for (int nth = 1; ; nth++) {
      SimulatedStorage copy = new SimulatedStorage();
      Scenario life = new Scenario(copy);
      life.grow(life.open(), 90);
      copy.killed();
      int keep = (int) SegmentHeader.read(copy, Ledger.LOG, 2).firstPosition() + 2;
      copy.crashAt(nth, nth);
      JournalRepair repair =
          new JournalRepair(
              copy, Ledger.settings(Scenario.BOUNDS), keep, "anna", "test", 1_700_000_000_000L);
      try {
        repair.run();
        assertFalse(copy.crashed);
        assertTrue(nth > 10, "operations " + nth);
        return;
      } catch (SimulatedStorage.Crash e) {
        assertTrue(copy.crashed);
      }
      copy.losePower(nth);
      new JournalRepair(
              copy, Ledger.settings(Scenario.BOUNDS), keep, "anna", "test", 1_700_000_000_001L)
          .run();
      Ledger.Collected collected = new Ledger.Collected();
      RecordLog.open(copy, Ledger.settings(Scenario.BOUNDS)).replay(collected);
      assertEquals(life.ledger.attempted.subList(0, keep), collected.payloads);
    }
  }

  @Test
  void shouldWantAReasonAndTheLock() throws IOException {
    assertThrows(
        IllegalArgumentException.class,
        () -> new JournalRepair(disk, Ledger.settings(Scenario.BOUNDS), 1, "anna", " ", 0));
    scenario.grow(scenario.open(), 3);
    assertThrows(LogLockedException.class, () -> repair(1));
  }
}
