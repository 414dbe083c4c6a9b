package dev.pinion.bootstrap.supervise;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import org.junit.jupiter.api.Test;

class SlotTableTest {
  @Test
  void shouldGiveEverySlotToItsOwnReplicaOrToTheOneWithTheFewest() {
    assertEquals("1 0 1 2", new SlotTable(3, Set.of(0, 1, 2)).text());
    assertEquals("1 0 0 0", new SlotTable(3, Set.of(0)).text());
    assertEquals("1 0 1 0 1", new SlotTable(4, Set.of(0, 1)).text());
  }

  @Test
  void shouldMoveNoMoreThanItMust() {
    SlotTable table = new SlotTable(4, Set.of(0));

    assertTrue(table.update(Set.of(0, 2)));
    assertEquals("2 0 0 2 0", table.text());
    assertTrue(table.update(Set.of(2, 3)), "0 leaves, 3 joins");
    assertEquals("3 2 3 2 3", table.text());
    assertFalse(table.update(Set.of(2, 3)));
    assertEquals("3 2 3 2 3", table.text());
    assertTrue(table.update(Set.of(0, 1, 2, 3)));
    assertEquals("4 0 1 2 3", table.text());
  }

  @Test
  void shouldStayAsItIsWhenNobodyStands() {
    SlotTable table = new SlotTable(2, Set.of(0, 1));

    assertFalse(table.update(Set.of()));
    assertEquals("1 0 1", table.text());
  }
}
