package dev.pinion.core.journal.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class LogFollowerTest {
  private static final long ALL = Long.MAX_VALUE;

  private final SimulatedStorage disk = new SimulatedStorage();
  private final Scenario scenario = new Scenario(disk);
  private final Ledger ledger = scenario.ledger;
  private final Seen seen = new Seen();

  private static List<Long> range(long first, long last) {
    return LongStream.rangeClosed(first, last).boxed().toList();
  }

  @Test
  void shouldReadWhatIsOnDiskAsItComes() throws IOException {
    RecordLog log = scenario.open();
    scenario.grow(log, 6);
    try (LogFollower follower = LogFollower.open(disk, 0, seen)) {
      for (int round = 0; round < 20; round++) {
        scenario.grow(log, 7);
        ledger.append(log, 10);
        long durable = log.durable();
        for (int read = follower.read(3, ALL, seen); read > 0; read = follower.read(3, ALL, seen)) {
          assertTrue(read <= 3, "records at once: " + read);
        }
        assertEquals(durable, follower.position());
        assertEquals(durable, follower.durable());
      }
      assertEquals(range(1, log.durable()), seen.records);
      assertTrue(disk.list().contains(LogFileNames.segment(3)), "several segments: " + disk.list());
    }
  }

  /** Field fault 3: one read is bounded by its size, but reads at least one record. */
  @Test
  void shouldReadNoMoreBytesAtOnceThanAskedFor() throws IOException {
    RecordLog log = scenario.open();
    scenario.grow(log, 6);
    try (LogFollower follower = LogFollower.open(disk, 0, seen)) {
      assertEquals(1, follower.read(1_000, 1, seen));
      long before = seen.bytes;
      int read = follower.read(1_000, 500, seen);
      assertTrue(read > 1, "records " + read);
      assertTrue(seen.bytes - before >= 500, "bytes " + (seen.bytes - before));
      while (read > 0) {
        read = follower.read(1_000, 1, seen);
        assertTrue(read <= 1, "records " + read);
      }
      assertEquals(range(1, log.durable()), seen.records);
    }
  }

  @Test
  void shouldBeginWithTheLastSnapshotThatIsNoLaterThanWhatIsKnown() throws IOException {
    RecordLog log = scenario.open();
    long first = snapshotAfter(log, 60, ALL);
    long second = snapshotAfter(log, 60, ALL);
    scenario.grow(log, 9);

    for (long known : new long[] {0, 1, first - 1, first, first + 1, second - 1, second, ALL}) {
      Seen these = new Seen();
      try (LogFollower follower = LogFollower.open(disk, known, these)) {
        long base = known < first ? 0 : known < second ? first : second;
        assertEquals(base, follower.base(), "known: " + known);
        assertEquals(base > 0, these.entries > 0);
        follower.read(1_000, ALL, these);
        assertEquals(range(base + 1, log.durable()), these.records);
      }
    }
  }

  @Test
  void shouldBeginWithTheOldestSnapshotWhenWhatIsKnownIsGone() throws IOException {
    RecordLog log = scenario.open();
    long base = snapshotAfter(log, 60, 0);

    try (LogFollower follower = LogFollower.open(disk, 3, seen)) {
      assertEquals(base, follower.base());
    }
  }

  @Test
  void shouldSayThatRecordsWereDeletedUnread() throws IOException {
    RecordLog log = scenario.open();
    scenario.grow(log, 6);
    try (LogFollower follower = LogFollower.open(disk, 0, seen)) {
      follower.read(2, ALL, seen);
      snapshotAfter(log, 90, 0);
      assertFalse(disk.list().contains(LogFileNames.segment(2)), disk.list().toString());

      IOException e =
          assertThrows(
              LogFollower.SegmentGoneException.class, () -> follower.read(1_000, ALL, seen));
      assertTrue(String.valueOf(e.getMessage()).contains(LogFileNames.segment(2)), e::toString);
    }
  }

  @Test
  void shouldKeepNoMoreOfTheLogThanWasAskedFor() throws IOException {
    RecordLog log = scenario.open();
    long segment = Scenario.BOUNDS.segmentBytes();
    snapshotAfter(log, 60, 2 * segment);
    for (int i = 0; i < 10; i++) {
      snapshotAfter(log, 12, 2 * segment);
      long segments = disk.list().stream().filter(name -> name.endsWith(".segment")).count();
      long snapshots = disk.list().stream().filter(name -> name.startsWith("snapshot")).count();
      assertTrue(segments <= 2 + 2, disk.list()::toString);
      assertTrue(snapshots <= 1 + LogRetention.MAX_OLDER_SNAPSHOTS, disk.list()::toString);
      assertTrue(i == 0 || snapshots > 1, disk.list()::toString);
    }
    log.deleteObsolete();
    assertEquals(1, disk.list().stream().filter(name -> name.startsWith("snapshot")).count());
    disk.killed();
    assertEquals(log.durable(), scenario.open().report().position());
  }

  /** Field fault 4: the history must not lose ended instances because it is slow. */
  @Test
  void shouldKeepWhatAFollowerSaysThatItNeeds() throws IOException {
    RecordLog log = scenario.open();
    long segment = Scenario.BOUNDS.segmentBytes();
    scenario.grow(log, 6);
    ledger.force(log);
    long known = 3;
    try (LogFollower follower = LogFollower.open(disk, 0, seen)) {
      follower.acknowledge(known);
    }
    assertEquals(known, log.followerPosition());
    for (int i = 0; i < 8; i++) {
      snapshotAfter(log, 30, 0, 100 * segment);
    }
    assertTrue(log.unreadBytes(known) > 8 * segment, "unread: " + log.unreadBytes(known));
    long last = log.durable();
    try (LogFollower follower = LogFollower.open(disk, known, seen)) {
      assertTrue(follower.base() <= known, "begins at " + follower.base());
      follower.read(10_000, ALL, seen);
      assertEquals(last, follower.position());
      follower.acknowledge(last);
    }
    log.deleteObsolete(0, 100 * segment);
    assertTrue(log.unreadBytes(last) <= 2 * segment, "unread: " + log.unreadBytes(last));
    long snapshots = disk.list().stream().filter(name -> name.startsWith("snapshot")).count();
    assertTrue(snapshots <= 2, disk.list()::toString);
  }

  @Test
  void shouldKeepNoMoreThanTheBoundForAFollowerThatHasStopped() throws IOException {
    RecordLog log = scenario.open();
    long segment = Scenario.BOUNDS.segmentBytes();
    scenario.grow(log, 6);
    ledger.force(log);
    try (LogFollower follower = LogFollower.open(disk, 0, seen)) {
      follower.acknowledge(3);
    }
    for (int i = 0; i < 8; i++) {
      snapshotAfter(log, 30, 0, 4 * segment);
    }
    assertFalse(disk.list().contains(LogFileNames.segment(1)), disk.list()::toString);
    assertEquals(1, disk.list().stream().filter(name -> name.startsWith("snapshot")).count());
  }

  private long snapshotAfter(RecordLog log, int records, long keptBytes) throws IOException {
    return snapshotAfter(log, records, keptBytes, 0);
  }

  private long snapshotAfter(RecordLog log, int records, long keptBytes, long unreadBytes)
      throws IOException {
    scenario.grow(log, records);
    ledger.force(log);
    log.adopt(ledger.snapshot(log));
    log.deleteObsolete(keptBytes, unreadBytes);
    return log.durable();
  }

  /** Visitor that stores its calls. */
  private static final class Seen implements RecordVisitor {
    private final List<Long> records = new ArrayList<>();
    private int entries;
    private long bytes;

    @Override
    public void onEntry(int partition, byte kind, ByteBuffer payload) {
      entries++;
    }

    @Override
    public void onRecord(long position, int partition, int epoch, byte kind, ByteBuffer payload) {
      records.add(position);
      bytes += payload.remaining();
    }
  }
}
