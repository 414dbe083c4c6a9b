package dev.pinion.core.journal.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Field fault 5: a reserve reaches the requested size in parts. */
class ReserveTest {
  private static final long KIB = 1L << 10;

  private final SimulatedStorage storage = new SimulatedStorage();
  private final Reserve reserve = new Reserve(storage, 16 * KIB);

  @Test
  void shouldTakeMuchRoomInParts() throws IOException {
    reserve.take(20 * KIB);
    assertEquals(16 * KIB, reserve.size());
    reserve.take(20 * KIB);
    reserve.take(20 * KIB);
    assertEquals(20 * KIB, reserve.size());
  }

  @Test
  void shouldGiveUpWhatIsMuchMoreThanIsWanted() throws IOException {
    reserve.take(8 * KIB);
    reserve.take(4 * KIB);
    assertEquals(8 * KIB, reserve.size());
    reserve.take(4 * KIB - 1);
    assertEquals(4 * KIB - 1, reserve.size());
    assertTrue(reserve.release());
    assertFalse(reserve.release());
    assertEquals(0, reserve.size());
  }

  @Test
  void shouldTakeNothingWhereThereIsNoRoom() throws IOException {
    storage.fail(SimulatedStorage.Op.WRITE, 2, true, true);
    reserve.take(20 * KIB);
    assertThrows(NoSpaceException.class, () -> reserve.take(20 * KIB));
    assertEquals(0, reserve.size());
    storage.heal();
    reserve.take(4 * KIB);
    assertEquals(4 * KIB, reserve.size());
  }
}
