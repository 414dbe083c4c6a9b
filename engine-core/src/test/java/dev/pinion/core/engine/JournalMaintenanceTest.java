package dev.pinion.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.journal.disk.FileStorage;
import dev.pinion.core.journal.store.LogId;
import dev.pinion.core.journal.store.LogLimits;
import dev.pinion.core.journal.store.LogSettings;
import dev.pinion.core.journal.store.RecordLog;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.migration.PartitionOwnership;
import dev.pinion.core.partition.PartitionTable;
import dev.pinion.core.partition.ReplicaGroup;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Housekeeping of a journal on a disk with a set amount of room. */
class JournalMaintenanceTest {
  private static final int SEGMENT_BYTES = 64 << 10;
  private static final long LEAST_BYTES = 2L * SEGMENT_BYTES;

  @TempDir Path root;

  private RecordLog log;
  private JournalMaintenance journalMaintenance;
  private long usable = Long.MAX_VALUE;
  private long likely;
  private boolean underWay;
  private boolean lacksRoom;
  private int urged;

  @BeforeEach
  void open() throws IOException {
    Path directory = root.resolve("0");
    log =
        RecordLog.open(
            FileStorage.create(directory),
            new LogSettings(
                ReplicaGroup.PARTITIONS,
                "test",
                LogId.random(),
                new LogLimits(SEGMENT_BYTES, 1 << 10, 4 << 10)));
    PartitionOwnership held =
        new PartitionOwnership(directory, log, new PartitionTable(ReplicaGroup.ALONE, 1));
    journalMaintenance =
        new JournalMaintenance(
            log,
            held,
            EngineLimits.defaults().journal(),
            () -> usable,
            () -> 0,
            new JournalMaintenance.SnapshotRequest() {
              @Override
              public void urge() {
                urged++;
              }

              @Override
              public boolean underWay() {
                return underWay;
              }

              @Override
              public boolean lackRoom() {
                return lacksRoom;
              }

              @Override
              public long likelyBytes() {
                return likely;
              }
            });
  }

  @AfterEach
  void close() throws IOException {
    log.close();
  }

  /** Fills a segment that a snapshot would now replace. */
  private void fillASegment() throws IOException {
    for (int i = 0; i < SEGMENT_BYTES / 1_000 + 1; i++) {
      log.append(0, 0, (byte) 1, ByteBuffer.allocate(1_000));
    }
    log.force();
  }

  @Test
  void shouldKeepRoomForASnapshotOfWhatIsHeld() throws IOException {
    likely = 100_000;
    journalMaintenance.run();
    assertEquals(100_000 + SEGMENT_BYTES / 4, log.reserved());
    assertTrue(journalMaintenance.hasRoom());
  }

  /** Field fault 5: the state grew until no snapshot found room, and then nothing was freed. */
  @Test
  void shouldRefuseStartsWhileASnapshotOfWhatIsHeldWouldFindNoRoom() throws IOException {
    likely = 100_000;
    journalMaintenance.run();
    usable = LEAST_BYTES;
    likely = 1_000_000;
    journalMaintenance.run();
    assertFalse(journalMaintenance.hasRoom());

    usable = likely - log.reserved() - 1;
    journalMaintenance.run();
    assertFalse(journalMaintenance.hasRoom(), "one byte is lacking");
    usable++;
    journalMaintenance.run();
    assertTrue(journalMaintenance.hasRoom());
  }

  @Test
  void shouldRefuseNothingBecauseOfTheRoomThatASnapshotUnderWayTakes() throws IOException {
    likely = 100_000;
    usable = 1;
    underWay = true;
    journalMaintenance.run();
    assertTrue(journalMaintenance.hasRoom());
    underWay = false;
    journalMaintenance.run();
    assertFalse(journalMaintenance.hasRoom());
  }

  @Test
  void shouldAskForASnapshotWhenALargerOneWouldFindNoRoom() throws IOException {
    fillASegment();
    journalMaintenance.run();
    assertEquals(0, urged);
    usable = 3 * LEAST_BYTES;
    likely = 4 * LEAST_BYTES;
    journalMaintenance.run();
    assertEquals(1, urged);
  }

  @Test
  void shouldGiveTheReserveUpForASnapshotThatFoundNoRoom() throws IOException {
    likely = 100_000;
    journalMaintenance.run();
    lacksRoom = true;
    journalMaintenance.run();
    assertEquals(0, log.reserved());
    lacksRoom = false;
    journalMaintenance.run();
    assertEquals(100_000 + SEGMENT_BYTES / 4, log.reserved());
  }
}
