package dev.pinion.core.journal.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.journal.disk.LogLockedException;
import dev.pinion.core.journal.disk.NoSpaceException;
import dev.pinion.core.journal.disk.TooManyOpenFilesException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class RecordLogTest {
  private static final LogLimits BOUNDS = Scenario.BOUNDS;

  private final SimulatedStorage disk = new SimulatedStorage();
  private final Scenario scenario = new Scenario(disk);
  private final Ledger ledger = scenario.ledger;

  private static String message(Throwable e) {
    return String.valueOf(e.getMessage());
  }

  private JournalDamagedException refused() {
    return assertThrows(JournalDamagedException.class, scenario::open);
  }

  private void flip(String name, int offset) {
    byte[] content = disk.content(name);
    content[offset] ^= 1;
    disk.put(name, content);
  }

  /** Stops as a kill does, all written content on disk. */
  private SimulatedStorage kill() {
    disk.killed();
    return disk;
  }

  @Test
  void shouldMakeALogInAnEmptyDirectory() throws IOException {
    RecordLog log = scenario.open();

    assertTrue(log.report().created());
    assertEquals(Ledger.LOG, log.report().log());
    assertEquals(0, log.durable());
    assertEquals(List.of("0000000001.segment", "FORMAT", "anchor", "lock", "readers"), disk.list());
  }

  @Test
  void shouldGivePositionsWithoutGapsAndForceThem() throws IOException {
    RecordLog log = scenario.open();

    assertEquals(1, log.append(0, 0, (byte) 0, Ledger.encoded("a")));
    assertEquals(2, log.append(3, -1, (byte) 127, Ledger.encoded("")));
    assertEquals(0, log.durable());
    assertEquals(2, log.force());
    assertEquals(2, log.force());
    assertEquals(2, log.durable());
    assertEquals(2, log.position());
  }

  @Test
  void shouldForceAGroupWithOneWrite() throws IOException {
    RecordLog log = scenario.open();
    for (int i = 0; i < 10; i++) {
      ledger.append(log, 5);
    }
    int before = disk.operations;

    ledger.force(log);

    // one write, one force, one write of the anchor
    assertEquals(3, disk.operations - before);
  }

  @Test
  void shouldLeaveThePayloadAsItWas() throws IOException {
    RecordLog log = scenario.open();
    ByteBuffer payload = ByteBuffer.wrap(new byte[] {9, 8, 7, 6}, 1, 2);

    log.append(0, 0, (byte) 0, payload);

    assertEquals(1, payload.position());
    assertEquals(2, payload.remaining());
  }

  @Test
  void shouldRefuseWhatIsBeyondABound() throws IOException {
    RecordLog log = scenario.open();
    int most = BOUNDS.maxPayloadBytes();

    assertEquals(1, log.append(0, 0, (byte) 0, ByteBuffer.allocate(most)));
    assertThrows(
        IllegalArgumentException.class,
        () -> log.append(0, 0, (byte) 0, ByteBuffer.allocate(most + 1)));
    assertEquals(2, log.append(Ledger.PARTITIONS - 1, 0, (byte) 0, ByteBuffer.allocate(0)));
    for (int partition : new int[] {-1, Ledger.PARTITIONS}) {
      assertThrows(
          IllegalArgumentException.class,
          () -> log.append(partition, 0, (byte) 0, ByteBuffer.allocate(0)));
    }
    assertThrows(
        IllegalArgumentException.class,
        () -> log.append(0, 0, RecordFormat.AUDIT, ByteBuffer.allocate(0)));
    assertEquals(2, log.position());
  }

  @Test
  void shouldCheckTheRelationsOfBounds() {
    int record = RecordFormat.size(600);
    int segment = record + SegmentHeader.BYTES;

    new LogLimits(Math.max(segment, 1024), 600, record);
    assertThrows(IllegalArgumentException.class, () -> new LogLimits(segment - 8, 600, record));
    new LogLimits(4096, 600, RecordFormat.size(0));
    assertThrows(
        IllegalArgumentException.class, () -> new LogLimits(4096, 600, RecordFormat.size(0) - 1));
    assertThrows(IllegalArgumentException.class, () -> new LogLimits(4100, 600, record));
    assertThrows(IllegalArgumentException.class, () -> new LogLimits(4096, -1, record));
    assertThrows(IllegalArgumentException.class, () -> new LogSettings(0, "t", Ledger.LOG, BOUNDS));
    assertThrows(
        IllegalArgumentException.class, () -> new LogSettings(1 << 16, "t", Ledger.LOG, BOUNDS));
    assertThrows(
        IllegalArgumentException.class, () -> new LogSettings(1, "a\nb", Ledger.LOG, BOUNDS));
  }

  @Test
  void shouldReplayAcrossSegments() throws IOException {
    RecordLog log = scenario.open();
    scenario.grow(log, 100);
    ledger.close(log);

    RecordLog again = scenario.open();

    assertTrue(again.report().clean());
    assertEquals(100, again.durable());
    assertTrue(disk.list().contains(LogFileNames.segment(3)), disk.list().toString());
  }

  @Test
  void shouldRefuseAClosedLog() throws IOException {
    RecordLog log = scenario.open();
    log.close();
    log.close();

    assertThrows(IllegalStateException.class, log::force);
    assertThrows(
        IllegalStateException.class, () -> log.append(0, 0, (byte) 0, ByteBuffer.allocate(0)));
  }

  @Test
  void shouldRefuseASecondOpenerAndNameTheHolder() throws IOException {
    scenario.open();

    LogLockedException e = assertThrows(LogLockedException.class, scenario::open);

    assertEquals("1", e.holder());
    assertTrue(message(e).contains("disk/lock"), message(e));
  }

  @Test
  void shouldCutATornTailAndSayWhere() throws IOException {
    RecordLog log = scenario.open();
    scenario.grow(log, 3);
    int end = 512 + RecordFormat.size(2) + RecordFormat.size(39) + RecordFormat.size(76);
    byte[] content = kill().content(LogFileNames.segment(1));
    content[end + 100] = 7;
    disk.put(LogFileNames.segment(1), content);

    RecordLog again = scenario.open();

    LogOpeningReport.TornTail tornTail = Objects.requireNonNull(again.report().cut());
    assertEquals(
        new LogOpeningReport.TornTail("disk/" + LogFileNames.segment(1), end, 101), tornTail);
    assertFalse(again.report().clean());
    assertEquals(0, disk.content(LogFileNames.segment(1))[end + 100]);
    kill();
    assertNull(scenario.open().report().cut());
  }

  @Test
  void shouldRefuseABadRecordThatTheAnchorNames() throws IOException {
    RecordLog log = scenario.open();
    scenario.grow(log, 3);
    kill();
    flip(LogFileNames.segment(1), 512 + 10);

    JournalDamagedException e = refused();

    assertEquals("disk/" + LogFileNames.segment(1), e.file());
    assertEquals(512, e.offset());
    assertTrue(message(e).contains("anchor"), message(e));
  }

  @Test
  void shouldRefuseABadRecordThatALaterRecordNames() throws IOException {
    RecordLog log = scenario.open();
    byte[] oldAnchor = disk.content(LogFileNames.ANCHOR);
    scenario.grow(log, 6);
    kill();
    // after a loss of power the anchor may be as old as this
    disk.put(LogFileNames.ANCHOR, oldAnchor);
    SimulatedStorage whole = disk.copy();
    flip(LogFileNames.segment(1), 512 + 10);

    JournalDamagedException e = refused();

    assertEquals(512, e.offset());
    assertTrue(message(e).contains("record 4"), message(e));
    assertEquals(6, RecordLog.open(whole, Ledger.settings(BOUNDS)).durable());
  }

  @Test
  void shouldCutALastBatchThatNothingProvesForced() throws IOException {
    RecordLog log = scenario.open();
    scenario.grow(log, 3);
    byte[] oldAnchor = disk.content(LogFileNames.ANCHOR);
    ledger.append(log, 10);
    ledger.append(log, 10);
    ledger.force(log);
    kill();
    disk.put(LogFileNames.ANCHOR, oldAnchor);
    flip(LogFileNames.segment(1), 512 + RecordFormat.size(2) + RecordFormat.size(39) + 130);
    ledger.acknowledged = 3;

    RecordLog again = scenario.open();

    assertEquals(3, again.durable());
    assertTrue(Objects.requireNonNull(again.report().cut()).bytes() > 0);
  }

  @Test
  void shouldRefuseDataThatEndsBelowTheAnchor() throws IOException {
    byte[] empty;
    RecordLog log = scenario.open();
    empty = disk.content(LogFileNames.segment(1));
    scenario.grow(log, 3);
    kill();
    disk.put(LogFileNames.segment(1), empty);

    JournalDamagedException e = refused();

    assertTrue(message(e).contains("expected record 1"), message(e));
    assertTrue(message(e).contains("found nothing"), message(e));
  }

  @Test
  void shouldRefuseALogWithoutAnAnchor() throws IOException {
    scenario.open();
    kill();
    disk.remove(LogFileNames.ANCHOR);

    assertEquals("disk/anchor", refused().file());
  }

  @Test
  void shouldUseOneSlotOfTheAnchorAndRefuseNone() throws IOException {
    RecordLog log = scenario.open();
    scenario.grow(log, 3);
    kill();
    flip(LogFileNames.ANCHOR, 40);

    RecordLog again = scenario.open();
    assertEquals(1, again.report().notes().size());
    assertTrue(again.report().notes().getFirst().contains("disk/anchor"));

    kill();
    flip(LogFileNames.ANCHOR, 40);
    flip(LogFileNames.ANCHOR, ForcedPosition.SECOND_SECTOR_AT + 40);
    assertEquals("disk/anchor", refused().file());
  }

  @Test
  void shouldRefuseAMissingSegment() throws IOException {
    RecordLog log = scenario.open();
    scenario.grow(log, 100);
    kill();
    disk.remove(LogFileNames.segment(2));

    assertEquals("disk/" + LogFileNames.segment(2), refused().file());
  }

  @Test
  void shouldRefuseASegmentOfAnotherLog() throws IOException {
    SimulatedStorage other = new SimulatedStorage();
    RecordLog.open(
            other, new LogSettings(Ledger.PARTITIONS, "test", new LogId(6, 6), Scenario.BOUNDS))
        .close();
    scenario.open();
    kill();
    disk.put(LogFileNames.segment(1), other.content(LogFileNames.segment(1)));

    JournalDamagedException e = refused();

    assertTrue(message(e).contains("a segment of log " + new LogId(6, 6)), message(e));
  }

  @Test
  void shouldRefuseAnUnknownVersionAndTouchNothing() throws IOException {
    scenario.open().close();
    String format = new String(disk.content(LogFileNames.FORMAT), StandardCharsets.US_ASCII);
    disk.put(
        LogFileNames.FORMAT,
        format
            .replace("format: 1", "format: 2")
            .replace("min-reader: 1", "min-reader: 2")
            .getBytes(StandardCharsets.US_ASCII));
    disk.remove(LogFileNames.LOCK);
    List<String> names = disk.list();

    JournalFormatException e = assertThrows(JournalFormatException.class, scenario::open);

    assertTrue(message(e).contains("found format 2"), message(e));
    assertTrue(message(e).contains("disk/FORMAT"), message(e));
    assertEquals(names, disk.list());
  }

  @Test
  void shouldRefuseAnotherNumberOfPartitions() throws IOException {
    scenario.open().close();

    JournalFormatException e =
        assertThrows(
            JournalFormatException.class,
            () -> RecordLog.open(disk, new LogSettings(9, "test", Ledger.LOG, BOUNDS)));

    assertTrue(message(e).contains("of 9 partitions, found one of 4"), message(e));
  }

  @Test
  void shouldNotMakeALogAmongOtherFiles() {
    disk.put("notes.txt", new byte[] {1});

    JournalFormatException e = assertThrows(JournalFormatException.class, scenario::open);

    assertTrue(message(e).contains("disk/notes.txt"), message(e));
    assertEquals(List.of("notes.txt"), disk.list());
  }

  @Test
  void shouldNotMakeALogWhereOneLostItsFormat() throws IOException {
    scenario.open().close();
    disk.remove(LogFileNames.FORMAT);

    assertThrows(JournalFormatException.class, scenario::open);
  }

  @Test
  void shouldGiveUpWhatASnapshotReplaces() throws IOException {
    RecordLog log = scenario.open();
    scenario.grow(log, 60);
    ledger.force(log);

    scenario.snapshot(log);

    assertFalse(disk.list().contains(LogFileNames.segment(1)), disk.list().toString());
    assertTrue(disk.list().contains(LogFileNames.snapshot(60)), disk.list().toString());
    scenario.grow(log, 10);
    scenario.snapshot(log);
    assertFalse(disk.list().contains(LogFileNames.snapshot(60)), disk.list().toString());
    kill();
    assertEquals(log.durable(), scenario.open().report().snapshot());
  }

  @Test
  void shouldKeepWhatAReaderReads() throws IOException {
    RecordLog log = scenario.open();
    scenario.grow(log, 60);
    ledger.force(log);
    try (JournalReader _ = JournalReader.open(disk)) {
      log.adopt(ledger.snapshot(log));

      assertFalse(log.deleteObsolete());
      assertTrue(disk.list().contains(LogFileNames.segment(1)));
    }
    assertTrue(log.deleteObsolete());
    assertFalse(disk.list().contains(LogFileNames.segment(1)));
  }

  @Test
  void shouldReplayWithoutADamagedSnapshotWhileItsSegmentsAreThere() throws IOException {
    RecordLog log = scenario.open();
    scenario.grow(log, 60);
    ledger.force(log);
    log.adopt(ledger.snapshot(log));
    kill();
    flip(LogFileNames.snapshot(60), 700);

    RecordLog again = scenario.open();

    assertEquals(0, again.report().snapshot());
    assertTrue(again.report().notes().getFirst().contains("disk/" + LogFileNames.snapshot(60)));
  }

  @Test
  void shouldRefuseADamagedSnapshotWhoseSegmentsAreGone() throws IOException {
    RecordLog log = scenario.open();
    scenario.grow(log, 60);
    ledger.force(log);
    scenario.snapshot(log);
    kill();
    flip(LogFileNames.snapshot(60), 700);

    JournalDamagedException e = refused();

    assertEquals("disk/" + LogFileNames.snapshot(60), e.file());
    assertTrue(e.offset() >= 512);
  }

  @Test
  void shouldRefuseSnapshotsOfNothingOrOutOfTurn() throws IOException {
    RecordLog log = scenario.open();
    assertThrows(IllegalStateException.class, log::snapshot);
    scenario.grow(log, 3);
    try (SnapshotWriter unfinished = log.snapshot()) {
      assertThrows(IllegalStateException.class, () -> log.adopt(unfinished));
      assertThrows(
          IllegalArgumentException.class,
          () -> unfinished.entry(0, (byte) 0, ByteBuffer.allocate(601)));
    }
    SnapshotWriter old = ledger.snapshot(log);
    scenario.grow(log, 3);
    log.adopt(ledger.snapshot(log));
    assertThrows(IllegalStateException.class, () -> log.adopt(old));
  }

  @Test
  void shouldGoOnInTheSegmentAndItsSpareWhenTheDiskIsFull() throws IOException {
    RecordLog log = scenario.open();
    log.preallocate();
    assertTrue(log.hasPreallocated());
    disk.fail(SimulatedStorage.Op.PREALLOCATE, 1, true, true);

    int inSegment = 0;
    while (log.hasPreallocated()) {
      ledger.append(log, 100);
      inSegment++;
    }
    assertThrows(NoSpaceException.class, log::preallocate);
    JournalFullException full = assertThrows(JournalFullException.class, () -> fill(log));
    assertTrue(message(full).contains("make room"), message(full));
    assertTrue(log.position() >= 2L * inSegment - 2, log.position() + " of " + inSegment);
    assertEquals(log.position(), log.force());

    disk.heal();
    log.preallocate();
    assertTrue(log.hasPreallocated());
    ledger.append(log, 100);
    ledger.force(log);
    ledger.close(log);
    scenario.open();
  }

  /** Field fault 2: EMFILE is a shortage like a full disk, and no damage. */
  @Test
  void shouldGoOnWhenFileDescriptorsAreShortForAWhile() throws IOException {
    RecordLog log = scenario.open();
    log.preallocate();
    disk.fail(SimulatedStorage.Op.CREATE, 1, true, TooManyOpenFilesException::new);

    assertThrows(JournalFullException.class, () -> fill(log));
    assertThrows(TooManyOpenFilesException.class, log::preallocate);
    long before = log.force();
    assertEquals(log.position(), before);

    disk.heal();
    fill(log);
    ledger.force(log);
    assertTrue(log.durable() > before);
    ledger.close(log);
    scenario.open();
  }

  private void fill(RecordLog log) throws IOException {
    for (int i = 0; i < 1_000; i++) {
      ledger.append(log, 100);
    }
  }

  @Test
  void shouldNotUseASpareThatIsNotZero() throws IOException {
    RecordLog log = scenario.open();
    log.preallocate();
    ledger.close(log);
    flip(LogFileNames.SPARE, 2000);

    RecordLog again = scenario.open();

    assertFalse(again.hasPreallocated());
    assertFalse(disk.list().contains(LogFileNames.SPARE));
  }
}
