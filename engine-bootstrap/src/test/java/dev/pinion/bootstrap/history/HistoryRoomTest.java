package dev.pinion.bootstrap.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Field fault 5: the largest size of the history's file. */
class HistoryRoomTest {
  private static final long MIB = 1L << 20;

  @TempDir Path folder;

  private long size = 256 * MIB;
  private long usable = size;
  private Path file = Path.of("");

  @BeforeEach
  void write() throws IOException {
    file = folder.resolve("history.db");
    Files.write(file, new byte[3 << 20]);
  }

  private HistoryRoom room(long segmentBytes) {
    HistoryRoom.Volume volume =
        new HistoryRoom.Volume() {
          @Override
          public long size() {
            return size;
          }

          @Override
          public long usable() {
            return usable;
          }
        };
    return new HistoryRoom(volume, file, segmentBytes);
  }

  @Test
  void shouldLeaveFourSegmentsOfEachJournal() {
    size = 100_000 * MIB;
    usable = 1_000 * MIB;
    HistoryRoom room = room(64 * MIB);
    assertEquals((3 + 1_000 - 256) * MIB, room.maxBytes());
    room.journals(3);
    assertEquals((3 + 1_000 - 768) * MIB, room.maxBytes());
  }

  @Test
  void shouldLeaveAQuarterOfASmallVolume() {
    usable = 100 * MIB;
    assertEquals((3 + 100 - 64) * MIB, room(24 * MIB).maxBytes());
  }

  @Test
  void shouldEnsureALittleOnAFullVolume() throws IOException {
    usable = 0;
    assertEquals(16 * MIB, room(24 * MIB).maxBytes());
    size = 64 * MIB;
    assertEquals(4 * MIB, room(24 * MIB).maxBytes());
    size = 100_000 * MIB;
    assertEquals(16 * MIB, room(24 * MIB).maxBytes());
    Files.write(file, new byte[20 << 20]);
    assertEquals(20 * MIB, room(24 * MIB).maxBytes(), "it gives nothing back");
  }

  @Test
  void shouldNotBoundWhereTheVolumeIsNotKnown() {
    size = Long.MAX_VALUE;
    usable = Long.MAX_VALUE;
    assertEquals(Long.MAX_VALUE, room(64 * MIB).maxBytes());
  }

  @Test
  void shouldKeepAReserveWhileJournalsHaveTheirRoom() throws IOException {
    size = 32 * MIB;
    usable = 8 * MIB;
    HistoryRoom room = room(MIB);
    room.takeReserve();
    assertEquals(MIB, Files.size(folder.resolve("reserve")));
    assertTrue(room.releaseReserve());
    assertFalse(room.releaseReserve());

    for (long other : new long[] {4 * MIB, 100_000 * MIB}) {
      usable = other;
      room.takeReserve();
      assertFalse(Files.exists(folder.resolve("reserve")), "with " + other);
    }
  }
}
