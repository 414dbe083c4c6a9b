package dev.pinion.core.journal.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.journal.disk.NoSpaceException;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Field fault 5: a reserve reaches the requested size in parts. */
class DiskReserveTest {
  private static final long KIB = 1L << 10;

  private final SimulatedStorage storage = new SimulatedStorage();
  private final DiskReserve diskReserve = new DiskReserve(storage, 16 * KIB);

  @Test
  void shouldTakeMuchRoomInParts() throws IOException {
    diskReserve.take(20 * KIB);
    assertEquals(16 * KIB, diskReserve.size());
    diskReserve.take(20 * KIB);
    diskReserve.take(20 * KIB);
    assertEquals(20 * KIB, diskReserve.size());
  }

  @Test
  void shouldGiveUpWhatIsMuchMoreThanIsWanted() throws IOException {
    diskReserve.take(8 * KIB);
    diskReserve.take(4 * KIB);
    assertEquals(8 * KIB, diskReserve.size());
    diskReserve.take(4 * KIB - 1);
    assertEquals(4 * KIB - 1, diskReserve.size());
    assertTrue(diskReserve.release());
    assertFalse(diskReserve.release());
    assertEquals(0, diskReserve.size());
  }

  @Test
  void shouldTakeNothingWhereThereIsNoRoom() throws IOException {
    storage.fail(SimulatedStorage.Op.WRITE, 2, true, true);
    diskReserve.take(20 * KIB);
    assertThrows(NoSpaceException.class, () -> diskReserve.take(20 * KIB));
    assertEquals(0, diskReserve.size());
    storage.heal();
    diskReserve.take(4 * KIB);
    assertEquals(4 * KIB, diskReserve.size());
  }
}
